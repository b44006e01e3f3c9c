"""Emitting events: built for listeners only."""

from typing import Any

import msgspec

from jamboree.core.game import ignore_events
from jamboree.core.kit.events import NO_EVENTS, Emitter


class DieDrawn(msgspec.Struct, frozen=True):
    seat: int
    die: str = "red"


def test_an_emitted_event_reaches_the_listener() -> None:
    events = list[Any]()
    emit = Emitter(events.append)
    assert emit.enabled
    emit(DieDrawn, 1)
    emit(DieDrawn, 2, die="green")
    assert events == [DieDrawn(1), DieDrawn(2, "green")]


def test_without_a_listener_no_event_is_created() -> None:
    built = list[int]()

    def event(seat: int) -> DieDrawn:
        built.append(seat)
        return DieDrawn(seat)

    assert not NO_EVENTS.enabled
    NO_EVENTS(event, 1)
    assert not built
    Emitter(ignore_events)(event, 2)
    assert built == [2]
