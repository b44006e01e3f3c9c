"""Events in sentences."""

from collections.abc import Mapping
from typing import Any

from jamboree.core.kit.words import Said, Sentences, Told, a_name, counts_by_name, names_in_a_row
from jamboree.core.words import in_a_row, say_date

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
    bpm, released = say_bpm(song.bpm, lang), say_date(song.released, lang)
    printed = {"title": song.title, "artist": song.artist, "bpm": bpm, "released": released}
    return CATALOGUE.say(lang, key, **printed, colour=colour, action=action)


def _songs(value: list[Song], told: Told) -> str:
    """Say everybody's song; the event tells whether it is played or passed on."""
    key = "song.played" if isinstance(told.event, e.SongsDropped) else "song.passed"
    said = zip(told.names, (say_song(song, told.lang) for song in value), strict=True)
    return " ".join(CATALOGUE.say(told.lang, key, seat=name, song=song) for name, song in said)


def _dancer(value: Dancer | None, told: Told) -> object:
    cell: str = getattr(told.event, "cell", "")
    return value and say_dancer(value, told.lang, "the-dancer" if cell else "a-dancer", cell)


def _order(value: list[int], told: Told) -> str:
    return ", ".join(told.names[seat] for seat in value)


def _song(value: Song | None, told: Told) -> str:
    return "" if value is None else say_song(value, told.lang, "song.short")


def _discarded(value: list[Song] | None, told: Told) -> str:
    return in_a_row([say_song(song, told.lang, "song.short") for song in value or []], told.lang)


def _cards(value: list[str] | None, told: Told) -> str:
    return in_a_row([say_card(card, told.lang) for card in value or []], told.lang)


def _card(value: str | None, told: Told) -> str:
    return "" if value is None else say_card(value, told.lang)


def _newcomers(value: list[e.Newcomer], told: Told) -> str:
    return in_a_row([say_dancer(each.dancer, told.lang, "newcomer", each.cell) for each in value], told.lang)


def _lines(value: list[e.Prospect], told: Told) -> str:
    """Tell whose fans are in lines, with the superfans they would make."""
    return "".join(
        CATALOGUE.say(told.lang, "lines", seat=name, cells=in_a_row(line.cells, told.lang), count=line.superfans)
        for name, line in zip(told.names, value, strict=True)
        if line.cells
    )


def _hop(value: str | None, told: Told) -> str:
    return "" if value is None else CATALOGUE.say(told.lang, "hop", hop=value)


def _quests(value: list[str], told: Told) -> str:
    said = (CATALOGUE.say(told.lang, f"quest.{quest}") for quest in value)
    wishes = zip(told.names, said, strict=True)
    return in_a_row([CATALOGUE.say(told.lang, "quest-of", seat=name, quest=quest) for name, quest in wishes], told.lang)


FIELDS: Mapping[str, Said] = {
    "seat": a_name,
    "owner": a_name,
    "order": _order,
    "winners": names_in_a_row,
    "leaders": names_in_a_row,
    "song": _song,
    "discarded": _discarded,
    "cards": _cards,
    "card": _card,
    "under": _card,
    "newcomers": _newcomers,
    "lines": _lines,
    "hop": _hop,
    "scores": counts_by_name,
    "quests": _quests,
    "songs": _songs,
    "dancer": _dancer,
}


def more(told: Told) -> Mapping[str, object]:
    return {"text": say_effect(told.event.card, told.lang)} if isinstance(told.event, e.HypeRevealed) else {}


sentence: Sentences[Any] = Sentences(catalogue=CATALOGUE, fields=FIELDS, variant=variant_of, count=count_of, more=more)
