"""Plays many games between greedy bots and writes what came of it as tables: `python -m jamboree.games.boogie.report`.

With a file as its argument, the tables replace what stands there between the two marks.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, quantiles
from typing import Any, NamedTuple

from jamboree.core.chance import Seeded
from jamboree.core.play import Match, play

from .bots.greedy import LIES, GreedyBot
from .box.components import BOX, FEWEST, MOST
from .game import game
from .rules.events import JumpersCounted, JumpScored, PromiseJudged
from .rules.setup import Options

GAMES, SILENT_GAMES, BATCH = 2_000, 500, 50
BEGIN, END = "<!-- simulation: begin -->", "<!-- simulation: end -->"
SEATS = range(FEWEST, MOST + 1)


class Batch(NamedTuple):
    seats: int
    promises: bool
    first: int
    games: int


class Tally(NamedTuple):
    """What happened in some games: events counted, points by kind of jump, final scores."""

    counts: Counter[tuple[Any, ...]]
    scores: list[int]
    winners: list[int]
    actions: int

    def __add__(self, other: "Tally") -> "Tally":  # type: ignore[override]
        return Tally(
            self.counts + other.counts,
            self.scores + other.scores,
            self.winners + other.winners,
            self.actions + other.actions,
        )


Row = Callable[[Tally], str]


def play_batch(batch: Batch) -> Tally:
    """Play games to their end; one that stalls or runs into a dead end raises."""
    tally = Tally(Counter(), [], [], 0)

    def hear(actor: Any, action: Any, events: list[Any]) -> None:
        count(events, tally.counts)

    for number in range(batch.first, batch.first + batch.games):
        rng = random.Random(f"{batch.seats} {batch.promises} {number}")
        match = Match(game, batch.seats, Options(promises=batch.promises), Seeded(rng.getrandbits(64)))
        match.listeners.append(hear)
        play(match, [GreedyBot(rng.getrandbits(64)) for _ in range(batch.seats)], rng)
        scores = list(game.scores(match.state))
        actions = len(match.journal().entries)
        tally = Tally(tally.counts, tally.scores + scores, [*tally.winners, max(scores)], tally.actions + actions)
    return tally


def count(events: Sequence[Any], counts: Counter[tuple[Any, ...]]) -> None:
    for event in events:
        match event:
            case JumpersCounted():
                counts["jump", event.jump.number, event.verdict] += 1
            case JumpScored():
                counts["result", event.jump.number, event.result] += 1
                counts["points", event.jump.number, ""] += event.points
            case PromiseJudged():
                counts["promise", event.term.pledge, event.verdict] += 1


def simulate(games: int, promises: bool) -> dict[int, Tally]:
    firsts = range(0, games, BATCH)
    batches = [Batch(seats, promises, first, min(BATCH, games - first)) for seats in SEATS for first in firsts]
    found: dict[int, Tally] = {}
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for batch, tally in zip(batches, pool.map(play_batch, batches), strict=True):
            found[batch.seats] = found[batch.seats] + tally if batch.seats in found else tally
    return found


def of(tally: Tally, *key: Any) -> int:
    """Add up the counts whose key begins like this, or whose parts are among these."""
    return sum(
        count
        for found, count in tally.counts.items()
        if all(part in want if isinstance(want, set) else part == want for part, want in zip(found, key, strict=False))
    )


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"


def tables(talking: dict[int, Tally], silent: dict[int, Tally]) -> Iterator[str]:
    games, quiet = (sum(len(tally.winners) for tally in all_of.values()) // len(SEATS) for all_of in (talking, silent))
    lies = share(round(100 * LIES), 100)
    yield f"{games:,} games of greedy bots for each number of players, every one of them played to its end. What a bot"
    yield f"promises about a jump it does not mean in {lies} of the cases; a promise to do no harm may then still be"
    yield f"kept, by chance. {quiet:,} more games of each number without promises. A dash stands for a formation not in"
    yield "play, or for a share of nothing."
    for title, rows in TABLES.items():
        yield from head(title)
        for label, say in rows.items():
            yield row(label, say, talking)
    yield from head("with and without promises")
    for label, say in COMPARED.items():
        yield row(f"{label}, with", say, talking)
        yield row(f"{label}, without", say, silent)


def head(title: str) -> Iterator[str]:
    yield ""
    yield f"| {title} | " + " | ".join(f"{seats} players" for seats in SEATS) + " |"
    yield "|---|" + "---:|" * len(SEATS)


def row(label: str, say: Row, tallies: dict[int, Tally]) -> str:
    return f"| {label} | " + " | ".join(say(tallies[seats]) for seats in SEATS) + " |"


def tenths(tally: Tally) -> list[float]:
    return quantiles(tally.scores, n=10)


FORMATIONS = set(BOX.formations)
PLACE = {"exact", "halved"}

SCORES: dict[str, Row] = {
    "mean score": lambda tally: f"{mean(tally.scores):.0f}",
    "lowest tenth, up to": lambda tally: f"{tenths(tally)[0]:.0f}",
    "median": lambda tally: f"{tenths(tally)[4]:.0f}",
    "highest tenth, from": lambda tally: f"{tenths(tally)[8]:.0f}",
    "winning score": lambda tally: f"{mean(tally.winners):.0f}",
    "actions a game": lambda tally: f"{tally.actions / len(tally.winners):.0f}",
}


def seats_of(tally: Tally) -> int:
    return len(tally.scores) // len(tally.winners)


def kind_row(number: int) -> Row:
    """Say how many of the jumps were of this kind; a formation not in play has no share."""
    return lambda tally: share(of(tally, "jump", number), of(tally, "jump") if number < seats_of(tally) else 0)


def worth_row(number: int) -> Row:
    """Say what a jumper got from a jump of this kind that took place, on average."""

    def say(tally: Tally) -> str:
        took_place = of(tally, "jump", number, PLACE)
        return f"{of(tally, 'points', number) / took_place:.1f}" if took_place else "–"

    return say


KINDS: dict[str, Row] = {
    "solo": kind_row(1),
    **{f"formation {number}": kind_row(number) for number in BOX.formations},
    "points from a solo": worth_row(1),
    **{f"points from formation {number}": worth_row(number) for number in BOX.formations},
}


def jump_row(kind: Any, verdict: Any) -> Row:
    return lambda tally: share(of(tally, "jump", kind, verdict), of(tally, "jump", kind))


def result_row(kind: Any, result: str) -> Row:
    return lambda tally: share(of(tally, "result", kind, result), of(tally, "result", kind))


RESULTS: dict[str, Row] = {
    "solos: nobody jumps": jump_row(1, "nobody"),
    "solos that take place: success": result_row(1, "success"),
    "… the roll fails": result_row(1, "failure"),
    "… no figures": result_row(1, "no figures"),
    "formations: exactly right": jump_row(FORMATIONS, "exact"),
    "… too few, half": jump_row(FORMATIONS, "halved"),
    "… too many": jump_row(FORMATIONS, "too many"),
    "… nobody jumps": jump_row(FORMATIONS, "nobody"),
    "formations that take place: success": result_row(FORMATIONS, "success"),
    "… their roll fails": result_row(FORMATIONS, "failure"),
    "… they have no figures": result_row(FORMATIONS, "no figures"),
}
PLEDGES = {"sure", "maybe", "out", "figures", "harmless"}


def promise_row(verdict: str) -> Row:
    return lambda tally: share(of(tally, "promise", PLEDGES, verdict), of(tally, "promise"))


PROMISES: dict[str, Row] = {
    "a game": lambda tally: f"{of(tally, 'promise') / len(tally.winners):.0f}",
    "kept": promise_row("kept"),
    "broken": promise_row("broken"),
    "void": promise_row("void"),
}
TABLES = {
    "scores": SCORES,
    "jumps by kind, and points for each jumper": KINDS,
    "what became of them": RESULTS,
    "promises": PROMISES,
}


def a_game(verdict: str) -> Row:
    return lambda tally: f"{of(tally, 'jump', FORMATIONS, verdict) / len(tally.winners):.1f}"


COMPARED: dict[str, Row] = {
    "formations exactly right, a game": a_game("exact"),
    "formations with too many, a game": a_game("too many"),
    "mean score": lambda tally: f"{mean(tally.scores):.0f}",
}


def main(arguments: list[str]) -> None:
    text = "\n".join(tables(simulate(GAMES, promises=True), simulate(SILENT_GAMES, promises=False)))
    if not arguments:
        print(text)
        return
    path = Path(arguments[0])
    before, _, rest = path.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
