"""Events in sentences."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jamboree.core.words import in_a_row, say_counts, say_date

from ..box.crate import Song
from ..box.dancers import Dancer
from ..rules import events as e
from ..texts import CATALOGUE
from .speech import say_card, say_dancer, say_effect


def sentence(event: e.AnyEvent, names: Sequence[str], lang: str) -> str:
    """Tell an event."""
    values = {field: _say(getattr(event, field), field, names, lang) for field in event.__struct_fields__}
    values["count"] = _count(event)
    if isinstance(event, e.HypeRevealed):
        values["text"] = say_effect(event.card, lang)
    if isinstance(event, e.SongsDropped | e.SongsPassed):
        values["songs"] = _songs(event, names, lang)
    if isinstance(getattr(event, "dancer", None), Dancer):
        values["dancer"] = _dancer(event, lang)
    return CATALOGUE.say(lang, _key(event), **values)


def _count(event: e.AnyEvent) -> int:
    return len(event.superfans) if isinstance(event, e.ComboScored) else getattr(event, "count", 1)


def _key(event: e.AnyEvent) -> str:
    """Choose among the ways an event is told."""
    name = f"event.{type(event).__name__}"
    match event:
        case e.SetlistSealed(discarded=None) | e.SongDealt(song=None) | e.HypeDrawn(cards=None) | e.SongCued(song=None):
            return f"{name}.secret"
        case e.RoundBegan(extra=True):
            return f"{name}.extra"
        case e.BallMoved(dancer=None):
            return f"{name}.gap"
        case e.HypeRevealed(under=str()):
            return f"{name}.under"
        case e.HypeRevealed(seat=int()):
            return f"{name}.picked"
        case e.FloorShifted():
            return f"{name}.{event.how}"
        case e.StepDeclined():
            return f"{name}.{event.step}"
        case e.FloorFilled(newcomers=[]):
            return f"{name}.nobody"
        case e.FloorFilled(gaps=[_, *_]):
            return f"{name}.gaps"
        case e.TokenPlaced() if event.seat != event.owner:
            return f"{name}.gift"
        case e.ComboScored(kept=None):
            return f"{name}.dive"
        case e.GameEnded(winners=[_, _, *_]):
            return f"{name}.shared"
    return name


def say_song(song: Song, lang: str, key: str = "song") -> str:
    colour, action = CATALOGUE.say(lang, f"colour.{song.colour}"), CATALOGUE.say(lang, f"action.{song.action}")
    printed = {"title": song.title, "artist": song.artist, "bpm": song.bpm, "released": say_date(song.released, lang)}
    return CATALOGUE.say(lang, key, **printed, colour=colour, action=action)


def _songs(event: e.SongsDropped | e.SongsPassed, names: Sequence[str], lang: str) -> str:
    key = "song.played" if isinstance(event, e.SongsDropped) else "song.passed"
    said = (say_song(song, lang) for song in event.songs)
    return " ".join(CATALOGUE.say(lang, key, seat=name, song=song) for name, song in zip(names, said, strict=True))


def _dancer(event: Any, lang: str) -> str:
    cell: str = getattr(event, "cell", "")
    return say_dancer(event.dancer, lang, "the-dancer" if cell else "a-dancer", cell)


def _seat(value: int | None, names: Sequence[str], lang: str) -> str:
    return "" if value is None else names[value]


def _seats(value: list[int], names: Sequence[str], lang: str) -> str:
    return in_a_row([names[seat] for seat in value], lang)


def _order(value: list[int], names: Sequence[str], lang: str) -> str:
    return ", ".join(names[seat] for seat in value)


def _song(value: Song | None, names: Sequence[str], lang: str) -> str:
    return "" if value is None else say_song(value, lang, "song.short")


def _discarded(value: list[Song] | None, names: Sequence[str], lang: str) -> str:
    return in_a_row([say_song(song, lang, "song.short") for song in value or []], lang)


def _cards(value: list[str] | None, names: Sequence[str], lang: str) -> str:
    return in_a_row([say_card(card, lang) for card in value or []], lang)


def _card(value: str | None, names: Sequence[str], lang: str) -> str:
    return "" if value is None else say_card(value, lang)


def _newcomers(value: list[e.Newcomer], names: Sequence[str], lang: str) -> str:
    return in_a_row([say_dancer(each.dancer, lang, "newcomer", each.cell) for each in value], lang)


def _lines(value: list[e.Prospect], names: Sequence[str], lang: str) -> str:
    """Tell whose fans are in lines, with the superfans they would make."""
    return "".join(
        CATALOGUE.say(lang, "lines", seat=name, cells=in_a_row(line.cells, lang), count=line.superfans)
        for name, line in zip(names, value, strict=True)
        if line.cells
    )


def _hop(value: str | None, names: Sequence[str], lang: str) -> str:
    return "" if value is None else CATALOGUE.say(lang, "hop", hop=value)


def _scores(value: list[int], names: Sequence[str], lang: str) -> str:
    return say_counts(names, value, lang)


def _quests(value: list[str], names: Sequence[str], lang: str) -> str:
    said = (CATALOGUE.say(lang, f"quest.{quest}") for quest in value)
    wishes = zip(names, said, strict=True)
    return in_a_row([CATALOGUE.say(lang, "quest-of", seat=name, quest=quest) for name, quest in wishes], lang)


FIELDS: Mapping[str, Callable[[Any, Sequence[str], str], str]] = {
    "seat": _seat,
    "owner": _seat,
    "order": _order,
    "winners": _seats,
    "leaders": _seats,
    "song": _song,
    "discarded": _discarded,
    "cards": _cards,
    "card": _card,
    "under": _card,
    "newcomers": _newcomers,
    "lines": _lines,
    "hop": _hop,
    "scores": _scores,
    "quests": _quests,
}


def _say(value: Any, field: str, names: Sequence[str], lang: str) -> object:
    """Put a field of an event into words."""
    if field in FIELDS:
        return FIELDS[field](value, names, lang)
    return in_a_row([str(item) for item in value], lang) if isinstance(value, list) else value
