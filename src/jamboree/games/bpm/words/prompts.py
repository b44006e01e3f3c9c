"""How BPMs Per Minute speaks: what is asked, how actions are put, what a crate left open."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jamboree.core.kit.words import GameWords
from jamboree.core.words import Choice

from ..box.crate import Song
from ..box.crate_csv import read, say_notes
from ..box.texts import CATALOGUE
from ..rules.actions import (
    AnyAction,
    ChooseHype,
    CueSong,
    Decline,
    DiscardSongs,
    FinishSong,
    KeepFan,
    MakeSuperfan,
    PlaceToken,
    RecoverToken,
    SendOnBreak,
    SwapDancers,
)
from ..rules.events import AnyEvent
from ..rules.setup import Options
from ..visibility.lookahead import look_ahead
from ..visibility.views import View
from .coaching import REASONS
from .notation import draw
from .painting import paint, paint_small
from .parsing import parse
from .phrases import say_card, say_effect
from .sentences import say_song, sentence
from .verdict import decided

READS_ON = " "  # from a group to its target


def question(seen: View, lang: str) -> str:
    """Ask the viewer for what comes next."""
    key = f"question.{seen.phase}"
    own = seen.sealed[seen.viewer] if isinstance(seen.viewer, int) else None
    if own and own.done and f"{key}.sealed" in CATALOGUE.texts(lang):
        key += ".sealed"
    card = "" if seen.card is None else say_card(seen.card, lang)
    return CATALOGUE.say(lang, key, title=_asked_song(seen), card=card)


def _asked_song(seen: View) -> str:
    """Name the song a question is about: the one being played, or the one the viewer has cued."""
    song: Song | None = None
    if seen.turn is not None:
        song = seen.playing[seen.turn]
    elif isinstance(seen.viewer, int) and (slots := seen.sealed[seen.viewer].slots):
        song = (seen.hands[seen.viewer].songs or [])[slots[0]]
    return "" if song is None else f"“{song.title}”"


def choice(action: AnyAction, seen: View, names: Sequence[str], lang: str) -> Choice:
    if isinstance(action, DiscardSongs):
        return _pair(action.first, action.second, seen, lang)
    if leaves_sealed(action, seen):
        return Choice(CATALOGUE.say(lang, "choice.leave-sealed"), "")
    key, target = CHOICES[type(action)]
    foreseen = _foreseen(target(action, seen, lang), action, seen, names, lang)
    order = _order(seen, action.slot) if isinstance(action, CueSong) else ()
    return Choice(CATALOGUE.say(lang, f"choice.{key}"), foreseen, order=order)


def choices(action: AnyAction, seen: View, names: Sequence[str], lang: str) -> list[Choice]:
    """Put a pair of songs under either of them, so that a list has every song."""
    if isinstance(action, DiscardSongs):
        pairs = (action.first, action.second), (action.second, action.first)
        return [_pair(first, second, seen, lang) for first, second in pairs]
    return [choice(action, seen, names, lang)]


def _pair(first: int, second: int, seen: View, lang: str) -> Choice:
    """Put two songs to leave at home in two steps: pairs are many."""
    group = CATALOGUE.say(lang, "choice.discard", song=_in_hand(first, seen, lang))
    return Choice(group, _in_hand(second, seen, lang), READS_ON, _order(seen, first, second))


def _order(seen: View, *slots: int) -> tuple[float | str, ...]:
    """Sort songs as the hand is painted: by tempo, then by date."""
    songs = seen.hands[seen.viewer].songs if isinstance(seen.viewer, int) else None
    if not songs or max(slots) >= len(songs):
        return ()
    return tuple(part for slot in slots for part in (songs[slot].bpm, songs[slot].day, songs[slot].number))


def leaves_sealed(action: AnyAction, seen: View) -> bool:
    """Tell whether an action lets a sealed choice stand."""
    return isinstance(action, Decline) and seen.turn is None


def _song(action: CueSong, seen: View, lang: str) -> str:
    return _in_hand(action.slot, seen, lang)


def _in_hand(slot: int, seen: View, lang: str) -> str:
    songs = seen.hands[seen.viewer].songs if isinstance(seen.viewer, int) else None
    return say_song(songs[slot], lang, "song.short") if songs and slot < len(songs) else "?"


def _card(action: ChooseHype, seen: View, lang: str) -> str:
    if not seen.drawn:
        return "?"
    card = seen.drawn[action.place]
    return CATALOGUE.say(lang, "table.hype", name=say_card(card, lang), text=say_effect(card, lang))


def _swap(action: SwapDancers, seen: View, lang: str) -> str:
    return f"{action.cell} {action.other}"


def _foreseen(target: str, action: AnyAction, seen: View, names: Sequence[str], lang: str) -> str:
    """Add what a move or placement completes, and where it sends the ball."""
    ahead = look_ahead(seen, action)
    for line in ahead.lines:
        key = "choice.makes" if line.seat == seen.turn else "choice.makes-for"
        target = CATALOGUE.say(lang, key, target=target, count=line.superfans, name=names[line.seat])
    return CATALOGUE.say(lang, "choice.hop", target=target, hop=ahead.hop) if ahead.hop else target


def _cell(action: Any, seen: View, lang: str) -> str:
    return str(action.cell)


def _nothing(action: Any, seen: View, lang: str) -> str:
    return ""


CHOICES: Mapping[type, tuple[str, Callable[[Any, View, str], str]]] = {
    CueSong: ("cue", _song),
    ChooseHype: ("hype", _card),
    SwapDancers: ("swap", _swap),
    SendOnBreak: ("break", _cell),
    PlaceToken: ("place", _cell),
    FinishSong: ("finish", _nothing),
    RecoverToken: ("recover", _cell),
    MakeSuperfan: ("superfan", _cell),
    KeepFan: ("keep", _cell),
    Decline: ("decline", _nothing),
}


def remarks(options: Options, lang: str) -> list[str]:
    """Say once what was decided about a crate that left something open."""
    return say_notes(read(options.songs).notes, lang)


WORDS: GameWords[AnyAction, AnyEvent, View] = GameWords(
    catalogue=CATALOGUE,
    draw=draw,
    parse=parse,
    paint=paint,
    paint_small=paint_small,
    question=question,
    choice=choice,
    choices=choices,
    sentence=sentence,
    decided=decided,
    waits=leaves_sealed,
    begins=lambda action, seen: isinstance(action, SwapDancers | SendOnBreak),
    coaching=REASONS,
    remarks=remarks,
)
