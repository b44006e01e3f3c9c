"""How rules tell what happens: an event's type and its fields, so that nothing is built when nobody listens."""

from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from jamboree.core.game import EventListener

E = TypeVar("E", contravariant=True)
P = ParamSpec("P")


class EventSink(Protocol[E]):
    """`tell(DieDrawn, seat, die)`; fields that are costly to find out are asked for only where `tell.heard`."""

    enabled: bool

    def __call__(self, event: Callable[P, E], *fields: P.args, **named: P.kwargs) -> None: ...


class Emitter:
    """Makes events for a listener."""

    enabled = True

    def __init__(self, listener: EventListener[Any]) -> None:
        self.listener = listener

    def __call__(self, event: Callable[..., Any], *fields: Any, **named: Any) -> None:
        self.listener(event(*fields, **named))


def _unheard(event: object, *fields: object) -> None:
    """Tell nobody. A function, because calling one costs half of calling an object."""


NO_EVENTS = cast(EventSink[Any], _unheard)
NO_EVENTS.enabled = False
