"""Events in sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

from jamboree.core.kit.words import (
    EventContext,
    EventSentences,
    FieldText,
    acting_seat,
    counts_by_player,
    points_by_player,
)
from jamboree.core.words import PlayerNames, join_words

from ..box.components import BOX, CHARACTERS
from ..box.jumps import Jump
from ..box.texts import CATALOGUE
from ..rules import events as e
from ..rules.state import VERDICTS
from .phrases import announce_jump, card_in_sentence, say_card, say_to, say_vow, with_animals


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


def subject_of(event: e.AnyEvent) -> int | None:
    """Return the seat that the texts in `.you` address."""
    match event:
        case e.PlaneBoarded() | e.JumpmasterMoved():
            return event.jumpmaster
        case e.JumpScored(result="success", jumpers=[only]):
            return only
    return acting_seat(event)


def animals_of(context: EventContext) -> PlayerNames:
    """Name players by name and animal; the reader is “you”."""
    names, lang, reader = context.players
    return with_animals(names, lang, reader)


def player(value: int, context: EventContext) -> str:
    return animals_of(context).subject(value)


def players(value: Sequence[int], context: EventContext) -> str:
    """List players; jumpers who get no points are named after “for”."""
    unlucky = isinstance(context.event, e.JumpScored) and context.event.result != "success"
    name = animals_of(context).object if unlucky else animals_of(context).subject
    return join_words([*map(name, value)], context.lang) or "–"


def jump(value: Jump, context: EventContext) -> str:
    """Name a jump; a solo of the subject itself is “their own solo”, or “your own solo”."""
    seat = getattr(context.event, "seat", None)
    if value.solo is not None and value.solo == seat:
        mine = seat == context.players.reader
        return CATALOGUE.say(context.lang, "jump.solo.own-told.you" if mine else "jump.solo.own-told")
    return announce_jump(value, animals_of(context))


def to(value: int | None, context: EventContext) -> str:
    return say_to(value, animals_of(context).object, context.lang)


def card(value: str | None, context: EventContext) -> str:
    """Say a card that is laid; one that is late and turned is “the late 3”."""
    say = say_card if isinstance(context.event, e.LateCardTurned) else card_in_sentence
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
    say = {True: card_in_sentence, False: say_card}
    laid = ((context.players.object(one.seat), say[one.card in CHARACTERS](one.card, context.lang)) for one in value)
    return join_words(
        [CATALOGUE.say(context.lang, "turned", name=name, card=said) for name, said in laid], context.lang
    )


def eyes(value: Sequence[int], context: EventContext) -> str:
    throws = [value[start : start + BOX.dice] for start in range(0, len(value), BOX.dice)]
    return " | ".join(" ".join(map(str, throw)) for throw in throws)


def honesty(tallies: Sequence[e.Honesty], context: EventContext) -> str:
    names = map(context.players.subject, range(len(tallies)))
    counted = zip(names, tallies, strict=True)
    made = [(name, tally) for name, tally in counted if tally.kept + tally.broken + tally.void]
    if not made:
        return CATALOGUE.say(context.lang, "honesty.nobody")
    rows = (
        CATALOGUE.say(context.lang, "honesty.row", name=name, kept=tally.kept, broken=tally.broken, void=tally.void)
        for name, tally in made
    )
    return CATALOGUE.say(context.lang, "honesty.table", rows="; ".join(rows))


def omitted(value: object, context: EventContext) -> str:
    return ""


def more(context: EventContext) -> Mapping[str, object]:
    """Say a promise with what is asked for it."""
    if not isinstance(context.event, e.PromiseMade | e.PromiseJudged | e.ExchangeAsked):
        return {}
    asked = getattr(context.event, "asked", None)
    return {"vow": say_vow(context.event.term, asked, animals_of(context))}


FIELDS: Mapping[str, FieldText] = {
    "seat": player,
    "jumpmaster": player,
    "sure": players,
    "maybe": players,
    "jumpers": players,
    "winners": players,
    "jump": jump,
    "to": to,
    "term": omitted,
    "asked": omitted,
    "honesty": honesty,
    "card": card,
    "cards": cards,
    "verdict": verdict,
    "characters": turned,
    "jumpcards": turned,
    "eyes": eyes,
    "points": points_by_player,
    "totals": counts_by_player,
    "scores": counts_by_player,
}

sentence: EventSentences[Any] = EventSentences(
    catalogue=CATALOGUE, fields=FIELDS, variant=variant_of, count=count_of, more=more, subject=subject_of
)
