"""Questions, menu entries and notices of BPMs Per Minute, and all its texts assembled for the kit."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jamboree.core.kit.verdict import points_by_source
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

ONE_PHRASE = " "  # from a group to its target


def question(view: View, lang: str) -> str:
    """Return the question to the viewer."""
    key = f"question.{view.phase}"
    own = view.sealed[view.viewer] if isinstance(view.viewer, int) else None
    if own and own.done and f"{key}.sealed" in CATALOGUE.texts(lang):
        key += ".sealed"
    card = "" if view.card is None else say_card(view.card, lang)
    return CATALOGUE.say(lang, key, title=_asked_song(view), card=card)


def _asked_song(view: View) -> str:
    """Return the title of the song in question: the one being played, or the one the viewer has cued."""
    song: Song | None = None
    if view.turn is not None:
        song = view.playing[view.turn]
    elif isinstance(view.viewer, int) and (slots := view.sealed[view.viewer].slots):
        song = (view.hands[view.viewer].songs or [])[slots[0]]
    return "" if song is None else f"“{song.title}”"


def choice(action: AnyAction, view: View, names: Sequence[str], lang: str) -> Choice:
    if isinstance(action, DiscardSongs):
        return _pair(action.first, action.second, view, lang)
    if keeps_sealed_choice(action, view):
        return Choice(CATALOGUE.say(lang, "choice.leave-sealed"), "")
    key, target = CHOICES[type(action)]
    foreseen = _with_consequences(target(action, view, lang), action, view, names, lang)
    order = _order(view, action.slot) if isinstance(action, CueSong) else ()
    return Choice(CATALOGUE.say(lang, f"choice.{key}"), foreseen, order=order)


def choices(action: AnyAction, view: View, names: Sequence[str], lang: str) -> list[Choice]:
    """List a pair of songs under either of them, so that every song has an entry."""
    if isinstance(action, DiscardSongs):
        pairs = (action.first, action.second), (action.second, action.first)
        return [_pair(first, second, view, lang) for first, second in pairs]
    return [choice(action, view, names, lang)]


def _pair(first: int, second: int, view: View, lang: str) -> Choice:
    """Build the entry of a pair of songs to discard: the first is the group, since there are many pairs."""
    group = CATALOGUE.say(lang, "choice.discard", song=_in_hand(first, view, lang))
    return Choice(group, _in_hand(second, view, lang), ONE_PHRASE, _order(view, first, second))


def _order(view: View, *slots: int) -> tuple[float | str, ...]:
    """Return the sort key of songs: tempo, then date, as in the painted hand."""
    songs = view.hands[view.viewer].songs if isinstance(view.viewer, int) else None
    if not songs or max(slots) >= len(songs):
        return ()
    return tuple(part for slot in slots for part in (songs[slot].bpm, songs[slot].day, songs[slot].number))


def keeps_sealed_choice(action: AnyAction, view: View) -> bool:
    """Return whether an action keeps a sealed choice."""
    return isinstance(action, Decline) and view.turn is None


def _song(action: CueSong, view: View, lang: str) -> str:
    return _in_hand(action.slot, view, lang)


def _in_hand(slot: int, view: View, lang: str) -> str:
    songs = view.hands[view.viewer].songs if isinstance(view.viewer, int) else None
    return say_song(songs[slot], lang, "song.short") if songs and slot < len(songs) else "?"


def _card(action: ChooseHype, view: View, lang: str) -> str:
    if not view.drawn:
        return "?"
    card = view.drawn[action.place]
    return CATALOGUE.say(lang, "table.hype", name=say_card(card, lang), text=say_effect(card, lang))


def _swap(action: SwapDancers, view: View, lang: str) -> str:
    return f"{action.cell} {action.other}"


def _with_consequences(target: str, action: AnyAction, view: View, names: Sequence[str], lang: str) -> str:
    """Append the lines that a move or placement completes, and the ball's next corner."""
    ahead = look_ahead(view, action)
    for line in ahead.lines:
        key = "choice.makes" if line.seat == view.turn else "choice.makes-for"
        target = CATALOGUE.say(lang, key, target=target, count=line.superfans, name=names[line.seat])
    return CATALOGUE.say(lang, "choice.hop", target=target, hop=ahead.hop) if ahead.hop else target


def _cell(action: Any, view: View, lang: str) -> str:
    return str(action.cell)


def _nothing(action: Any, view: View, lang: str) -> str:
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
    """Return notices about an incomplete crate."""
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
    waits=keeps_sealed_choice,
    begins=lambda action, view: isinstance(action, SwapDancers | SendOnBreak),
    coaching=REASONS,
    points_by_source=lambda view: points_by_source(view.points),
    remarks=remarks,
)
