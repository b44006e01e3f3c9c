"""Events in sentences, with where their points came from."""

from collections.abc import Mapping
from typing import Any

from jamboree.core.kit.words import Said, Sentences, Told, a_name, a_word, counts_by_name, names_in_a_row
from jamboree.core.words import in_a_row

from ..box.dice import Die
from ..box.texts import CATALOGUE
from ..rules import events as e
from .phrases import say_a_die, say_the_token


def count_of(event: e.AnyEvent) -> int:
    """Give the number that decides between one and many."""
    if isinstance(event, e.MajorityScored):
        return sum(event.points)
    return getattr(event, "points", 1)


def variant_of(event: e.AnyEvent) -> str:
    """Choose among the ways an event is told."""
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


def die(value: Die | None, told: Told) -> object:
    return value and say_a_die(value, told.lang)


def points(value: int | list[int], told: Told) -> object:
    return counts_by_name(value, told) if isinstance(value, list) else value


def listeners(value: list[list[str]], told: Told) -> str:
    counted = zip(told.names, value, strict=True)
    return in_a_row([f"{name} ({len(dice)})" for name, dice in counted if dice], told.lang)


def counts(value: list[int], told: Told) -> str:
    said = counts_by_name(value, told)
    printed = told.event.printed
    return f"{said}; {CATALOGUE.say(told.lang, 'printed', count=printed)}" if printed else said


FIELDS: Mapping[str, Said] = {
    "seat": a_name,
    "owner": a_name,
    "token_to": a_name,
    "winners": names_in_a_row,
    "scores": counts_by_name,
    "die": die,
    "before": die,
    "after": die,
    "token": lambda value, told: say_the_token(value, told.lang),
    "points": points,
    "listeners": listeners,
    "counts": counts,
    "colour": a_word(CATALOGUE, "coloured"),
    "feature": a_word(CATALOGUE, "feature"),
    "tile": a_word(CATALOGUE, "a-tile"),
}

sentence: Sentences[Any] = Sentences(catalogue=CATALOGUE, fields=FIELDS, variant=variant_of, count=count_of)
