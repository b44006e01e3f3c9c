"""Events in sentences."""

from collections.abc import Mapping
from typing import Any

from jamboree.core.kit.words import (
    EventContext,
    EventSentences,
    FieldText,
    counts_by_player,
    player_name,
    player_names,
    player_object,
)
from jamboree.core.words import format_date, join_words

from ..box.crate import Song
from ..box.dancers import Dancer
from ..box.texts import CATALOGUE
from ..rules import events as e
from .phrases import say_bpm, say_card, say_dancer, say_effect


def count_of(event: e.AnyEvent) -> int:
    return len(event.superfans) if isinstance(event, e.ComboScored) else getattr(event, "count", 1)


def variant_of(event: e.AnyEvent) -> str:
    """Choose among the ways an event is told."""
    match event:
        case e.SetlistSealed(discarded=None) | e.SongDealt(song=None) | e.HypeDrawn(cards=None) | e.SongCued(song=None):
            return "secret"
        case e.RoundBegan(extra=True):
            return "extra"
        case e.BallMoved(dancer=None):
            return "gap"
        case e.HypeRevealed(under=str()):
            return "under"
        case e.HypeRevealed(seat=int()):
            return "picked"
        case e.FloorShifted():
            return event.how
        case e.StepDeclined():
            return event.step
        case e.FloorFilled(newcomers=[]):
            return "nobody"
        case e.FloorFilled(gaps=[_, *_]):
            return "gaps"
        case e.TokenPlaced() if event.seat != event.owner:
            return "gift"
        case e.ComboScored(kept=None):
            return "dive"
        case e.GameEnded(winners=[_, _, *_]):
            return "shared"
    return ""


def say_song(song: Song, lang: str, key: str = "song") -> str:
    colour, action = CATALOGUE.say(lang, f"colour.{song.colour}"), CATALOGUE.say(lang, f"action.{song.action}")
    bpm, released = say_bpm(song.bpm, lang), format_date(song.released, lang)
    printed = {"title": song.title, "artist": song.artist, "bpm": bpm, "released": released}
    return CATALOGUE.say(lang, key, **printed, colour=colour, action=action)


def _songs(value: list[Song], context: EventContext) -> str:
    """Say everybody's song; the event tells whether it is played or passed on."""
    key = "song.played" if isinstance(context.event, e.SongsDropped) else "song.passed"
    return " ".join(_about(context, seat, key, song=say_song(song, context.lang)) for seat, song in enumerate(value))


def _about(context: EventContext, seat: int, key: str, **params: object) -> str:
    """Render a text about a seat; for the reader's own it is the text in `.you`."""
    key = f"{key}.you" if seat == context.players.reader else key
    return CATALOGUE.say(context.lang, key, seat=context.players.subject(seat), **params)


def _dancer(value: Dancer | None, context: EventContext) -> object:
    cell: str = getattr(context.event, "cell", "")
    return value and say_dancer(value, context.lang, "the-dancer" if cell else "a-dancer", cell)


def _order(value: list[int], context: EventContext) -> str:
    return ", ".join(context.players.subject(seat) for seat in value)


def _song(value: Song | None, context: EventContext) -> str:
    return "" if value is None else say_song(value, context.lang, "song.short")


def _discarded(value: list[Song] | None, context: EventContext) -> str:
    return join_words([say_song(song, context.lang, "song.short") for song in value or []], context.lang)


def _cards(value: list[str] | None, context: EventContext) -> str:
    return join_words([say_card(card, context.lang) for card in value or []], context.lang)


def _card(value: str | None, context: EventContext) -> str:
    return "" if value is None else say_card(value, context.lang)


def _newcomers(value: list[e.Newcomer], context: EventContext) -> str:
    return join_words([say_dancer(each.dancer, context.lang, "newcomer", each.cell) for each in value], context.lang)


def _lines(value: list[e.Prospect], context: EventContext) -> str:
    """Tell whose fans are in lines, with the superfans they would make."""
    return "".join(
        _about(context, seat, "lines", cells=join_words(line.cells, context.lang), count=line.superfans)
        for seat, line in enumerate(value)
        if line.cells
    )


def _hop(value: str | None, context: EventContext) -> str:
    return "" if value is None else CATALOGUE.say(context.lang, "hop", hop=value)


def _quests(value: list[str], context: EventContext) -> str:
    quest_texts = (CATALOGUE.say(context.lang, f"quest.{quest}") for quest in value)
    wishes = (
        CATALOGUE.say(context.lang, "quest-of", seat=context.players.subject(seat), quest=quest)
        for seat, quest in enumerate(quest_texts)
    )
    return join_words([*wishes], context.lang)


FIELDS: Mapping[str, FieldText] = {
    "seat": player_name,
    "owner": player_object,
    "order": _order,
    "winners": player_names,
    "leaders": player_names,
    "song": _song,
    "discarded": _discarded,
    "cards": _cards,
    "card": _card,
    "under": _card,
    "newcomers": _newcomers,
    "lines": _lines,
    "hop": _hop,
    "scores": counts_by_player,
    "quests": _quests,
    "songs": _songs,
    "dancer": _dancer,
}


def more(context: EventContext) -> Mapping[str, object]:
    return {"text": say_effect(context.event.card, context.lang)} if isinstance(context.event, e.HypeRevealed) else {}


sentence: EventSentences[Any] = EventSentences(
    catalogue=CATALOGUE, fields=FIELDS, variant=variant_of, count=count_of, more=more
)
