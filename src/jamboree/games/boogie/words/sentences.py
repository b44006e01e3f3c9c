"""Events in sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

from jamboree.core.kit.words import EventContext, EventSentences, FieldText, counts_by_player
from jamboree.core.words import join_words

from ..box.components import BOX, CHARACTERS
from ..box.jumps import Jump
from ..box.texts import CATALOGUE
from ..rules import events as e
from ..rules.state import VERDICTS
from .phrases import naming, say_card, say_jump, say_to, say_vow, tell_card


def count_of(event: e.AnyEvent) -> int:
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


def variant_of(event: e.AnyEvent) -> str:
    """Choose among the ways an event is told."""
    match event:
        case e.CardsDealt(cards=[_, *_]) | e.ReadyWithdrawn(left=0) | e.CardLaid(card=str()) | e.CardLate(card=str()):
            return "own" if not isinstance(event, e.ReadyWithdrawn) else "last"
        case e.CardsDealt(count=0):
            return "none"
        case e.JumpCalled(by_clock=True) | e.PullCalled(by_clock=True):
            return "clock"
        case e.CardLaid(character=True) | e.CardLate(character=True) | e.LateCardTurned(card=None):
            return "character"
        case e.CardsTurned(characters=[]):
            return "nobody"
        case e.CardsTurned(jumpcards=[]) | e.CharactersRemoved(late=True) | e.PromiseMade(to=int()):
            return _variant(event)
        case e.JumpersCounted() | e.PromiseJudged(verdict="void"):
            return event.verdict
        case e.JumpScored():
            return event.result
        case e.GameEnded(winners=[_, _, *_]):
            return "shared"
    return ""


def _variant(event: e.AnyEvent) -> str:
    return {e.CardsTurned: "bare", e.CharactersRemoved: "late", e.PromiseMade: "private"}[type(event)]


def a_beast(value: int, context: EventContext) -> str:
    return naming(context.names, context.lang)(value)


def beasts(value: Sequence[int], context: EventContext) -> str:
    return join_words([*map(naming(context.names, context.lang), value)], context.lang) or "–"


def jump(value: Jump, context: EventContext) -> str:
    if value.solo is not None and value.solo == getattr(context.event, "seat", None):
        return CATALOGUE.say(context.lang, "jump.solo.own-told")
    return say_jump(value, naming(context.names, context.lang), context.lang, "jump.solo.told")


def to(value: int | None, context: EventContext) -> str:
    return say_to(value, naming(context.names, context.lang), context.lang)


def card(value: str | None, context: EventContext) -> str:
    """Say a card that is laid; one that is late and turned is “the late 3”."""
    say = say_card if isinstance(context.event, e.LateCardTurned) else tell_card
    return say(value, context.lang) if value else ""


def cards(value: Sequence[Any] | None, context: EventContext) -> object:
    """Say cards, with who laid them where the jury turned them."""
    if not value or isinstance(value[0], e.Turned):
        return turned(value or (), context)
    return " ".join(say_card(one, context.lang) for one in value)


def verdict(value: str, context: EventContext) -> str:
    return CATALOGUE.say(context.lang, f"verdict.{value}") if value in VERDICTS else value


def turned(value: Sequence[e.Turned], context: EventContext) -> str:
    """Say who laid what: characters by name, jumpcards as they are printed."""
    say = {True: tell_card, False: say_card}
    laid = ((context.names[one.seat], say[one.card in CHARACTERS](one.card, context.lang)) for one in value)
    return join_words(
        [CATALOGUE.say(context.lang, "turned", name=name, card=said) for name, said in laid], context.lang
    )


def eyes(value: Sequence[int], context: EventContext) -> str:
    throws = [value[start : start + BOX.dice] for start in range(0, len(value), BOX.dice)]
    return " | ".join(" ".join(map(str, throw)) for throw in throws)


def points(value: int | list[int], context: EventContext) -> object:
    return counts_by_player(value, context) if isinstance(value, list) else value


def honesty(tallies: Sequence[e.Honesty], context: EventContext) -> str:
    counted = zip(context.names, tallies, strict=True)
    made = [(name, tally) for name, tally in counted if tally.kept + tally.broken + tally.void]
    if not made:
        return CATALOGUE.say(context.lang, "honesty.nobody")
    rows = (
        CATALOGUE.say(context.lang, "honesty.row", name=name, kept=tally.kept, broken=tally.broken, void=tally.void)
        for name, tally in made
    )
    return CATALOGUE.say(context.lang, "honesty.table", rows="; ".join(rows))


def unsaid(value: object, context: EventContext) -> str:
    return ""


def more(context: EventContext) -> Mapping[str, object]:
    """Say a promise with what is asked for it."""
    if not isinstance(context.event, e.PromiseMade | e.PromiseJudged | e.ExchangeAsked):
        return {}
    asked = getattr(context.event, "asked", None)
    return {"vow": say_vow(context.event.term, asked, naming(context.names, context.lang), context.lang)}


FIELDS: Mapping[str, FieldText] = {
    "seat": a_beast,
    "jumpmaster": a_beast,
    "sure": beasts,
    "maybe": beasts,
    "jumpers": beasts,
    "winners": beasts,
    "jump": jump,
    "to": to,
    "term": unsaid,
    "asked": unsaid,
    "honesty": honesty,
    "card": card,
    "cards": cards,
    "verdict": verdict,
    "characters": turned,
    "jumpcards": turned,
    "eyes": eyes,
    "points": points,
    "totals": counts_by_player,
    "scores": counts_by_player,
}

sentence: EventSentences[Any] = EventSentences(
    catalogue=CATALOGUE, fields=FIELDS, variant=variant_of, count=count_of, more=more
)
