"""How Bebop speaks: what is asked, and how actions are put."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jamboree.core.kit.words import GameWords, plain
from jamboree.core.words import Choice

from ..box.components import OPEN_MAX
from ..box.texts import CATALOGUE
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
from ..rules.events import AnyEvent
from ..visibility.views import View
from .coaching import REASONS
from .notation import draw
from .painting import paint, paint_small
from .parsing import parse
from .phrases import say_die, say_token
from .sentences import sentence
from .verdict import decided


def question(seen: View, lang: str) -> str:
    """Ask the player whose turn it is for what comes next."""
    key = "question.full" if seen.phase == "turn" and _is_full(seen) else f"question.{seen.phase}"
    return CATALOGUE.say(lang, key, hex=seen.insta, stages=", ".join(seen.complete))


def _is_full(seen: View) -> bool:
    """Tell whether the player whose turn it is has as many open seats as one may have."""
    return sum(tile.seat == seen.turn and tile.die is None for tile in seen.tiles) == OPEN_MAX


def choice(action: AnyAction, seen: View, names: Sequence[str], lang: str) -> Choice:
    return CHOICES[type(action)](action, seen, lang)


def goes_on(action: AnyAction, seen: View) -> bool:
    """Tell whether a seat lets its player claim or book at once."""
    return isinstance(action, ClaimSeat) and action.tile in ("double", "insta") and not action.face_down


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


CHOICES: Mapping[type, Callable[[Any, View, str], Choice]] = {
    ClaimSeat: _claim,
    BookSeat: _book,
    PerformStage: _perform,
    TakeFromQueue: _take,
    RerollDie: _reroll,
    DrawFromBag: plain(CATALOGUE, "choice.draw"),
    DeclineClaim: plain(CATALOGUE, "choice.decline-claim"),
    DeclineBooking: plain(CATALOGUE, "choice.decline-booking"),
    KeepDice: plain(CATALOGUE, "choice.keep"),
    Pass: plain(CATALOGUE, "choice.pass"),
}


WORDS: GameWords[AnyAction, AnyEvent, View] = GameWords(
    catalogue=CATALOGUE,
    draw=draw,
    parse=parse,
    paint=paint,
    paint_small=paint_small,
    question=question,
    choice=choice,
    sentence=sentence,
    decided=decided,
    begins=goes_on,
    coaching=REASONS,
)
