"""The players' actions, in the rulebook's verbs, and the action space of a floor."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

import msgspec

from jamboree.core.geometry import bits
from jamboree.core.kit.action_space import ActionSpace
from jamboree.core.offers import Offer

from ..box.components import BOX
from ..box.room import Room

PAIRS = tuple(combinations(range(BOX.songs_dealt), BOX.songs_discarded))
PAIR_NUMBER = {pair: number for number, pair in enumerate(PAIRS)}
SETLIST = BOX.songs_dealt - BOX.songs_discarded


class Action(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """An action of a seat; a song is an index into the player's hand."""


class DiscardSongs(Action, frozen=True, tag=True):
    """Seal which two of the ten songs go; the lower index comes first."""

    first: int
    second: int


class CueSong(Action, frozen=True, tag=True):
    """Seal which song is played this round."""

    slot: int


class ChooseHype(Action, frozen=True, tag=True):
    """Pick one of the Hypemaster's two cards."""

    place: int


class SwapDancers(Action, frozen=True, tag=True):
    """Move a dancer; the one nearer the stage, or further left, is named first."""

    cell: str
    other: str


class SendOnBreak(Action, frozen=True, tag=True):
    cell: str


class PlaceToken(Action, frozen=True, tag=True):
    cell: str


class FinishSong(Action, frozen=True, tag=True):
    """Leave the rest of a song."""


class RecoverToken(Action, frozen=True, tag=True):
    """Discard a fan to get its token back."""

    cell: str


class MakeSuperfan(Action, frozen=True, tag=True):
    """Choose the fan of a Crowd Bonus."""

    cell: str


class KeepFan(Action, frozen=True, tag=True):
    """Choose the fan that stays on the floor after combos."""

    cell: str


class Decline(Action, frozen=True, tag=True):
    """Decline an option: a token before a song, giving up a fan, replacing a sealed choice."""


AnyAction = (
    DiscardSongs
    | CueSong
    | ChooseHype
    | SwapDancers
    | SendOnBreak
    | PlaceToken
    | FinishSong
    | RecoverToken
    | MakeSuperfan
    | KeepFan
    | Decline
)

Offers = tuple[Offer[AnyAction], ...]


class BpmActionSpace(ActionSpace[AnyAction]):
    """Offers by cell are indexed by the cell's number."""

    def __init__(self, room: Room) -> None:
        super().__init__()
        names = room.names
        discard = self.add(DiscardSongs(*pair) for pair in PAIRS)
        cue = self.add(CueSong(slot) for slot in range(SETLIST))
        self.hype = self.add(ChooseHype(place) for place in range(2))
        self.pairs: dict[tuple[int, int], int] = {}
        self.swaps = {kind: tuple(self._swaps(room, kind)) for kind in room.swaps}
        self.send_home = (self.add(SendOnBreak(name) for name in names),)
        self.place = (self.add(PlaceToken(name) for name in names),)
        self.recover = (self.add(RecoverToken(name) for name in names),)
        self.superfan = (self.add(MakeSuperfan(name) for name in names),)
        self.keep = (self.add(KeepFan(name) for name in names),)
        self.finish = (self.add([FinishSong()]),)
        self.decline = (self.add([Decline()]),)
        self.discards = self._sealing(discard)
        self.cues = tuple(self._sealing(cue[:songs]) for songs in range(SETLIST + 1))

    def _sealing(self, offers: Offers) -> tuple[Offers, ...]:
        """Index the offers by the sealed choice, which can't be repeated; the last entry is for no sealed choice."""
        (decline,) = self.decline
        return (*(decline + offers[:at] + offers[at + 1 :] for at in range(len(offers))), offers)

    def _swaps(self, room: Room, kind: int) -> Iterable[tuple[tuple[Offers], int, int]]:
        """Yield for each distance of a movement: the offers by first cell, the distance, the mask of first cells."""
        for distance, starts in room.swaps[kind]:
            cells = list(bits(starts))
            if not cells:  # a floor too small for hops
                continue
            self.pairs.update({(cell, cell + distance): kind for cell in cells})
            offers = self.add(SwapDancers(room.names[cell], room.names[cell + distance]) for cell in cells)
            by_cell = dict(zip(cells, offers, strict=True))
            yield (tuple(by_cell.get(cell, offers[0]) for cell in range(room.grid.size)),), distance, starts


@lru_cache(maxsize=64)
def action_space(room: Room) -> BpmActionSpace:
    return BpmActionSpace(room)
