"""The worst case of every route and every message does not block the event loop."""

import gc
from collections.abc import Iterator
from typing import get_args

import pytest
from litestar import Litestar
from litestar.routes import HTTPRoute

from jamboree.server.http.app import build_app
from jamboree.server.live import session
from jamboree.server.store.store import Store

from ..bench.local import EVERY, a_registry
from .pulse import Pulse
from .stage import staged
from .worst_cases import HTTP, MESSAGES

MOST_HELD = 0.3  # seconds of work in one go, on a machine that may be slow; what it was about took five


def routes(app: Litestar) -> set[str]:
    return {
        f"{method} {route.path_format}"
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method in route.methods - {"HEAD", "OPTIONS"}
    }


async def test_every_route_has_a_worst_case(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        assert routes(build_app(registry)) == set(HTTP)


def test_every_message_has_a_worst_case() -> None:
    assert {str(kind.__struct_config__.tag) for kind in get_args(session.ClientMessage)} == set(MESSAGES)


@pytest.fixture
def no_garbage() -> Iterator[None]:
    """Collect no garbage meanwhile: a process that has run a thousand tests has much more to look through."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_garbage")
async def test_worst_cases_do_not_block_the_event_loop(store: Store) -> None:
    held, failed = dict[str, float](), list[str]()
    async with staged(store, "boogie", 5, moves=60, tables=40) as stage:
        for kind, cases in {**MESSAGES, **HTTP}.items():
            for about, ask in cases.items():
                async with Pulse() as pulse:
                    answer = await ask(stage)
                held[f"{kind} {about}"] = pulse.held
                failed += [f"{kind} {about}"] if isinstance(answer, int) and answer >= 500 else []
    assert {case: seconds for case, seconds in held.items() if seconds > MOST_HELD} == {}
    assert failed == []
