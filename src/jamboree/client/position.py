"""Decodes a position from the wire into the types of its game."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from jamboree.core.game import Actor, AnyGame, Outcome
from jamboree.core.offers import Caution, Offer
from jamboree.server.protocol.actions import Legal, parse_mask
from jamboree.server.protocol.parts import Position


class DecodedPosition(NamedTuple):
    """What one viewer sees and may do."""

    view: Any
    actors: list[Actor]
    offers: list[Offer[Any]]
    outcome: Outcome | None
    question: str


def read_position(data: bytes, game: AnyGame, actions: Sequence[Any]) -> DecodedPosition:
    """Decode a position; legal actions are indices into `actions`, the list of all actions."""
    position = msgspec.json.decode(data, type=Position)
    view = msgspec.json.decode(position.view, type=game.info.view)
    offers = list(_offers(position.legal, actions))
    return DecodedPosition(view, position.actors, offers, position.outcome, position.question)


def _offers(legal: Legal, actions: Sequence[Any]) -> Iterator[Offer[Any]]:
    cautions = defaultdict[int, list[Caution]](list)
    for warned in legal.cautions:
        for index in parse_mask(warned.mask):
            cautions[index].append(Caution(warned.rule, warned.key, warned.params))
    for index in parse_mask(legal.mask):
        yield Offer(actions[index], tuple(cautions[index]))
