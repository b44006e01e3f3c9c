"""A random game with all that was picked, who could see it, and how to play it again with something changed."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from jamboree.core.chance import EVERYONE, Audience, Bag, Chance, Seeded, sees
from jamboree.core.game import Actor, AnyGame, Viewer

BOUND = 5_000  # no game of ours takes more actions than this


class Pick(NamedTuple):
    possible: tuple[str, ...]
    value: str
    seen_by: Audience


class Note(Chance):
    """Keeps every pick with its audience."""

    def __init__(self, seed: int) -> None:
        self.source = Seeded(seed)
        self.picks: list[Pick] = []

    def roll(self, faces: Sequence[str], seen_by: Audience = EVERYONE) -> int:
        face = self.source.roll(faces, seen_by)
        self.picks.append(Pick(tuple(faces), faces[face], seen_by))
        return face

    def pick(self, bag: Bag, seen_by: Audience = EVERYONE) -> int:
        kind = self.source.pick(bag, seen_by)
        self.picks.append(Pick(in_bag(bag), bag.kinds[kind], seen_by))
        return kind

    def taken(self) -> list[Pick]:
        picks, self.picks = self.picks, []
        return picks


def in_bag(bag: Bag) -> tuple[str, ...]:
    return tuple(kind for kind, count in zip(bag.kinds, bag.counts, strict=True) if count)


class Impossible(Exception):
    """A changed game can't go on as the recorded one did."""


class Unlike(Impossible):
    """A changed game picks something for all to see where the recorded one picks nothing."""


class Again(Chance):
    """Repeats picks by value."""

    def __init__(self, picks: Sequence[Pick]) -> None:
        self.values = [pick.value for pick in picks]

    def roll(self, faces: Sequence[str], seen_by: Audience = EVERYONE) -> int:
        return list(faces).index(self.next_value(faces, seen_by))

    def pick(self, bag: Bag, seen_by: Audience = EVERYONE) -> int:
        return bag.kinds.index(self.next_value(in_bag(bag), seen_by))

    def next_value(self, possible: Sequence[str], seen_by: Audience) -> str:
        if not self.values or self.values[0] not in possible:
            raise Impossible
        return self.values.pop(0)


class Changed(Again):
    """Repeats picks of a game in which one hidden value became another; where a value is gone, its spare steps in."""

    def __init__(self, picks: Sequence[Pick], spare: str, viewer: int | None) -> None:
        super().__init__(picks)
        self.spare = spare
        self.viewer = viewer

    def next_value(self, possible: Sequence[str], seen_by: Audience) -> str:
        gone = bool(self.values) and self.values[0] not in possible
        if gone and self.spare in possible and not sees(seen_by, self.viewer):
            self.values[0] = self.spare
        return super().next_value(possible, seen_by)


class Otherwise(Changed):
    """Goes along with another action than the recorded one, which may pick something more that stays hidden."""

    def next_value(self, possible: Sequence[str], seen_by: Audience) -> str:
        if self.values:
            return super().next_value(possible, seen_by)
        if sees(seen_by, self.viewer):
            raise Unlike
        return possible[0]


@dataclass
class Move:
    actor: Actor
    action: Any
    picks: list[Pick]
    events: list[Any]
    after: Any  # the state


@dataclass
class Recorded:
    game: AnyGame
    seats: int
    options: Any
    setup: list[Pick]
    start: Any
    moves: list[Move] = field(default_factory=list)

    @property
    def viewers(self) -> list[int | None]:
        return [None, *range(self.seats)]

    @property
    def states(self) -> list[Any]:
        return [self.start, *(move.after for move in self.moves)]


def play_at_random(game: AnyGame, seats: int, options: Any, seed: int) -> Recorded:
    """Play a random game; fail at a dead end or when it does not stop."""
    rng, chance = random.Random(seed), Note(seed + 1)
    state = game.setup(seats, options, chance)
    record = Recorded(game, seats, options, chance.taken(), state.clone())
    while actors := game.to_act(state):
        assert len(record.moves) < BOUND, "the game does not end"
        actor = rng.choice(sorted(actors, key=str))
        offers = game.legal(state, actor)
        assert offers, f"{actor!r} is asked and has no legal action: a dead end"
        offer = offers[rng.randrange(len(offers))]
        events: list[Any] = []
        game.apply(state, actor, offer.action, chance, events.append)
        record.moves.append(Move(actor, offer.action, chance.taken(), events, state.clone()))
    assert game.outcome(state) is not None, "nobody is to act, and there is no outcome: a dead end"
    return record


def shown(game: AnyGame, state: Any, viewer: Viewer) -> bytes:
    """Write all that a viewer is given of a position."""
    offers = list(game.legal(state, viewer)) if isinstance(viewer, int) else []
    actors = sorted(map(str, game.to_act(state)))
    return msgspec.json.encode((game.view(state, viewer), offers, actors, game.timer(state)))


def told(game: AnyGame, events: Sequence[Any], viewer: Viewer) -> bytes:
    return msgspec.json.encode([seen for event in events if (seen := game.witness(event, viewer)) is not None])
