"""Table codes: short, tolerant of spelling, and protected against guessing."""

import random
from collections.abc import Callable

import pytest

from jamboree.server import tokens
from jamboree.server.edge.addresses import Proxies
from jamboree.server.edge.rate_limits import GUESSES, GUESSES_OF_A_SITE, JOINING_FROM, RateLimits
from jamboree.server.http import auth
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store.store import Store
from jamboree.server.tokens import CODE_LETTERS, new_code

from ..bench.local import a_registry
from ..bench.online import HOST, online

TABLES = "/api/v1/tables"


def test_a_code_is_pronounceable() -> None:
    codes = [new_code() for _ in range(1000)]
    assert {len(code) for code in codes} == {6}
    assert set("".join(codes)) <= set(CODE_LETTERS)
    assert not set(CODE_LETTERS) & set("ilou0123456789"), "none is taken for another"


@pytest.mark.parametrize("written", ["{}", " {} ", "{}".upper(), "{0[0]}{0[1]}{0[2]} {0[3]}{0[4]}{0[5]}", "{0[0]}-{0}"])
async def test_codes_are_normalized(store: Store, written: str) -> None:
    async with a_registry(store) as registry:
        code, _ = await registry.open(OpenTable(game="high-card", seats=2, name="Ada", listed=False))
        text = f"{code[:3]}-{code[3:]}" if "0[0]}-" in written else written.format(code)
        for each in (text, text.upper()):
            assert (await registry.table(each)).code == code


async def test_a_used_code_is_not_reused(store: Store) -> None:
    async with a_registry(store) as registry:
        with tokens.drawing_from(random.Random(1)):
            first, _ = await registry.open(OpenTable(game="high-card", seats=2, name="Ada", listed=False))
        with tokens.drawing_from(random.Random(1)):
            second, _ = await registry.open(OpenTable(game="high-card", seats=2, name="Bob", listed=False))
        assert first != second
        assert (await registry.table(first)).state.roster.people["p1"].name == "Ada"


async def test_codes_of_earlier_formats_work(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_registry(store) as registry:
        monkeypatch.setattr(registry, "new_code", lambda: "ab2cd3ef4g")
        await registry.open(OpenTable(game="high-card", seats=2, name="Ada", listed=False))
    async with a_registry(store) as registry:
        assert (await registry.table("AB2CD 3EF4G")).code == "ab2cd3ef4g"


async def test_guessing_codes_is_rate_limited(store: Store) -> None:
    async with online(store, limits=RateLimits()) as server:
        ada, _ = await server.seated()
        path, bearer = f"{TABLES}/{ada['table']}", f"Bearer {ada['token']}"
        for number in range(GUESSES.limit):
            assert (await server.get(f"{TABLES}/none{number}")).status == 404
        assert (await server.get(f"{TABLES}/nonesuch")).status == 429
        assert (await server.get(path)).status == 429, "a right guess looks like a wrong one"
        assert (await server.get(path, authorization=bearer)).status == 200, "players go on"


async def test_guessing_from_one_ipv6_prefix_is_rate_limited(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Providers assign 48-bit prefixes, and each of its sites could try sixty codes."""
    monkeypatch.setattr(auth, "THROTTLE_DELAY", 0.0)
    limits = RateLimits(now=lambda: 1000.0)
    async with online(store, limits=limits, proxies=Proxies([HOST])) as server:
        ada, _ = await server.seated()
        path, bearer = f"{TABLES}/{ada['table']}", f"Bearer {ada['token']}"
        server.app.state.limits.guesses_of_sites.spend("2001:db8:1::/48", GUESSES_OF_A_SITE.limit - 3)
        asked = [f"2001:db8:1:{number:x}::7" for number in range(4)]
        answers = [await server.get(f"{TABLES}/nonesuch", **{"x-forwarded-for": each}) for each in asked]
        assert [answer.status for answer in answers] == [404, 404, 404, 429]
        assert (await server.get(path, **{"x-forwarded-for": "2001:db8:1:9::7"})).status == 429
        assert (await server.get(path, authorization=bearer, **{"x-forwarded-for": "2001:db8:1:9::7"})).status == 200
        for elsewhere in ("2001:db8:2::7", "192.0.2.7"):
            assert (await server.get(path, **{"x-forwarded-for": elsewhere})).status == 200


async def test_a_seat_at_another_table_does_not_permit_guessing(store: Store) -> None:
    """Anybody can open a table of their own; with its cookie they could have tried out thousands of codes."""
    async with online(store, limits=RateLimits(now=lambda: 1000.0)) as server:
        ada, _ = await server.seated()
        cookie = f"jamboree-{ada['table']}={ada['token']}"
        for number in range(GUESSES.limit):
            assert (await server.get(f"{TABLES}/none{number}", cookie=cookie)).status == 404
        assert (await server.get(f"{TABLES}/nonesuch", cookie=cookie)).status == 429
        for written in (ada["table"], ada["table"].upper()):
            assert (await server.get(f"{TABLES}/{written}", cookie=cookie)).status == 200, "it is their own table"


@pytest.mark.parametrize("written", [str.upper, lambda code: f"{code[:3]}-{code[3:]}"])
async def test_every_route_normalizes_codes(store: Store, written: Callable[[str], str]) -> None:
    async with online(store) as server:
        ada, _ = await server.seated()
        path, bearer = f"{TABLES}/{written(ada['table'])}", f"Bearer {ada['token']}"
        assert (await server.get(f"{path}/log", authorization=bearer)).status == 200
        assert (await server.get(f"{path}/invite")).body["link"].endswith(f"/{ada['table']}")
        assert (await server.post(f"{path}/leave", authorization=bearer)).status == 204


async def test_other_spellings_do_not_evade_the_join_limit(store: Store) -> None:
    async with online(store, limits=RateLimits(now=lambda: 1000.0)) as server:
        ada, _ = await server.seated()
        codes = [ada["table"], ada["table"].upper()]
        statuses = [
            (await server.post(f"{TABLES}/{codes[number % 2]}/join", {"name": f"N{number}", "watch": True})).status
            for number in range(JOINING_FROM.limit + 1)
        ]
        assert statuses[-1] == 429
