"""A position as it comes over the wire, turned back into the types of its game."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from jamboree.core.game import Actor, AnyGame, Outcome
from jamboree.core.offers import Caution, Offer
from jamboree.server.protocol.parts import OfferGroup, Position


class Seen(NamedTuple):
    """What one viewer sees and may do."""

    view: Any
    actors: list[Actor]
    offers: list[Offer[Any]]
    outcome: Outcome | None
    question: str


def read_position(data: bytes, game: AnyGame) -> Seen:
    position = msgspec.json.decode(data, type=Position)
    view = msgspec.json.decode(position.view, type=game.info.view)
    offers = [offer for group in position.legal for offer in _offers(group, game)]
    return Seen(view, position.actors, offers, position.outcome, position.question)


def _offers(group: OfferGroup, game: AnyGame) -> Iterator[Offer[Any]]:
    """Write out a group: a row has the values of the fields."""
    for number, row in enumerate(group.rows):
        fields = {"type": group.action, **dict(zip(group.fields, row, strict=True))}
        warned = group.cautions.get(number, [])
        cautions = tuple(Caution(caution.rule, caution.key, caution.params) for caution in warned)
        yield Offer(msgspec.convert(fields, game.info.action), cautions)
