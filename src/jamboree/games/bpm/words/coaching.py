"""Why an action is good, for those who ask for a hint."""

from jamboree.core.kit.reasons import Reasoned, Reasons, always
from jamboree.core.words import join_words

from ..box.cards import HYPE
from ..box.crate import Song
from ..box.texts import CATALOGUE
from ..rules.actions import (
    ChooseHype,
    CueSong,
    Decline,
    DiscardSongs,
    PlaceToken,
    RecoverToken,
    SendOnBreak,
    SwapDancers,
)
from ..visibility.lookahead import look_ahead
from ..visibility.views import View
from .phrases import say_bpm, say_effect


def own_line(about: Reasoned) -> str | None:
    """Say that a move or a placement makes a line for whoever does it."""
    for line in look_ahead(about.view, about.action).lines:
        if line.seat == about.seat:
            return CATALOGUE.say(about.lang, "coach.line", count=line.superfans)
    return None


def lines_of_others(about: Reasoned) -> str | None:
    names = [about.names[line.seat] for line in look_ahead(about.view, about.action).lines if line.seat != about.seat]
    return CATALOGUE.say(about.lang, "coach.line-for", names=join_words(names, about.lang)) if names else None


def broken_lines(about: Reasoned) -> str | None:
    """Say whose line a move takes apart."""
    moved = {about.action.cell, getattr(about.action, "other", about.action.cell)}
    lines = about.view.lines
    broken = [
        about.names[seat]
        for seat, prospect in enumerate(lines)
        if seat != about.seat and moved & {*prospect.cells} and not _is_still_there(about, seat)
    ]
    return CATALOGUE.say(about.lang, "coach.breaks", names=join_words(broken, about.lang)) if broken else None


def _is_still_there(about: Reasoned, seat: int) -> bool:
    """Tell whether a player's lines make as many superfans after what is certain to follow."""
    after = [event.lines[seat] for event in about.preview.events if hasattr(event, "lines")]
    return bool(after) and after[-1].superfans >= about.view.lines[seat].superfans


def ball(about: Reasoned) -> str | None:
    hop = look_ahead(about.view, about.action).hop
    return CATALOGUE.say(about.lang, "coach.ball", cell=hop) if hop else None


def fan(about: Reasoned) -> str | None:
    """Say of what use the new fan is."""
    view: View = about.view
    if view.phase == "gift":
        owner = about.names[view.order[view.at]]
        return CATALOGUE.say(about.lang, "coach.gift", cell=about.action.cell, name=owner)
    dancer = next((spot.dancer for spot in view.floor if spot.cell == about.action.cell), None)
    quest = view.quests[about.seat]
    if dancer and quest in (dancer.colour, dancer.arrow):
        quest_text = CATALOGUE.say(about.lang, f"quest.{quest}")
        return CATALOGUE.say(about.lang, "coach.quest", quest=quest_text)
    return CATALOGUE.say(about.lang, "coach.fan", cell=about.action.cell)


def tempo(about: Reasoned) -> str | None:
    """Say whether a song is played early or late, by what else the player holds."""
    view: View = about.view
    song = _held(about, about.action.slot)
    tempos = sorted(each.bpm for each in view.hands[about.seat].songs or [])
    if song is None or len(tempos) < 2 or song.bpm not in (tempos[0], tempos[-1]):
        return None
    fastest_first = view.card is not None and HYPE.cards[view.card].bends.order == "highest"
    is_first = (song.bpm == tempos[0]) != fastest_first
    return CATALOGUE.say(about.lang, "coach.early" if is_first else "coach.late", bpm=say_bpm(song.bpm, about.lang))


def crowd(about: Reasoned) -> str | None:
    """Say how many free dancers a song can win."""
    song = _held(about, about.action.slot)
    if song is None:
        return None
    free = sum(spot.dancer.colour == song.colour and spot.fan_of is None for spot in about.view.floor)
    if not free:
        return None
    colour = CATALOGUE.say(about.lang, f"coloured.{song.colour}")
    return CATALOGUE.say(about.lang, "coach.crowd", count=free, colour=colour)


def _held(about: Reasoned, slot: int) -> Song | None:
    songs = about.view.hands[about.seat].songs or []
    return songs[slot] if slot < len(songs) else None


def effect(about: Reasoned) -> str | None:
    drawn = about.view.drawn
    return say_effect(drawn[about.action.place], about.lang) if drawn else None


def sealed(about: Reasoned) -> str | None:
    """Say that a sealed choice stands, where that is what is declined to change."""
    return CATALOGUE.say(about.lang, "coach.sealed") if about.view.turn is None else None


REASONS: Reasons = {
    SwapDancers: (own_line, broken_lines, lines_of_others, ball),
    PlaceToken: (own_line, fan, lines_of_others),
    SendOnBreak: (broken_lines,),
    CueSong: (crowd, tempo),
    DiscardSongs: (always(CATALOGUE, "coach.discard"),),
    ChooseHype: (effect,),
    Decline: (sealed,),
    RecoverToken: (always(CATALOGUE, "coach.recover"),),
}
