"""How Bebop speaks: positions drawn and parsed, questions, choices, events in sentences."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jamboree.core.words import Choice, in_a_row, say_counts

from ..box.components import OPEN_MAX
from ..box.dice import Die, Token
from ..rules import events as e
from ..rules.actions import (
    AnyAction,
    BookSeat,
    ClaimSeat,
    DeclineBooking,
    DeclineClaim,
    DrawFromBag,
    KeepDice,
    Pass,
    PerformStage,
    RerollDie,
    TakeFromQueue,
)
from ..rules.setup import Options
from ..seen.views import View
from ..texts import CATALOGUE
from .notation import draw
from .painting import paint
from .reading import parse
from .speech import say_a_die, say_die, say_the_token, say_token

__all__ = [
    "choice",
    "draw",
    "help",
    "paint",
    "parse",
    "question",
    "reason",
    "remarks",
    "rules",
    "sentence",
    "warning",
]

reason, warning, help = CATALOGUE.reason, CATALOGUE.warning, CATALOGUE.help


def question(seen: View, lang: str) -> str:
    """Ask the player whose turn it is for what comes next."""
    open_seats = sum(tile.seat == seen.turn and tile.die is None for tile in seen.tiles)
    key = "question.full" if seen.phase == "turn" and open_seats == OPEN_MAX else f"question.{seen.phase}"
    return CATALOGUE.say(lang, key, hex=seen.insta, stages=", ".join(seen.complete))


def choice(action: AnyAction, seen: View, lang: str) -> Choice:
    return CHOICES[type(action)](action, seen, lang)


def _claim(action: ClaimSeat, seen: View, lang: str) -> Choice:
    tile = CATALOGUE.say(lang, f"tile.{action.tile}")
    key = "choice.claim-face-down" if action.face_down else "choice.claim"
    return Choice(CATALOGUE.say(lang, key, tile=tile), action.hex)


def _book(action: BookSeat, seen: View, lang: str) -> Choice:
    return Choice(CATALOGUE.say(lang, "choice.book", die=_in_hand(action.die, seen, lang)), action.hex)


def _perform(action: PerformStage, seen: View, lang: str) -> Choice:
    tokens = next(stage.tokens for stage in seen.stages if stage.stage == action.stage)
    target = f"{action.stage} ({', '.join(say_token(token, lang) for token in tokens)})"
    return Choice(CATALOGUE.say(lang, "choice.perform"), target)


def _take(action: TakeFromQueue, seen: View, lang: str) -> Choice:
    die = seen.queue[action.place]
    return Choice(CATALOGUE.say(lang, "choice.take"), say_die(die, lang) if die else "-")


def _reroll(action: RerollDie, seen: View, lang: str) -> Choice:
    return Choice(CATALOGUE.say(lang, "choice.reroll"), _in_hand(action.die, seen, lang))


def _in_hand(slot: int, seen: View, lang: str) -> str:
    dice = seen.hands[seen.turn].dice or []
    return say_die(dice[slot], lang) if slot < len(dice) else "?"


def _plain(key: str) -> Callable[[Any, View, str], Choice]:
    return lambda action, seen, lang: Choice(CATALOGUE.say(lang, key), "")


CHOICES: Mapping[type, Callable[[Any, View, str], Choice]] = {
    ClaimSeat: _claim,
    BookSeat: _book,
    PerformStage: _perform,
    TakeFromQueue: _take,
    RerollDie: _reroll,
    DrawFromBag: _plain("choice.draw"),
    DeclineClaim: _plain("choice.decline-claim"),
    DeclineBooking: _plain("choice.decline-booking"),
    KeepDice: _plain("choice.keep"),
    Pass: _plain("choice.pass"),
}


def sentence(event: e.AnyEvent, names: Sequence[str], lang: str) -> str:
    """Tell an event, with where its points came from."""
    values = {field: _say(getattr(event, field), field, names, lang) for field in event.__struct_fields__}
    values["count"] = _count(event)
    if isinstance(event, e.MajorityScored) and event.printed:
        values["counts"] = f"{values['counts']}; {CATALOGUE.say(lang, 'printed', count=event.printed)}"
    return CATALOGUE.say(lang, _key(event), **values)


def _count(event: e.AnyEvent) -> int:
    """Give the number that decides between one and many."""
    if isinstance(event, e.MajorityScored):
        return sum(event.points)
    return getattr(event, "points", 1)


def _key(event: e.AnyEvent) -> str:
    """Choose among the ways an event is told."""
    name = f"event.{type(event).__name__}"
    match event:
        case e.SeatClaimed(face_down=True):
            return f"{name}.face-down"
        case e.FollowUpDeclined():
            return f"{name}.{event.tile}"
        case e.DieRerolled(after=None) | e.DieDrawn(die=None):
            return f"{name}.secret"
        case e.FeatureScored(winners=[]) | e.MajorityScored(winners=[]):
            return f"{name}.nobody"
        case e.FeatureScored(winners=[_, _, *_]):
            return f"{name}.tie-box" if event.token_to is None else f"{name}.tie"
        case e.MajorityScored(winners=[_, _, *_]) | e.GameEnded(winners=[_, _, *_]):
            return f"{name}.shared"
    return name


def _say(value: Any, field: str, names: Sequence[str], lang: str) -> object:
    """Put a field of an event into words."""
    if isinstance(value, Die):
        return say_a_die(value, lang)
    if isinstance(value, Token):
        return say_the_token(value, lang)
    if field in ("seat", "owner", "token_to"):
        return "" if value is None else names[value]
    if field == "colour":
        return CATALOGUE.say(lang, f"coloured.{value}")
    if field == "feature":
        return CATALOGUE.say(lang, f"feature.{value}")
    if field == "tile":
        return CATALOGUE.say(lang, f"a-tile.{value}")
    return _say_list(value, field, names, lang) if isinstance(value, list) else value


def _say_list(value: list[Any], field: str, names: Sequence[str], lang: str) -> str:
    if field == "winners":
        return in_a_row([names[seat] for seat in value], lang)
    if field == "listeners":
        return in_a_row([f"{name} ({len(dice)})" for name, dice in zip(names, value, strict=True) if dice], lang)
    if field in ("counts", "scores", "points"):
        return say_counts(names, value, lang)
    return in_a_row(value, lang)


@lru_cache
def rules(lang: str) -> str:
    """Give the digest of the rules and the rulings."""
    return (files(__package__) / "rules" / f"{lang}.md").read_text(encoding="utf-8")


def remarks(options: Options, lang: str) -> list[str]:
    """Leave nothing to be said about the options of a table."""
    return []
