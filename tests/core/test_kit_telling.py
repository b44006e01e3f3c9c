"""Telling events: built for listeners, and not at all where nobody listens."""

from typing import Any

import msgspec

from jamboree.core.game import quiet
from jamboree.core.kit.telling import UNHEARD, Heard


class DieDrawn(msgspec.Struct, frozen=True):
    seat: int
    die: str = "red"


def test_listeners_get_the_event() -> None:
    events = list[Any]()
    tell = Heard(events.append)
    assert tell.heard
    tell(DieDrawn, 1)
    tell(DieDrawn, 2, die="green")
    assert events == [DieDrawn(1), DieDrawn(2, "green")]


def test_nothing_is_built_where_nobody_listens() -> None:
    built = list[int]()

    def event(seat: int) -> DieDrawn:
        built.append(seat)
        return DieDrawn(seat)

    assert not UNHEARD.heard
    UNHEARD(event, 1)
    assert not built
    Heard(quiet)(event, 2)
    assert built == [2]
