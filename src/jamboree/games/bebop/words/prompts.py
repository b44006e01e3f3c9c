"""Questions and menu entries of Bebop, and all its texts assembled for the kit."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jamboree.core.kit.verdict import points_by_source
from jamboree.core.kit.words import GameWords, plain
from jamboree.core.words import Choice

from ..box.components import OPEN_MAX
from ..box.texts import CATALOGUE
from ..rules.actions import (
    AnyAction,
    BookSeat,
    ClaimSeat,
    DeclineBooking,
    DeclineClaim,
    DrawFromBag,
    KeepDice,
    Pass,
    PerformStage,
    RerollDie,
    TakeFromQueue,
)
from ..rules.events import AnyEvent
from ..visibility.views import HexSeen, SeatTile, View
from .coaching import REASONS
from .notation import draw
from .painting import paint, paint_small
from .parsing import parse
from .phrases import say_die, say_token
from .sentences import sentence
from .verdict import decided


def question(view: View, lang: str) -> str:
    """Return the question to the player whose turn it is."""
    key = f"question.{_turn(view) if view.phase == 'turn' else view.phase}"
    return CATALOGUE.say(lang, key, hex=view.insta, stages=", ".join(view.complete))


def _turn(view: View) -> str:
    """Return what the player whose turn it is can do: claim, book, either or neither."""
    open_seats = sum(tile.seat == view.turn and tile.die is None for tile in view.tiles)
    if open_seats == OPEN_MAX:
        return "full" if view.hands[view.turn].count else "pass"
    claims, books = _has_room(view), open_seats and view.hands[view.turn].count
    return "turn" if claims and books else "claim" if claims else "book" if books else "pass"


def _has_room(view: View) -> bool:
    """Return whether a hex takes a seat of the supply of the player whose turn it is."""
    supply = view.supplies[view.turn]
    on_board = {tile.hex for tile in view.tiles}
    free = [spot for spot in view.festival.hexes if spot.name not in on_board and spot.die is None]
    if (supply.basic or supply.specials) and any(spot.kind == "normal" for spot in free):
        return True
    return any(
        _has_place(special, view, [spot for spot in free if spot.kind != "normal"]) for special in supply.specials
    )


def _has_place(special: str, view: View, free: Sequence[HexSeen]) -> bool:
    """Return whether a special can be placed where only its power allows it."""
    match special:
        case "vip":
            return any(spot.kind == "vip" for spot in free)
        case "backstage":
            performed = {stage.stage for stage in view.stages if not stage.tokens}
            return any(spot.stage in performed for spot in free)
        case "boot":
            normal = {spot.name for spot in view.festival.hexes if spot.kind == "normal"}
            return any(_is_bootable(tile, view.turn) and tile.hex in normal for tile in view.tiles)
    return False


def _is_bootable(tile: SeatTile, booter: int) -> bool:
    return tile.seat != booter and tile.die is None and (tile.tile != "boot" or tile.face_down)


def choice(action: AnyAction, view: View, names: Sequence[str], lang: str) -> Choice:
    return CHOICES[type(action)](action, view, lang)


def starts_follow_up(action: AnyAction, view: View) -> bool:
    """Return whether a claim gives its player a second claim or a booking."""
    return isinstance(action, ClaimSeat) and action.tile in ("double", "insta") and not action.face_down


def _claim(action: ClaimSeat, view: View, lang: str) -> Choice:
    tile = CATALOGUE.say(lang, f"tile.{action.tile}")
    key = "choice.claim-face-down" if action.face_down else "choice.claim"
    return Choice(CATALOGUE.say(lang, key, tile=tile), action.hex)


def _book(action: BookSeat, view: View, lang: str) -> Choice:
    return Choice(CATALOGUE.say(lang, "choice.book", die=_in_hand(action.die, view, lang)), action.hex)


def _perform(action: PerformStage, view: View, lang: str) -> Choice:
    tokens = next(stage.tokens for stage in view.stages if stage.stage == action.stage)
    target = f"{action.stage} ({', '.join(say_token(token, lang) for token in tokens)})"
    return Choice(CATALOGUE.say(lang, "choice.perform"), target)


def _take(action: TakeFromQueue, view: View, lang: str) -> Choice:
    die = view.queue[action.place]
    return Choice(CATALOGUE.say(lang, "choice.take"), say_die(die, lang) if die else "-")


def _reroll(action: RerollDie, view: View, lang: str) -> Choice:
    return Choice(CATALOGUE.say(lang, "choice.reroll"), _in_hand(action.die, view, lang))


def _in_hand(slot: int, view: View, lang: str) -> str:
    dice = view.hands[view.turn].dice or []
    return say_die(dice[slot], lang) if slot < len(dice) else "?"


CHOICES: Mapping[type, Callable[[Any, View, str], Choice]] = {
    ClaimSeat: _claim,
    BookSeat: _book,
    PerformStage: _perform,
    TakeFromQueue: _take,
    RerollDie: _reroll,
    DrawFromBag: plain(CATALOGUE, "choice.draw"),
    DeclineClaim: plain(CATALOGUE, "choice.decline-claim"),
    DeclineBooking: plain(CATALOGUE, "choice.decline-booking"),
    KeepDice: plain(CATALOGUE, "choice.keep"),
    Pass: plain(CATALOGUE, "choice.pass"),
}


WORDS: GameWords[AnyAction, AnyEvent, View] = GameWords(
    catalogue=CATALOGUE,
    draw=draw,
    parse=parse,
    paint=paint,
    paint_small=paint_small,
    question=question,
    choice=choice,
    sentence=sentence,
    decided=decided,
    begins=starts_follow_up,
    coaching=REASONS,
    points_by_source=lambda view: points_by_source(view.points),
)
