"""How Boogie Beasts speaks: positions drawn and parsed, questions, choices, events in sentences."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jamboree.core.words import Choice, in_a_row, say_counts

from ..box.components import BOX
from ..box.jumps import Jump
from ..rules import events as e
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
from ..rules.setup import Options
from ..rules.state import VERDICTS
from ..seen.views import View
from ..texts import CATALOGUE
from .notation import draw
from .painting import paint
from .reading import parse
from .speech import Naming, naming, say_animal, say_card, say_jump, say_to, say_vow

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


def choice(action: AnyAction, seen: View, lang: str) -> Choice:
    return CHOICES[type(action)](action, seen, lang)


def _jump(jump: Jump, seen: View, lang: str) -> str:
    """Name a jump to a player; the own solo is called so."""
    own = jump.solo is not None and jump.solo == seen.viewer
    return CATALOGUE.say(lang, "jump.own-solo") if own else say_jump(jump, _animals(lang), lang)


def _play(action: PlayCard, seen: View, lang: str) -> Choice:
    """Group plays by their card; the target is the jump."""
    jump = _jump(action.jump, seen, lang)
    key = "choice.play-late" if action.after_pull else "choice.play"
    return Choice(CATALOGUE.say(lang, key, card=say_card(action.card, lang)), jump)


def _term(key: str) -> Callable[[Any, View, str], Choice]:
    def say(action: Promise | AskInExchange, seen: View, lang: str) -> Choice:
        term: Term = action.term
        jump = _jump(term.jump, seen, lang)
        if term.pledge != "figures":
            return Choice(CATALOGUE.say(lang, f"{key}.{term.pledge}"), jump)
        return Choice(CATALOGUE.say(lang, f"{key}.figures", jump=jump), str(term.worth))

    return say


def _promise_to(action: PromiseTo, seen: View, lang: str) -> Choice:
    return Choice(CATALOGUE.say(lang, "choice.promise-to"), say_to(action.to, _animals(lang), lang))


def _plain(key: str) -> Callable[[Any, View, str], Choice]:
    return lambda action, seen, lang: Choice(CATALOGUE.say(lang, key), "")


CHOICES: Mapping[type, Callable[[Any, View, str], Choice]] = {
    SayReady: _plain("choice.ready"),
    WithdrawReady: _plain("choice.unready"),
    PromiseTo: _promise_to,
    Promise: _term("choice.promise"),
    AskInExchange: _term("choice.ask"),
    PlayCard: _play,
    SayDone: _plain("choice.done"),
    TimeUp: _plain("choice.time-up"),
}


def sentence(event: e.AnyEvent, names: Sequence[str], lang: str) -> str:
    """Tell an event."""
    name = naming(names, lang)
    values = {field: _say(getattr(event, field), field, names, lang) for field in event.__struct_fields__}
    if isinstance(event, e.PromiseMade | e.PromiseJudged | e.ExchangeAsked):
        values["vow"] = say_vow(event.term, getattr(event, "asked", None), name, lang)
    if isinstance(event, e.GameEnded):
        values["honesty"] = _honesty(event.honesty, names, lang)
    jump = getattr(event, "jump", None)
    if jump and jump.solo is not None and jump.solo == getattr(event, "seat", None):
        values["jump"] = CATALOGUE.say(lang, "jump.solo.own-told")
    values["count"] = _count(event)
    return CATALOGUE.say(lang, _key(event), **values)


def _count(event: e.AnyEvent) -> int:
    """Give the number that decides between one and many."""
    match event:
        case e.JumpScored():
            return len(event.jumpers)
        case e.CardsDealt() | e.DeckReshuffled():
            return event.count
        case e.OddsWeighed() | e.DifficultySet():
            return event.dice
        case e.PromiseBegun():
            return event.left
    return 1


def _key(event: e.AnyEvent) -> str:
    """Choose among the ways an event is told."""
    name = f"event.{type(event).__name__}"
    match event:
        case e.CardsDealt(cards=[_, *_]) | e.ReadyWithdrawn(left=0) | e.CardLaid(card=str()) | e.CardLate(card=str()):
            return f"{name}.own" if not isinstance(event, e.ReadyWithdrawn) else f"{name}.last"
        case e.CardsDealt(count=0):
            return f"{name}.none"
        case e.JumpCalled(by_clock=True) | e.PullCalled(by_clock=True):
            return f"{name}.clock"
        case e.CardLaid(character=True) | e.CardLate(character=True) | e.LateCardTurned(card=None):
            return f"{name}.character"
        case e.CardsTurned(characters=[]):
            return f"{name}.nobody"
        case e.CardsTurned(jumpcards=[]) | e.CharactersRemoved(late=True) | e.PromiseMade(to=int()):
            return f"{name}.{_variant(event)}"
        case e.JumpersCounted() | e.PromiseJudged(verdict="void"):
            return f"{name}.{event.verdict}"
        case e.JumpScored():
            return f"{name}.{event.result}"
        case e.GameEnded(winners=[_, _, *_]):
            return f"{name}.shared"
    return name


def _variant(event: e.AnyEvent) -> str:
    return {e.CardsTurned: "bare", e.CharactersRemoved: "late", e.PromiseMade: "private"}[type(event)]


def _say(value: Any, field: str, names: Sequence[str], lang: str) -> object:
    """Put a field of an event into words."""
    name = naming(names, lang)
    if field == "jump":
        return say_jump(value, name, lang, "jump.solo.told")
    if field in ("seat", "jumpmaster"):
        return name(value)
    if field == "to":
        return say_to(value, name, lang)
    if field in ("term", "asked", "honesty"):
        return ""
    if field == "card":
        return say_card(value, lang) if value else ""
    if field == "verdict" and value in VERDICTS:
        return CATALOGUE.say(lang, f"verdict.{value}")
    return _say_list(value, field, names, lang) if isinstance(value, list) else value


def _say_list(value: list[Any], field: str, names: Sequence[str], lang: str) -> str:
    if field in ("sure", "maybe", "jumpers", "winners"):
        return in_a_row([*map(naming(names, lang), value)], lang) or "–"
    if field in ("points", "totals", "scores"):
        return say_counts(names, value, lang)
    if field in ("characters", "jumpcards") or (value and isinstance(value[0], e.Turned)):
        cards = ((names[turned.seat], say_card(turned.card, lang)) for turned in value)
        return in_a_row([CATALOGUE.say(lang, "turned", name=name, card=card) for name, card in cards], lang)
    if field == "eyes":
        throws = [value[start : start + BOX.dice] for start in range(0, len(value), BOX.dice)]
        return " | ".join(" ".join(map(str, throw)) for throw in throws)
    return " ".join(say_card(item, lang) for item in value)


def _honesty(tallies: Sequence[e.Honesty], names: Sequence[str], lang: str) -> str:
    made = [(name, tally) for name, tally in zip(names, tallies, strict=True) if tally.kept + tally.broken + tally.void]
    if not made:
        return CATALOGUE.say(lang, "honesty.nobody")
    rows = (
        CATALOGUE.say(lang, "honesty.row", name=name, kept=tally.kept, broken=tally.broken, void=tally.void)
        for name, tally in made
    )
    return CATALOGUE.say(lang, "honesty.table", rows="; ".join(rows))


@lru_cache
def rules(lang: str) -> str:
    """Give the digest of the rules and the rulings."""
    return (files(__package__) / "rules" / f"{lang}.md").read_text(encoding="utf-8")


def remarks(options: Options, lang: str) -> list[str]:
    """Leave nothing to be said about the options of a table."""
    return []
