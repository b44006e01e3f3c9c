"""Events in sentences."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import events as e
from .crate import Song
from .dancers import Dancer
from .speech import CATALOGUE, say_card, say_dancer, say_effect


def sentence(event: e.AnyEvent, names: Sequence[str], lang: str) -> str:
    """Tell an event."""
    values = {field: _say(getattr(event, field), field, names, lang) for field in event.__struct_fields__}
    values["count"] = _count(event)
    if isinstance(event, e.HypeRevealed):
        values["text"] = say_effect(event.card, lang)
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
    printed = {"title": song.title, "artist": song.artist, "bpm": song.bpm, "released": song.released}
    return CATALOGUE.say(lang, key, **printed, colour=colour, action=action)


def _dancer(dancer: Dancer, lang: str) -> str:
    return say_dancer(dancer.colour, dancer.arrow, lang)


def _seat(value: int | None, names: Sequence[str], lang: str) -> str:
    return "" if value is None else names[value]


def _seats(value: list[int], names: Sequence[str], lang: str) -> str:
    return ", ".join(names[seat] for seat in value)


def _song(value: Song | None, names: Sequence[str], lang: str) -> str:
    return "" if value is None else say_song(value, lang, "song.short")


def _songs(value: list[Song], names: Sequence[str], lang: str) -> str:
    return " ".join(f"{name}: {say_song(song, lang)}." for name, song in zip(names, value, strict=True))


def _discarded(value: list[Song] | None, names: Sequence[str], lang: str) -> str:
    return ", ".join(say_song(song, lang, "song.short") for song in value or [])


def _cards(value: list[str] | None, names: Sequence[str], lang: str) -> str:
    return ", ".join(say_card(card, lang) for card in value or [])


def _card(value: str | None, names: Sequence[str], lang: str) -> str:
    return "" if value is None else say_card(value, lang)


def _newcomers(value: list[e.Newcomer], names: Sequence[str], lang: str) -> str:
    came = [f"{newcomer.cell} {_dancer(newcomer.dancer, lang)}" for newcomer in value]
    return ", ".join(came) or CATALOGUE.say(lang, "nobody")


def _lines(value: list[e.Prospect], names: Sequence[str], lang: str) -> str:
    """Tell whose fans are in lines, with the superfans they would make."""
    told = [
        CATALOGUE.say(lang, "lines.one", seat=name, cells=" ".join(line.cells), count=line.superfans)
        for name, line in zip(names, value, strict=True)
        if line.cells
    ]
    return CATALOGUE.say(lang, "lines", lines=", ".join(told)) if told else ""


def _hop(value: str | None, names: Sequence[str], lang: str) -> str:
    return "" if value is None else CATALOGUE.say(lang, "hop", hop=value)


def _scores(value: list[int], names: Sequence[str], lang: str) -> str:
    return ", ".join(f"{name} {score}" for name, score in zip(names, value, strict=True))


def _quests(value: list[str], names: Sequence[str], lang: str) -> str:
    said = (CATALOGUE.say(lang, f"quest.{quest}") for quest in value)
    return ", ".join(f"{name}: {quest}" for name, quest in zip(names, said, strict=True))


FIELDS: Mapping[str, Callable[[Any, Sequence[str], str], str]] = {
    "seat": _seat,
    "owner": _seat,
    "order": _seats,
    "winners": _seats,
    "leaders": _seats,
    "song": _song,
    "songs": _songs,
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
    if isinstance(value, Dancer):
        return _dancer(value, lang)
    if isinstance(value, list):
        return ", ".join(_dancer(item, lang) if isinstance(item, Dancer) else str(item) for item in value)
    return value
