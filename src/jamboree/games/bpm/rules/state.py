"""The state of a game of BPMs Per Minute. Sets of cells are bit masks; dancers, songs and cards are small numbers."""

from copy import copy

import msgspec

from jamboree.core.chance import Bag, Deck, Unseen

from ..box.cards import BENDS, Bends
from ..box.components import BOX
from ..box.crate import Crate
from ..box.dancers import fits
from ..box.room import Room

PHASES = ("setlist", "hype", "cue", "welcome", "recover", "song", "bonus", "stay", "gift", "over")
SETLIST, HYPE, CUE, WELCOME, RECOVER, SONG, BONUS, STAY, GIFT, OVER = range(len(PHASES))
SEALED_PHASES = (SETLIST, CUE)

NONE = -1  # no dancer, song, card, choice, quest or corner
UNSEEN = -2  # something a viewer does not know, in a position restored from that viewer's view


class State(msgspec.Struct):
    room: Room
    crate: Crate
    hypemaster: bool

    round: int  # 0 while setlists are picked
    phase: int
    first: int  # the seat that is dealt first, and is the first Hypemaster
    turn: int  # the player to decide, if it is only one
    order: tuple[int, ...]  # of songs
    at: int  # the place in that order

    card: int  # the Hype card of this round
    drawn: tuple[int, ...]  # the Hypemaster's two cards
    used: tuple[int, ...]  # Hype cards of the eight rounds, as they came
    hype: Deck  # with a Hypemaster; otherwise cards come out of the box when they are needed
    under_by: tuple[int, ...]  # who put the lowest layers of that deck there
    hype_box: Bag

    floor: list[int]  # the dancer in each cell
    present: int  # cells with a dancer
    colours: list[int]  # cells by colour
    fans: list[int]  # cells by player
    taken: int  # cells with a token
    pile: Bag
    gone: list[int]  # the discard pile of dancers, by kind
    ball: int  # the cell front-left of the Beachball

    tokens: list[int]
    superfans: list[list[int]]  # by player and kind
    quests: list[int]
    spare_quests: Bag

    deck: Bag
    hands: list[tuple[int, ...]]
    aside: list[tuple[int, ...]]  # by player: the songs discarded in secret
    played: tuple[int, ...]
    playing: list[int]  # by player: the song of this round, once it is dropped
    sealed: list[int]  # by player: the number of the sealed choice
    changes: list[int]  # by player: how often a sealed choice can still be replaced
    open: int  # seats that may still seal or replace a choice
    early: int  # seats whose song of this deal is from before the last reshuffle
    recycled: tuple[int, ...]  # songs that were played before that reshuffle
    returned: list[tuple[int, ...]]  # by player: what was put aside before it

    moves: int  # actions this song still allows
    places: int  # tokens it still allows
    limit: int  # cells it can place on

    def clone(self) -> "State":
        clone = copy(self)
        clone.hype, clone.hype_box = self.hype.clone(), self.hype_box.clone()
        clone.floor = self.floor[:]
        clone.colours = self.colours[:]
        clone.fans = self.fans[:]
        clone.pile, clone.gone = self.pile.clone(), self.gone[:]
        clone.tokens, clone.superfans = self.tokens[:], [counts[:] for counts in self.superfans]
        clone.quests, clone.spare_quests = self.quests[:], self.spare_quests.clone()
        clone.deck = self.deck.clone()
        clone.hands = self.hands[:]
        clone.aside = self.aside[:]
        clone.playing = self.playing[:]
        clone.sealed = self.sealed[:]
        clone.changes = self.changes[:]
        clone.returned = self.returned[:]
        return clone

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def bends(self) -> Bends:
        """The rules bent by this round's Hype card."""
        return BENDS[self.card]

    @property
    def empty(self) -> int:
        """The mask of dancers without a token."""
        return self.present & ~self.taken

    @property
    def is_extra(self) -> bool:
        return self.round > BOX.rounds

    @property
    def quests_open(self) -> bool:
        """Quests are revealed after the eighth round; extra rounds are played with open quests."""
        return self.is_extra or self.phase == OVER

    def left_of(self, seat: int) -> int:
        return (seat + 1) % len(self.hands)

    def from_first(self) -> list[int]:
        """Return the seats in turn order."""
        return [(self.first + turn) % self.seats for turn in range(self.seats)]

    def in_lines(self, seat: int) -> int:
        return self.room.in_lines(self.fans[seat], self.bends.row_line)

    def quest_matches(self, seat: int) -> int:
        quest = self.quests[seat]
        if quest == UNSEEN:
            raise Unseen
        return sum(count for kind, count in enumerate(self.superfans[seat]) if count and fits(quest, kind))

    def superfan_points(self, seat: int) -> int:
        return BOX.superfan_points * sum(self.superfans[seat])

    def quest_points(self, seat: int) -> int:
        return BOX.quest_points * self.quest_matches(seat)
