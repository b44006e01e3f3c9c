"""Measures players with a temperament: `python -m tests.games.boogie.bots.honesty 200` plays so many games."""

import random
import sys
from collections import Counter
from collections.abc import Iterable
from statistics import quantiles
from typing import Any

from jamboree.core.chance import Seeded
from jamboree.core.play import Match, play
from jamboree.games.boogie.bots.players import BOTS
from jamboree.games.boogie.bots.temperaments import TEMPERAMENTS
from jamboree.games.boogie.rules.events import CardLaid, JumpCalled, PromiseJudged, PromiseMade
from jamboree.games.boogie.rules.setup import Options

from ..table import BOOGIE

TABLE = [*TEMPERAMENTS] * 2


class Habits:
    """What the players of some games did, by their names."""

    def __init__(self) -> None:
        self.counts = Counter[tuple[str, str]]()
        self.laid: dict[str, list[float]] = {}  # seconds into the jump
        self.wins = dict.fromkeys(TEMPERAMENTS, 0.0)

    def watch(self, number: int, players: list[str]) -> None:
        """Play a game against the clock with these on its seats."""
        playing = Match(BOOGIE, len(players), Options(pace="standard"), Seeded(number))
        planes = [0.0]
        spoke = set[str]()

        def hear(actor: Any, action: Any, events: list[Any]) -> None:
            for event in events:
                match event:
                    case PromiseJudged():
                        self.counts[players[event.seat], event.verdict] += 1
                    case PromiseMade():
                        spoke.add(f"{event.seat} {len(planes)}")
                    case JumpCalled():
                        planes.append(playing.watch.now)
                    case CardLaid():
                        self.laid.setdefault(players[event.seat], []).append(playing.watch.now - planes[-1])

        playing.listeners.append(hear)
        play(playing, [BOTS[name](1000 * number + seat) for seat, name in enumerate(players)], random.Random(number))
        outcome = BOOGIE.outcome(playing.state)
        assert outcome is not None
        for seat, name in enumerate(players):
            self.counts[name, "silent"] += sum(f"{seat} {plane}" not in spoke for plane in range(1, len(planes)))
            self.counts[name, "planes"] += len(planes) - 1
            self.wins[name] += (seat in outcome.winners) / len(outcome.winners)

    def kept(self, name: str) -> float:
        """Return the share of promises that were kept, of those that were not void."""
        kept, broken = self.counts[name, "kept"], self.counts[name, "broken"]
        return kept / (kept + broken)

    def silence(self, name: str) -> float:
        return self.counts[name, "silent"] / self.counts[name, "planes"]

    def moments(self, name: str) -> list[float]:
        """Return the tenths of the seconds at which cards were laid."""
        return quantiles(self.laid[name], n=10)


def habits(numbers: Iterable[int]) -> Habits:
    found = Habits()
    for number in numbers:
        turn = number % len(TABLE)
        found.watch(number, TABLE[turn:] + TABLE[:turn])
    return found


def main(games: int) -> None:
    found = habits(range(games))
    print("| temperament | promises kept | planes without a word | cards laid at (tenth, half, nine tenths) | wins |")
    print("|---|---:|---:|---:|---:|")
    for name in TEMPERAMENTS:
        first, half, last = (found.moments(name)[at] for at in (0, 4, 8))
        wins = found.wins[name] / games
        print(
            f"| {name} | {found.kept(name):.0%} of {found.counts[name, 'kept'] + found.counts[name, 'broken']}"
            f" | {found.silence(name):.0%} | {first:.0f}, {half:.0f}, {last:.0f} s | {wins:.0%} |"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
