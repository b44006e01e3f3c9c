"""Recorded random games: every pick with its audience, and chances that replay picks with one of them changed."""

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


class RecordingChance(Chance):
    """Records every pick with its audience."""

    def __init__(self, seed: int) -> None:
        self.source = Seeded(seed)
        self.picks: list[Pick] = []

    def roll(self, faces: Sequence[str], seen_by: Audience = EVERYONE) -> int:
        face = self.source.roll(faces, seen_by)
        self.picks.append(Pick(tuple(faces), faces[face], seen_by))
        return face

    def pick(self, bag: Bag, seen_by: Audience = EVERYONE) -> int:
        kind = self.source.pick(bag, seen_by)
        self.picks.append(Pick(kinds_in_bag(bag), bag.kinds[kind], seen_by))
        return kind

    def take_picks(self) -> list[Pick]:
        picks, self.picks = self.picks, []
        return picks


def kinds_in_bag(bag: Bag) -> tuple[str, ...]:
    return tuple(kind for kind, count in zip(bag.kinds, bag.counts, strict=True) if count)


class Impossible(Exception):
    """A changed game can't continue like the recorded one."""


class VisibleDivergence(Impossible):
    """A changed game makes a public pick where the recorded one makes none."""


class ReplayedChance(Chance):
    """Repeats picks by value."""

    def __init__(self, picks: Sequence[Pick]) -> None:
        self.values = [pick.value for pick in picks]

    def roll(self, faces: Sequence[str], seen_by: Audience = EVERYONE) -> int:
        return list(faces).index(self.next_value(faces, seen_by))

    def pick(self, bag: Bag, seen_by: Audience = EVERYONE) -> int:
        return bag.kinds.index(self.next_value(kinds_in_bag(bag), seen_by))

    def next_value(self, possible: Sequence[str], seen_by: Audience) -> str:
        if not self.values or self.values[0] not in possible:
            raise Impossible
        return self.values.pop(0)


class PerturbedChance(ReplayedChance):
    """Replays picks after one hidden value was replaced; an impossible value is replaced by the spare."""

    def __init__(self, picks: Sequence[Pick], spare: str, viewer: int | None) -> None:
        super().__init__(picks)
        self.spare = spare
        self.viewer = viewer

    def next_value(self, possible: Sequence[str], seen_by: Audience) -> str:
        gone = bool(self.values) and self.values[0] not in possible
        if gone and self.spare in possible and not sees(seen_by, self.viewer):
            self.values[0] = self.spare
        return super().next_value(possible, seen_by)


class AlternativeChance(PerturbedChance):
    """Replays picks for another action than the recorded one, which may make additional hidden picks."""

    def next_value(self, possible: Sequence[str], seen_by: Audience) -> str:
        if self.values:
            return super().next_value(possible, seen_by)
        if sees(seen_by, self.viewer):
            raise VisibleDivergence
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
    """Play a random game; fail at a dead end or if it does not end."""
    rng, chance = random.Random(seed), RecordingChance(seed + 1)
    state = game.setup(seats, options, chance)
    record = Recorded(game, seats, options, chance.take_picks(), state.clone())
    while actors := game.to_act(state):
        assert len(record.moves) < BOUND, "the game does not end"
        actor = rng.choice(sorted(actors, key=str))
        offers = game.legal(state, actor)
        assert offers, f"{actor!r} is asked and has no legal action: a dead end"
        offer = offers[rng.randrange(len(offers))]
        events: list[Any] = []
        game.apply(state, actor, offer.action, chance, events.append)
        record.moves.append(Move(actor, offer.action, chance.take_picks(), events, state.clone()))
    assert game.outcome(state) is not None, "nobody is to act, and there is no outcome: a dead end"
    return record


def visible_bytes(game: AnyGame, state: Any, viewer: Viewer) -> bytes:
    """Encode everything that a viewer receives of a state."""
    offers = list(game.legal(state, viewer)) if isinstance(viewer, int) else []
    actors = sorted(map(str, game.to_act(state)))
    return msgspec.json.encode((game.view(state, viewer), offers, actors, game.timer(state)))


def witnessed_bytes(game: AnyGame, events: Sequence[Any], viewer: Viewer) -> bytes:
    return msgspec.json.encode([seen for event in events if (seen := game.witness(event, viewer)) is not None])
