"""Report on how Boogie Beasts plays, with promises and without."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import mean, quantiles
from typing import Any, NamedTuple

from jamboree.core.kit import reporting
from jamboree.core.kit.reporting import Plan, Play, Series, facts_of

from ..box.components import BOX, FEWEST, MOST
from ..fast import layout as at
from ..game import game
from ..rules.setup import Options
from .measure import Facts, measure

PLAN = Plan(seed=0)
SEATS = range(FEWEST, MOST + 1)


class Aggregate(NamedTuple):
    """Aggregated games: counts, every final score, the winning scores."""

    counts: Counter[tuple[Any, ...]]
    scores: list[int]
    winners: list[int]
    actions: int


Row = Callable[[Aggregate], str]


def tally(games: Sequence[Facts]) -> Aggregate:
    counts = Counter[tuple[Any, ...]]()
    for facts in games:
        counts.update(facts.counts)
    scores = [score for facts in games for score in facts.scores]
    return Aggregate(counts, scores, [max(facts.scores) for facts in games], sum(facts.actions for facts in games))


def total(plan: Plan) -> int:
    return len(SEATS) * (plan.games + plan.side_games)


def report(plan: Plan, play: Play) -> str:
    with_promises, without_promises = played(True, plan.seeds, play), played(False, plan.side_seeds, play)
    return "\n".join(tables(with_promises, without_promises))


def played(promises: bool, seeds: Sequence[int], play: Play) -> dict[int, Aggregate]:
    """Play with every number of players, each with its own seeds."""
    return {
        seats: play_games(seats, promises, [f"{seats} {promises} {number}" for number in seeds], play)
        for seats in SEATS
    }


def play_games(seats: int, promises: bool, seeds: Sequence[Any], play: Play) -> Aggregate:
    series = Series(game.info.key, Options(promises=promises), ("greedy",) * seats, measure)
    return tally(facts_of(play(series, seeds)))


def count_of(tally: Aggregate, *key: Any) -> int:
    """Sum the counts whose key starts with these parts; a set matches any of its members."""
    return sum(
        count
        for key_found, count in tally.counts.items()
        if all(
            part in want if isinstance(want, set) else part == want for part, want in zip(key_found, key, strict=False)
        )
    )


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"


def tables(with_promises: dict[int, Aggregate], without_promises: dict[int, Aggregate]) -> Iterator[str]:
    games, quiet = (
        sum(len(tally.winners) for tally in all_of.values()) // len(SEATS)
        for all_of in (with_promises, without_promises)
    )
    lies = share(at.USUAL_LYING, 1000)
    yield f"{games:,} games of greedy bots for each number of players, every one of them played to its end. What a bot"
    yield f"promises about a jump it does not mean in {lies} of the cases; a promise to do no harm may then still be"
    yield f"kept, by chance. {quiet:,} more games of each number without promises. A dash stands for a formation not in"
    yield "play, or for a share of nothing."
    for title, rows in TABLES.items():
        yield from head(title)
        for label, say in rows.items():
            yield row(label, say, with_promises)
    yield from head("with and without promises")
    for label, say in COMPARED.items():
        yield row(f"{label}, with", say, with_promises)
        yield row(f"{label}, without", say, without_promises)


def head(title: str) -> Iterator[str]:
    yield ""
    yield from reporting.head(title, *(f"{seats} players" for seats in SEATS), right=True)


def row(label: str, say: Row, tallies: dict[int, Aggregate]) -> str:
    return reporting.row(label, *(say(tallies[seats]) for seats in SEATS))


def tenths(tally: Aggregate) -> list[float]:
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


def seats_of(tally: Aggregate) -> int:
    return len(tally.scores) // len(tally.winners)


def kind_row(number: int) -> Row:
    """The share of jumps of this kind; a formation that is not in play has none."""
    return lambda tally: share(
        count_of(tally, "jump", number), count_of(tally, "jump") if number < seats_of(tally) else 0
    )


def worth_row(number: int) -> Row:
    """The mean points of a jumper from a jump of this kind that took place."""

    def say(tally: Aggregate) -> str:
        took_place = count_of(tally, "jump", number, PLACE)
        return f"{count_of(tally, 'points', number) / took_place:.1f}" if took_place else "–"

    return say


KINDS: dict[str, Row] = {
    "solo": kind_row(1),
    **{f"formation {number}": kind_row(number) for number in BOX.formations},
    "points from a solo": worth_row(1),
    **{f"points from formation {number}": worth_row(number) for number in BOX.formations},
}


def jump_row(kind: Any, verdict: Any) -> Row:
    return lambda tally: share(count_of(tally, "jump", kind, verdict), count_of(tally, "jump", kind))


def result_row(kind: Any, result: str) -> Row:
    return lambda tally: share(count_of(tally, "result", kind, result), count_of(tally, "result", kind))


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
    return lambda tally: share(count_of(tally, "promise", PLEDGES, verdict), count_of(tally, "promise"))


PROMISES: dict[str, Row] = {
    "a game": lambda tally: f"{count_of(tally, 'promise') / len(tally.winners):.0f}",
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
    return lambda tally: f"{count_of(tally, 'jump', FORMATIONS, verdict) / len(tally.winners):.1f}"


COMPARED: dict[str, Row] = {
    "formations exactly right, a game": a_game("exact"),
    "formations with too many, a game": a_game("too many"),
    "mean score": lambda tally: f"{mean(tally.scores):.0f}",
}
