"""The scenario of a simulation: games, people and faults, all derived from the seed."""

import random
from typing import Any

import msgspec

GAMES: tuple[tuple[str, int, tuple[int, int], tuple[dict[str, Any], ...]], ...] = (
    ("high-card", 9, (2, 3), ({}, {"timed": True}, {"timed": True})),
    ("boogie", 4, (3, 4), ({"pace": "own", "plane_seconds": 5, "jump_seconds": 8}, {"promises": False})),
    ("bpm", 2, (2, 3), ({}, {"hypemaster": True})),
    ("bebop", 1, (2, 3), ({}, {"hidden_hands": True})),
)
HAS_CLOCK = ("high-card", "boogie")


class Party(msgspec.Struct, frozen=True):
    """The people and bots at one table."""

    game: str
    seats: int
    options: dict[str, Any]
    seconds: int | None  # per decision
    consent: str  # to undo
    bots: int
    connections: int
    strangers: int  # spectators who have not joined

    @property
    def people(self) -> int:
        """The number of human players."""
        return max(1, self.seats - self.bots)


class Scenario(msgspec.Struct, frozen=True):
    parties: list[Party]
    pace: float  # seconds between a client's actions
    storm: float  # seconds with faults
    calm: float  # seconds without
    weather: float  # seconds between faults of the server, about


def scenario(seed: int) -> Scenario:
    rng = random.Random(f"{seed} scenario")
    parties, long = [_party(rng) for _ in range(rng.choices((1, 2, 3), (8, 2, 1))[0])], rng.random() < 0.05
    return Scenario(
        parties=parties,
        pace=rng.choice((0.7, 1.5, 3.0)) * (4 if long else 1) * len(parties),
        storm=rng.uniform(60, 180) * (6 if long else 1),
        calm=rng.uniform(50, 90),
        weather=rng.choice((8.0, 20.0, 60.0)),
    )


def _party(rng: random.Random) -> Party:
    game, _, seats, options = rng.choices(GAMES, [weight for _, weight, _, _ in GAMES])[0]
    count = rng.choice(seats)
    return Party(
        game=game,
        seats=count,
        options=rng.choice(options),
        seconds=rng.choice((None, 8, 20)) if game not in HAS_CLOCK else None,
        consent=rng.choice(("everybody", "majority")),
        bots=rng.choice((0, 0, 1, count - 1)),
        connections=rng.choice((0, 1)),
        strangers=rng.choice((0, 0, 1)),
    )
