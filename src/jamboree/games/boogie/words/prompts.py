"""How Boogie Beasts speaks: what is asked, and how actions are put."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from jamboree.core.kit.words import ChoiceText, GameWords, plain
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
from ..visibility.views import View
from .coaching import REASONS
from .notation import draw
from .painting import paint, paint_small
from .parsing import parse
from .phrases import Naming, naming, say_animal, say_jump, say_to, tell_card
from .sentences import sentence
from .verdict import decided

READS_ON = " "  # from a group to its target


def question(seen: View, lang: str) -> str:
    """Ask a player what to do now; a promise that was begun is asked for first."""
    own = seen.talk[seen.viewer] if isinstance(seen.viewer, int) else None
    if own and own.draft:
        key = "question.exchange" if own.draft.asked else "question.promise"
        return CATALOGUE.say(lang, key, to=say_to(own.draft.to, lambda seat: say_animal(seat, lang), lang))
    said = isinstance(seen.viewer, int) and seen.viewer in seen.ready
    key = f"question.{seen.phase}.said" if said and seen.phase in ("plane", "jump") else f"question.{seen.phase}"
    return CATALOGUE.say(lang, key, jumprun=seen.jumprun)


class Listener(NamedTuple):
    """To whom an action is put, and how that player hears of the others."""

    seat: int | str | None
    name: Naming


def choice(action: AnyAction, seen: View, names: Sequence[str], lang: str) -> Choice:
    return CHOICES[type(action)](action, Listener(seen.viewer, naming(names, lang)), lang)


def _jump(jump: Jump, to: Listener, lang: str) -> str:
    """Name a jump to a player; the own solo is called so."""
    own = jump.solo is not None and jump.solo == to.seat
    return CATALOGUE.say(lang, "jump.own-solo") if own else say_jump(jump, to.name, lang)


def _play(action: PlayCard, to: Listener, lang: str) -> Choice:
    """Group plays by their card; the target is the jump."""
    jump = _jump(action.jump, to, lang)
    key = "choice.play-late" if action.after_pull else "choice.play"
    return Choice(CATALOGUE.say(lang, key, card=tell_card(action.card, lang)), jump, READS_ON)


def _term(key: str) -> ChoiceText:
    def say(action: Promise | AskInExchange, to: Listener, lang: str) -> Choice:
        term: Term = action.term
        jump = _jump(term.jump, to, lang)
        if term.pledge != "figures":
            return Choice(CATALOGUE.say(lang, f"{key}.{term.pledge}"), jump, READS_ON)
        return Choice(CATALOGUE.say(lang, f"{key}.figures", jump=jump), str(term.worth), READS_ON)

    return say


def _promise_to(action: PromiseTo, to: Listener, lang: str) -> Choice:
    return Choice(CATALOGUE.say(lang, "choice.promise-to"), say_to(action.to, to.name, lang), READS_ON)


CHOICES: Mapping[type, ChoiceText] = {
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
    begins=lambda action, seen: isinstance(action, PromiseTo | AskInExchange),
    coaching=REASONS,
)
