"""How Boogie Beasts speaks: what is asked, and how actions are put."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jamboree.core.kit.words import GameWords, plain
from jamboree.core.words import Choice

from ..box.jumps import Jump
from ..box.texts import CATALOGUE
from ..rules.actions import (
    AnyAction,
    AskInExchange,
    PlayCard,
    Promise,
    PromiseTo,
    SayDone,
    SayReady,
    Term,
    TimeUp,
    WithdrawReady,
)
from ..rules.events import AnyEvent
from ..seen.views import View
from .coaching import REASONS
from .deciding import decided
from .notation import draw
from .painting import paint, paint_small
from .phrases import Naming, say_animal, say_card, say_jump, say_to
from .reading import parse
from .sentences import sentence

READS_ON = " "  # from a group to its target


def question(seen: View, lang: str) -> str:
    """Ask a player what to do now; a promise that was begun is asked for first."""
    own = seen.talk[seen.viewer] if isinstance(seen.viewer, int) else None
    if own and own.draft:
        key = "question.exchange" if own.draft.asked else "question.promise"
        return CATALOGUE.say(lang, key, to=say_to(own.draft.to, _animals(lang), lang))
    said = isinstance(seen.viewer, int) and seen.viewer in seen.ready
    key = f"question.{seen.phase}.said" if said and seen.phase in ("plane", "jump") else f"question.{seen.phase}"
    return CATALOGUE.say(lang, key, jumprun=seen.jumprun)


def _animals(lang: str) -> Naming:
    return lambda seat: say_animal(seat, lang)


def choice(action: AnyAction, seen: View, names: Sequence[str], lang: str) -> Choice:
    return CHOICES[type(action)](action, seen, lang)


def _jump(jump: Jump, seen: View, lang: str) -> str:
    """Name a jump to a player; the own solo is called so."""
    own = jump.solo is not None and jump.solo == seen.viewer
    return CATALOGUE.say(lang, "jump.own-solo") if own else say_jump(jump, _animals(lang), lang)


def _play(action: PlayCard, seen: View, lang: str) -> Choice:
    """Group plays by their card; the target is the jump."""
    jump = _jump(action.jump, seen, lang)
    key = "choice.play-late" if action.after_pull else "choice.play"
    return Choice(CATALOGUE.say(lang, key, card=say_card(action.card, lang)), jump, READS_ON)


def _term(key: str) -> Callable[[Any, View, str], Choice]:
    def say(action: Promise | AskInExchange, seen: View, lang: str) -> Choice:
        term: Term = action.term
        jump = _jump(term.jump, seen, lang)
        if term.pledge != "figures":
            return Choice(CATALOGUE.say(lang, f"{key}.{term.pledge}"), jump, READS_ON)
        return Choice(CATALOGUE.say(lang, f"{key}.figures", jump=jump), str(term.worth), READS_ON)

    return say


def _promise_to(action: PromiseTo, seen: View, lang: str) -> Choice:
    return Choice(CATALOGUE.say(lang, "choice.promise-to"), say_to(action.to, _animals(lang), lang), READS_ON)


CHOICES: Mapping[type, Callable[[Any, View, str], Choice]] = {
    SayReady: plain(CATALOGUE, "choice.ready"),
    WithdrawReady: plain(CATALOGUE, "choice.unready"),
    PromiseTo: _promise_to,
    Promise: _term("choice.promise"),
    AskInExchange: _term("choice.ask"),
    PlayCard: _play,
    SayDone: plain(CATALOGUE, "choice.done"),
    TimeUp: plain(CATALOGUE, "choice.time-up"),
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
    coaching=REASONS,
)
