"""Events as sentences, with the source of their points."""

from collections.abc import Mapping
from typing import Any

from jamboree.core.kit.words import (
    EventContext,
    EventSentences,
    FieldText,
    acting_seat,
    counts_by_player,
    from_catalogue,
    player_name,
    player_names,
    player_object,
    points_by_player,
)

from ..box.dice import Die
from ..box.texts import CATALOGUE
from ..rules import events as e
from .phrases import say_a_die, say_the_token


def count_of(event: e.AnyEvent) -> int:
    """Return the number that selects the plural form."""
    if isinstance(event, e.MajorityScored):
        return sum(event.points)
    return getattr(event, "points", 1)


def variant_of(event: e.AnyEvent) -> str:
    """Select the variant of an event's text."""
    match event:
        case e.SeatClaimed(face_down=True):
            return "face-down"
        case e.FollowUpDeclined():
            return event.tile
        case e.DieRerolled(after=None) | e.DieDrawn(die=None):
            return "secret"
        case e.FeatureScored(winners=[]) | e.MajorityScored(winners=[]):
            return "nobody"
        case e.FeatureScored(winners=[_, _, *_]):
            return "tie-box" if event.token_to is None else "tie"
        case e.MajorityScored(winners=[_, _, *_]) | e.GameEnded(winners=[_, _, *_]):
            return "shared"
    return ""


def subject_of(event: e.AnyEvent) -> int | None:
    """Return the seat that the texts in `.you` address; of a shared feature, whoever gets the token."""
    return event.token_to if isinstance(event, e.FeatureScored) else acting_seat(event)


def die(value: Die | None, context: EventContext) -> object:
    return value and say_a_die(value, context.lang)


def listeners(value: list[list[str]], context: EventContext) -> str:
    counted = zip(context.players.objects(), value, strict=True)
    return ", ".join(f"{name} {len(dice)}" for name, dice in counted if dice)


def counts(value: list[int], context: EventContext) -> str:
    text = counts_by_player(value, context)
    printed = context.event.printed
    return f"{text}; {CATALOGUE.say(context.lang, 'printed', count=printed)}" if printed else text


FIELDS: Mapping[str, FieldText] = {
    "seat": player_name,
    "owner": player_object,
    "token_to": player_name,
    "winners": player_names,
    "scores": counts_by_player,
    "die": die,
    "before": die,
    "after": die,
    "token": lambda value, context: say_the_token(value, context.lang),
    "points": points_by_player,
    "listeners": listeners,
    "counts": counts,
    "colour": from_catalogue(CATALOGUE, "coloured"),
    "feature": from_catalogue(CATALOGUE, "feature"),
    "tile": from_catalogue(CATALOGUE, "a-tile"),
}

sentence: EventSentences[Any] = EventSentences(
    catalogue=CATALOGUE, fields=FIELDS, variant=variant_of, count=count_of, subject=subject_of
)
