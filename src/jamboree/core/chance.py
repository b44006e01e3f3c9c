"""Randomness: bags, decks and dice, and the sources that decide outcomes (seeded, recorded, replayed, scripted).

Rules never hold a random generator. They ask a `Chance` for a pick and name the seats that may see it. Every item has a
label, so that a recorded pick can be read, and replayed, by value.
"""

import random
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from .errors import BadJournal

Audience = int  # a bitmask of seats
EVERYONE: Audience = -1
NOBODY: Audience = 0


STRIDE = 12  # kinds summed at once when searching a large bag


def only(seat: int) -> Audience:
    return 1 << seat


def sees(audience: Audience, viewer: int | None) -> bool:
    """Return whether a seat, or a spectator (None), belongs to an audience."""
    return audience == EVERYONE or (viewer is not None and bool(audience >> viewer & 1))


class Bag(msgspec.Struct):
    """A multiset of labelled kinds. It has no order, so it holds no future draws that could leak."""

    kinds: tuple[str, ...]
    counts: list[int]
    total: int

    @classmethod
    def of(cls, kinds: Sequence[str], counts: Iterable[int]) -> "Bag":
        counted = list(counts)
        return cls(tuple(kinds), counted, sum(counted))

    def clone(self) -> "Bag":
        return Bag(self.kinds, self.counts[:], self.total)

    def kind_at(self, index: int) -> int:
        """Return the kind of the index-th item, with items sorted by kind."""
        if not 0 <= index < self.total:
            raise IndexError("the bag holds fewer items")
        counts, kind = self.counts, 0
        while kind + STRIDE < len(counts) and index >= (here := sum(counts[kind : kind + STRIDE])):
            index -= here
            kind += STRIDE
        while index >= (here := counts[kind]):
            index -= here
            kind += 1
        return kind

    def span(self, kind: int) -> range:
        """Return the range of indices that items of a kind occupy."""
        start = sum(self.counts[:kind])
        return range(start, start + self.counts[kind])

    def take(self, kind: int) -> None:
        if not self.counts[kind]:
            raise ValueError(f"no {self.kinds[kind]} left in the bag")
        self.counts[kind] -= 1
        self.total -= 1

    def put(self, kind: int, count: int = 1) -> None:
        self.counts[kind] += count
        self.total += count

    def only(self, kinds: Iterable[int]) -> "Bag":
        """Return a copy that contains only the given kinds."""
        wanted = set(kinds)
        return Bag.of(self.kinds, (n if kind in wanted else 0 for kind, n in enumerate(self.counts)))


class Deck(msgspec.Struct):
    """A pile of multisets, top layer first: the order between layers is fixed, the order within a layer is not."""

    layers: list[Bag]

    @property
    def total(self) -> int:
        return sum(layer.total for layer in self.layers)

    def top(self) -> Bag:
        """Return the layer from which the next card comes."""
        while self.layers and not self.layers[0].total:
            self.layers.pop(0)
        return self.layers[0]

    def put_under(self, layer: Bag) -> None:
        self.layers.append(layer)

    def clone(self) -> "Deck":
        return Deck([layer.clone() for layer in self.layers])


