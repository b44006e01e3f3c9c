"""Emitting events from rules: an event's type and its fields, so that no event is built when there is no listener."""

from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from jamboree.core.game import EventListener

E = TypeVar("E", contravariant=True)
P = ParamSpec("P")


class EventSink(Protocol[E]):
    """Called as `emit(DieDrawn, seat, die)`. Compute expensive fields only if `emit.enabled`."""

    enabled: bool

    def __call__(self, event: Callable[P, E], *fields: P.args, **named: P.kwargs) -> None: ...


class Emitter:
    """Builds events and passes them to a listener."""

    enabled = True

    def __init__(self, listener: EventListener[Any]) -> None:
        self.listener = listener

    def __call__(self, event: Callable[..., Any], *fields: Any, **named: Any) -> None:
        self.listener(event(*fields, **named))


def _discard(event: object, *fields: object) -> None:
    """Ignore the event. A plain function costs half as much to call as an object with `__call__`."""


NO_EVENTS = cast(EventSink[Any], _discard)
NO_EVENTS.enabled = False
