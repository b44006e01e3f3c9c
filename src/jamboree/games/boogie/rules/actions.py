"""The players' actions, in the rulebook's verbs, and the action space of a number of seats."""

from functools import lru_cache
from typing import Literal, get_args

import msgspec

from jamboree.core.geometry import mask_of
from jamboree.core.kit.action_space import ActionSpace
from jamboree.core.offers import Block, Caution, Menu, Offer
from jamboree.core.seats import Seat

from ..box.components import BOX, CARDS, CHARACTER_MASK, FIGURES, JUMPCARD_MASK, SOLO_FIGURES, SURE
from ..box.jumps import Jump, Layout, layout

Stance = Literal["sure", "maybe", "out"]
Pledge = Literal["sure", "maybe", "out", "figures", "harmless"]
STANCES: tuple[Stance, ...] = get_args(Stance)
PLEDGES: tuple[Pledge, ...] = get_args(Pledge)


class Term(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a promise: to be in or out of a jump, to add figures to it, or to do it no harm."""

    pledge: Pledge
    jump: Jump
    worth: int = 0  # of figures: at least so much


class Action(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    pass


class SayReady(Action, frozen=True, tag=True):
    pass


class WithdrawReady(Action, frozen=True, tag=True):
    pass


class PromiseTo(Action, frozen=True, tag=True):
    """Begin a promise to one player, or to all."""

    to: Seat | None


class AskInExchange(Action, frozen=True, tag=True):
    """Ask for a promise in exchange for the one that was begun."""

    term: Term


class Promise(Action, frozen=True, tag=True):
    """Complete the promise with its content."""

    term: Term


class PlayCard(Action, frozen=True, tag=True):
    """Lay a card face down on a jump; `after_pull` if the player had already been shown PULL."""

    card: str
    jump: Jump
    after_pull: bool = False


class SayDone(Action, frozen=True, tag=True):
    pass


class TimeUp(Action, frozen=True, tag=True):
    """The clock's only action."""


AnyAction = SayReady | WithdrawReady | PromiseTo | AskInExchange | Promise | PlayCard | SayDone | TimeUp
Offers = tuple[Offer[AnyAction], ...]

TIME_UP: Offers = (Offer(TimeUp()),)

TWICE = Caution("disqualified", "twice")
TWICE_SOLO = Caution("disqualified", "twice-solo")
SOLO_FIGURE = Caution("solo-figures", "solo-figure")
LATE = Caution("late", "late")


class BoogieActionSpace(ActionSpace[AnyAction]):
    def __init__(self, table: Layout) -> None:
        super().__init__()
        self.layout = table
        self.terms = _terms(table)
        self.term_number = {term: at for at, term in enumerate(self.terms)}
        self.own_terms = tuple(self._own_terms(seat) for seat in range(table.seats))
        self.ready, self.unready = self.add([SayReady()]), self.add([WithdrawReady()])
        self.done, _ = self.add([SayDone()]), self.add(offer.action for offer in TIME_UP)
        self.addresses = self.add([*(PromiseTo(seat) for seat in range(table.seats)), PromiseTo(None)])
        self.asks = self.add(AskInExchange(term) for term in self.terms)
        self.promises = self.add(Promise(term) for term in self.terms)
        self.spots: dict[PlayCard, tuple[int, int]] = {}  # the jump and the card of each play
        in_time = [self._plays(at, after_pull=False) for at in range(len(table.jumps))]
        late = [self._plays(at, after_pull=True) for at in range(len(table.jumps))]
        paired = list(zip(in_time, table.jumps, strict=True))
        self.first = [_cautioned(plays, _first_cautions(jump)) for plays, jump in paired]
        self.second = [_cautioned(plays, _second_cautions(jump)) for plays, jump in paired]
        self.late = [_cautioned(plays, dict.fromkeys(range(len(CARDS)), (LATE,))) for plays in late]
        self._open: dict[tuple[bool, int], tuple[Offers, ...]] = {}
        self._characters: dict[int, tuple[tuple[Offers, ...], tuple[Offers, ...]]] = {}
        self.plane_menus: dict[tuple[int, bool, bool, bool, int], Menu[AnyAction]] = {}

    def _plays(self, jump: int, after_pull: bool) -> Offers:
        plays = [PlayCard(card, self.layout.jumps[jump], after_pull) for card in CARDS]
        self.spots.update({play: (jump, card) for card, play in enumerate(plays)})
        return self.add(plays)

    def _own_terms(self, seat: int) -> int:
        """Return the mask of terms a seat can promise: in and out only of formations and the own solo."""
        others = {jump for jump in self.layout.jumps if jump.solo not in (None, seat)}
        return mask_of(at for at, term in enumerate(self.terms) if not (term.pledge in STANCES and term.jump in others))

    def jumpcard_block(self, held: int, opened: int, late: bool) -> Block[AnyAction]:
        """Offer the jumpcards of a hand on every jump that has a character card."""
        tables = self._open.get((late, opened))
        if tables is None:
            source = self.late if late else self.first
            tables = tuple(source[at] for at in range(len(self.layout.jumps)) if opened >> at & 1)
            self._open[late, opened] = tables
        return tables, held & JUMPCARD_MASK

    def character_blocks(self, seat: int, held: int, standing: int) -> list[Block[AnyAction]]:
        """Offer the character cards of a hand, with a warning where the player has one already."""
        key = standing << 3 | seat
        tables = self._characters.get(key)
        if tables is None:
            own = [at for at in range(len(self.layout.jumps)) if self.layout.own[seat] >> at & 1]
            first = tuple(self.first[at] for at in own if not standing >> at & 1)
            second = tuple(self.second[at] for at in own if standing >> at & 1)
            tables = self._characters[key] = first, second
        return [(tables[0], held & CHARACTER_MASK), (tables[1], held & CHARACTER_MASK)]

    def late_block(self, seat: int, held: int) -> Block[AnyAction]:
        own = self.layout.own[seat]
        return tuple(self.late[at] for at in range(len(self.late)) if own >> at & 1), held & CHARACTER_MASK


def _terms(table: Layout) -> tuple[Term, ...]:
    stances = [Term(stance, jump) for stance in STANCES for jump in table.jumps]
    figures = [Term("figures", jump, worth) for jump in table.jumps for worth in range(1, BOX.limits.worth_max + 1)]
    return (*stances, *figures, *(Term("harmless", jump) for jump in table.jumps))


def _first_cautions(jump: Jump) -> dict[int, tuple[Caution, ...]]:
    high = range(SOLO_FIGURES, FIGURES) if jump.solo is not None else ()
    return dict.fromkeys(high, (SOLO_FIGURE,))


def _second_cautions(jump: Jump) -> dict[int, tuple[Caution, ...]]:
    return dict.fromkeys(range(SURE, len(CARDS)), (TWICE if jump.solo is None else TWICE_SOLO,))


def _cautioned(offers: Offers, cautions: dict[int, tuple[Caution, ...]]) -> Offers:
    return tuple(
        Offer(offer.action, cautions[card]) if card in cautions else offer for card, offer in enumerate(offers)
    )


@lru_cache
def action_space(seats: int) -> BoogieActionSpace:
    return BoogieActionSpace(layout(seats))
