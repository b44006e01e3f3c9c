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
from .phrases import Naming, card_in_sentence, naming, say_animal, say_jump, say_to
from .sentences import sentence
from .verdict import decided

ONE_PHRASE = " "  # from a group to its target


def question(view: View, lang: str) -> str:
    """Ask a player what to do now; a promise that was begun is asked for first."""
    own = view.talk[view.viewer] if isinstance(view.viewer, int) else None
    if own and own.draft:
        key = "question.exchange" if own.draft.asked else "question.promise"
        return CATALOGUE.say(lang, key, to=say_to(own.draft.to, lambda seat: say_animal(seat, lang), lang))
    is_ready = isinstance(view.viewer, int) and view.viewer in view.ready
    key = f"question.{view.phase}.said" if is_ready and view.phase in ("plane", "jump") else f"question.{view.phase}"
    return CATALOGUE.say(lang, key, jumprun=view.jumprun)


class Addressee(NamedTuple):
    """To whom an action is put, and how that player hears of the others."""

    seat: int | str | None
    name: Naming


def choice(action: AnyAction, view: View, names: Sequence[str], lang: str) -> Choice:
    return CHOICES[type(action)](action, Addressee(view.viewer, naming(names, lang)), lang)


def _jump(jump: Jump, to: Addressee, lang: str) -> str:
    """Name a jump to a player; the own solo is called so."""
    own = jump.solo is not None and jump.solo == to.seat
    return CATALOGUE.say(lang, "jump.own-solo") if own else say_jump(jump, to.name, lang)


def _play(action: PlayCard, to: Addressee, lang: str) -> Choice:
    """Group plays by their card; the target is the jump."""
    jump = _jump(action.jump, to, lang)
    key = "choice.play-late" if action.after_pull else "choice.play"
    return Choice(CATALOGUE.say(lang, key, card=card_in_sentence(action.card, lang)), jump, ONE_PHRASE)


def _term(key: str) -> ChoiceText:
    def say(action: Promise | AskInExchange, to: Addressee, lang: str) -> Choice:
        term: Term = action.term
        jump = _jump(term.jump, to, lang)
        if term.pledge != "figures":
            return Choice(CATALOGUE.say(lang, f"{key}.{term.pledge}"), jump, ONE_PHRASE)
        return Choice(CATALOGUE.say(lang, f"{key}.figures", jump=jump), str(term.worth), ONE_PHRASE)

    return say


def _promise_to(action: PromiseTo, to: Addressee, lang: str) -> Choice:
    return Choice(CATALOGUE.say(lang, "choice.promise-to"), say_to(action.to, to.name, lang), ONE_PHRASE)


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
    begins=lambda action, view: isinstance(action, PromiseTo | AskInExchange),
    coaching=REASONS,
)
