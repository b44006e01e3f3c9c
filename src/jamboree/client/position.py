"""A position as it comes over the wire, turned back into the types of its game."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from jamboree.core.game import Actor, AnyGame, Outcome
from jamboree.core.offers import Caution, Offer
from jamboree.server.protocol.actions import Legal, parse_mask
from jamboree.server.protocol.parts import Position


class Seen(NamedTuple):
    """What one viewer sees and may do."""

    view: Any
    actors: list[Actor]
    offers: list[Offer[Any]]
    outcome: Outcome | None
    question: str


def read_position(data: bytes, game: AnyGame, actions: Sequence[Any]) -> Seen:
    """Read a position; the actions are all there can be, by their places."""
    position = msgspec.json.decode(data, type=Position)
    view = msgspec.json.decode(position.view, type=game.info.view)
    return Seen(view, position.actors, list(_offers(position.legal, actions)), position.outcome, position.question)


def _offers(legal: Legal, actions: Sequence[Any]) -> Iterator[Offer[Any]]:
    """Write out what is legal, each with its warnings."""
    cautions = defaultdict[int, list[Caution]](list)
    for warned in legal.cautions:
        for place in parse_mask(warned.places):
            cautions[place].append(Caution(warned.rule, warned.key, warned.params))
    for place in parse_mask(legal.places):
        yield Offer(actions[place], tuple(cautions[place]))
