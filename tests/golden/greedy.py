"""Golden games of each game's own players, as action ids; `make golden` records them.

They were first recorded from players written on the states of the reference, with the random numbers of a twin. The
twins' players, which took their places, choose the same.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from jamboree.core.chance import Seeded
from jamboree.core.play import Match, play
from jamboree.games import find

FOLDER = Path(__file__).parent
PLAYERS = {
    "bebop": ("greedy",),
    "bpm": ("greedy", "learnt"),
    "boogie": ("greedy", "silent", "liar", "loyal", "opportunist", "rogue"),
}
MOST_SEATS = 3  # counts of seats that are played, spread over those a game has


def scenarios(key: str) -> Iterator[tuple[str, str, int, int]]:
    """List the recorded games: name, players, number of the sample of options, seats."""
    low, high = find(key).info.seats
    counts = range(low, high + 1)
    chosen = [counts[at * (len(counts) - 1) // (MOST_SEATS - 1)] for at in range(MOST_SEATS)]
    for bot in PLAYERS[key]:
        for sample in range(len(find(key).info.samples)):
            for seats in dict.fromkeys(chosen):
                yield f"{bot} {sample}-{seats}p", bot, sample, seats


def choices(key: str, bot: str, sample: int, seats: int) -> list[int]:
    """Play a game and list the ids of all actions."""
    game, number = find(key), 10 * sample + seats
    match, rng = Match(game, seats, game.info.samples[sample], Seeded(number)), random.Random(number)
    ids, made = {action: at for at, action in enumerate(game.actions(match.state))}, list[int]()
    match.listeners.append(lambda actor, action, events: made.append(ids[action]))
    play(match, [game.bots()[bot](100 * number + seat) for seat in range(seats)], rng)
    return made


def path(key: str) -> Path:
    return FOLDER / key / "greedy.json"


def write(key: str) -> None:
    games = {name: " ".join(map(str, choices(key, *about))) for name, *about in scenarios(key)}  # type: ignore[arg-type]
    path(key).write_text(json.dumps(games, indent=1) + "\n", encoding="utf-8")


def read(key: str) -> dict[str, list[int]]:
    games: dict[str, str] = json.loads(path(key).read_text("utf-8"))
    return {name: [int(number) for number in ids.split()] for name, ids in games.items()}
