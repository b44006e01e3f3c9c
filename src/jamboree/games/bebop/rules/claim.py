"""Claim a seat: place one of your seats on an empty hex, let a special have its effect, reroll a die if you like."""

from jamboree.core.chance import Chance
from jamboree.core.kit.events import EventSink
from jamboree.core.kit.rulebook import no_action
from jamboree.core.offers import Block

from ..box.components import OPEN_MAX
from ..box.texts import refuse
from .actions import (
    BACKSTAGE,
    BASIC,
    BOOT,
    DOUBLE,
    INSTA,
    TILES,
    VIP,
    AnyAction,
    ClaimSeat,
    DeclineBooking,
    DeclineClaim,
)
from .events import AnyEvent, FollowUpDeclined, SeatBooted, SeatClaimed
from .state import BOOK_THIS, CLAIM_AGAIN, State, read_tile, tile_code
from .turn import after_claim

TILE_NUMBER = {tile: number for number, tile in enumerate(TILES)}


def blocks(state: State, seat: int) -> list[Block[AnyAction]]:
    """Lay out every claim this player can make now."""
    if state.open[seat].bit_count() >= OPEN_MAX:  # you may only have three open seats at a time
        return []
    ground, actions = state.ground, state.ground.action_space
    specials, free = state.specials[seat], ~state.occupied
    supply = specials | bool(state.basics[seat])
    laid: list[Block[AnyAction]] = [(actions.on_normal[supply], ground.normal & free)]
    if not specials:
        return laid
    if specials >> BOOT & 1:
        laid.append((actions.boot, bootable(state, seat)))
    if specials >> VIP & 1:
        laid.append((actions.vip, ground.vip & free))
    if state.backstage and specials >> BACKSTAGE & 1:
        laid.append((actions.backstage, state.backstage & free))
    return laid


def bootable(state: State, seat: int) -> int:
    """Mark the open seats of others that the Boot can replace: place and facing decide, not the tile's name."""
    return state.opened & ~state.open[seat] & ~state.boots & state.ground.normal


def can_claim(state: State, seat: int) -> bool:
    return any(mask and tables for tables, mask in blocks(state, seat))


def check(state: State, seat: int, action: ClaimSeat) -> tuple[int, int]:
    """Refuse a claim the rules do not allow; give the tile and the hex of one they do."""
    if state.open[seat].bit_count() >= OPEN_MAX:
        raise refuse("claim", "three-open")
    tile = TILE_NUMBER.get(action.tile, -1)
    place = state.ground.index.get(action.hex, -1)
    if tile < 0:
        raise refuse("claim", "no-such-tile", tile=action.tile)
    if action.face_down not in (False, True):
        raise no_action()
    if place < 0:
        raise refuse("regions", "no-such-hex", hex=action.hex)
    if not (state.basics[seat] if tile == BASIC else state.specials[seat] >> tile & 1):
        raise refuse("claim", "not-in-supply", tile=action.tile)
    if not state.occupied >> place & 1 and targets(state, tile, action.face_down) >> place & 1:
        return tile, place
    if tile == BOOT and not action.face_down and bootable(state, seat) >> place & 1:
        return tile, place
    raise _misplaced(state, seat, tile, action, place)


def targets(state: State, tile: int, face_down: bool) -> int:
    """Mark the hexes a tile is made for, empty or not."""
    if tile == VIP and not face_down:
        return state.ground.vip
    if tile == BACKSTAGE and not face_down:
        return state.backstage
    return 0 if tile == BASIC and face_down else state.ground.normal


def _misplaced(state: State, seat: int, tile: int, action: ClaimSeat, place: int) -> Exception:
    """Say what is wrong with the place of a tile."""
    if tile == BASIC and action.face_down:
        return refuse("claim", "basic-face-down")
    if state.occupied >> place & 1:
        return _occupied(state, seat, tile, action, place)
    if state.ground.vip >> place & 1:
        return refuse("hexes", "vip-only", hex=action.hex)
    if tile == VIP and not action.face_down:
        return refuse("special-vip", "vip-elsewhere", hex=action.hex)
    if tile == BACKSTAGE and not action.face_down:
        return refuse("special-backstage", "backstage-elsewhere", hex=action.hex)
    performed = state.backstage >> place & 1
    return refuse("hexes", "stage-performed" if performed else "stage-space", hex=action.hex)


def _occupied(state: State, seat: int, tile: int, action: ClaimSeat, place: int) -> Exception:
    if tile != BOOT or action.face_down or not state.opened >> place & 1:
        return refuse("claim", "occupied", hex=action.hex)
    if state.open[seat] >> place & 1:
        return refuse("special-boot", "boot-own", hex=action.hex)
    if state.boots >> place & 1:
        return refuse("special-boot", "boot-boot", hex=action.hex)
    return refuse("special-boot", "boot-special", hex=action.hex)


def claim(state: State, seat: int, action: ClaimSeat, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    tile, place = check(state, seat, action)
    if state.occupied >> place & 1:
        boot(state, seat, place, emit)
    lay(state, seat, tile, action.face_down, place)
    state.passed = 0
    state.rerolls += 1
    emit(SeatClaimed, seat, action.tile, action.hex, action.face_down)
    # order inside a claim: place, then the special's effect to its end, then this claim's optional reroll
    if action.face_down:
        after_claim(state, seat, emit)
    elif tile == DOUBLE and can_claim(state, seat):
        state.phase = CLAIM_AGAIN
    elif tile == INSTA and state.hands[seat]:
        state.phase, state.insta = BOOK_THIS, place
    else:
        after_claim(state, seat, emit)


def lay(state: State, seat: int, tile: int, face_down: bool, place: int) -> None:
    bit = 1 << place
    if tile == BASIC:
        state.basics[seat] -= 1
    else:
        state.specials[seat] ^= 1 << tile
    if tile == BOOT and not face_down:
        state.boots |= bit
    state.occupied |= bit
    state.opened |= bit
    state.open[seat] |= bit
    state.tiles[place] = tile_code(seat, tile, face_down)


def boot(state: State, seat: int, place: int, emit: EventSink[AnyEvent]) -> None:
    """Return another player's open seat to its owner's supply, with all its powers; the Boot takes its place."""
    owner, tile, _ = read_tile(state.tiles[place])
    if tile == BASIC:
        state.basics[owner] += 1
    else:
        state.specials[owner] |= 1 << tile
    state.open[owner] ^= 1 << place
    emit(SeatBooted, seat, owner, TILES[tile], state.ground.names[place])


def decline_claim(state: State, seat: int, action: DeclineClaim, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    decline(state, seat, DOUBLE, emit)


def decline_booking(state: State, seat: int, action: DeclineBooking, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    decline(state, seat, INSTA, emit)


def decline(state: State, seat: int, tile: int, emit: EventSink[AnyEvent]) -> None:
    """Leave a special's effect; its tile is an ordinary open seat, and booted it regains its power."""
    emit(FollowUpDeclined, seat, TILES[tile])
    after_claim(state, seat, emit)