class Pick(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One random outcome: the index-th of n items, and its label."""

    stream: Literal["open", "hidden"]
    n: int
    index: int
    value: str


class Chance:
    """A source of random picks; subclasses implement `index`."""

    def index(self, n: int, seen_by: Audience) -> int:
        raise NotImplementedError

    def roll(self, faces: Sequence[str], seen_by: Audience = EVERYONE) -> int:
        """Return the index of the face that was rolled."""
        return self.index(len(faces), seen_by)

    def pick(self, bag: Bag, seen_by: Audience = EVERYONE) -> int:
        """Return the kind of a randomly picked item without removing it."""
        return bag.kind_at(self.index(bag.total, seen_by))

    def draw(self, bag: Bag, seen_by: Audience = EVERYONE) -> int:
        kind = self.pick(bag, seen_by)
        bag.counts[kind] -= 1
        bag.total -= 1
        return kind


class Uncertain(Exception):
    """The consequences of an action are not determined by what the viewer knows."""


class LeftToChance(Uncertain):
    """The next step depends on a random pick."""


class Unseen(Uncertain):
    """The rules need information that is hidden from the viewer of a restored position."""


class NoPicks(Chance):
    """Raises LeftToChance for every pick: for looking ahead as far as the outcome is certain."""

    def index(self, n: int, seen_by: Audience) -> int:
        raise LeftToChance


class Seeded(Chance):
    """Picks from a pseudo-random generator: for local games and simulations."""

    def __init__(self, seed: int | None = None) -> None:
        self.random = random.Random(seed).random

    def index(self, n: int, seen_by: Audience) -> int:
        return int(self.random() * n)

    def roll(self, faces: Sequence[str], seen_by: Audience = EVERYONE) -> int:
        return int(self.random() * len(faces))

    def draw(self, bag: Bag, seen_by: Audience = EVERYONE) -> int:
        kind = bag.kind_at(int(self.random() * bag.total))
        bag.counts[kind] -= 1
        bag.total -= 1
        return kind


class Recorded(Chance):
    """Takes picks from another source and records them."""

    def __init__(self, source: Chance) -> None:
        self.source = source
        self.picks: list[Pick] = []

    def roll(self, faces: Sequence[str], seen_by: Audience = EVERYONE) -> int:
        face = self.source.roll(faces, seen_by)
        self._record(len(faces), face, faces[face], seen_by)
        return face

    def pick(self, bag: Bag, seen_by: Audience = EVERYONE) -> int:
        index = self.source.index(bag.total, seen_by)
        kind = bag.kind_at(index)
        self._record(bag.total, index, bag.kinds[kind], seen_by)
        return kind

    def take_picks(self) -> list[Pick]:
        """Return the recorded picks and clear the record."""
        picks, self.picks = self.picks, []
        return picks

    def _record(self, n: int, index: int, value: str, seen_by: Audience) -> None:
        self.picks.append(Pick("open" if seen_by == EVERYONE else "hidden", n, index, value))


class Scripted(Chance):
    """Returns values scripted by a test, given by their labels."""

    def __init__(self, *values: str) -> None:
        self.values = list(values)

    def roll(self, faces: Sequence[str], seen_by: Audience = EVERYONE) -> int:
        return list(faces).index(self._next(faces))

    def pick(self, bag: Bag, seen_by: Audience = EVERYONE) -> int:
        here = [kind for kind, count in zip(bag.kinds, bag.counts, strict=True) if count]
        return bag.kinds.index(self._next(here))

    def _next(self, possible: Sequence[str]) -> str:
        assert self.values, f"the script has no value left; the rules ask for one of {list(possible)}"
        value = self.values.pop(0)
        assert value in possible, f"the script says {value}; possible values: {list(possible)}"
        return value


class Replayed(Chance):
    """Repeats recorded picks by value and validates each of them."""

    def __init__(self, picks: Sequence[Pick]) -> None:
        self.picks = list(picks)
        self.used = 0

    @property
    def spent(self) -> bool:
        return self.used == len(self.picks)

    def roll(self, faces: Sequence[str], seen_by: Audience = EVERYONE) -> int:
        pick = self._next(len(faces), seen_by)
        if not 0 <= pick.index < len(faces) or faces[pick.index] != pick.value:
            raise BadJournal(f"a roll of {pick.value!r} does not fit its index {pick.index}")
        return pick.index

    def pick(self, bag: Bag, seen_by: Audience = EVERYONE) -> int:
        pick = self._next(bag.total, seen_by)
        kind = bag.kinds.index(pick.value) if pick.value in bag.kinds else -1
        if kind < 0 or pick.index not in bag.span(kind):
            raise BadJournal(f"a draw of {pick.value!r} does not fit its index {pick.index}")
        return kind

    def _next(self, n: int, seen_by: Audience) -> Pick:
        if self.spent:
            raise BadJournal("a pick is missing")
        pick = self.picks[self.used]
        self.used += 1
        if pick.n != n:
            raise BadJournal(f"a pick among {pick.n} should be among {n}")
        if pick.stream != ("open" if seen_by == EVERYONE else "hidden"):
            raise BadJournal(f"a pick from the {pick.stream} stream should be from the other one")
        return pick
