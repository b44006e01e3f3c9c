"""`jamboree bench`: how fast random games and their fast twins go on one core, beside OpenSpiel if it is there."""

import json
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from jamboree.games import all_games, find

from ..options import seat_count
from ..show import console, say
from .bench_twins import bench_gpu, show_twins, twins, twins_report
from .pace import Contender, Round, clone_time, ours, theirs

ROUNDS = 15
HINT = "OpenSpiel is not installed, so there is nothing to compare with; `make bench` installs it."


def bench(
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="How long to measure, in all.")] = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")] = False,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Only this game.")] = None,
    seats: Annotated[int | None, typer.Option(help="How many players.", show_default="as many as can play")] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Measure the fast twins on a GPU instead.")] = False,
) -> None:
    """Measure how many actions a second random games make on one core."""
    games = [find(game)] if game else list(all_games().values())
    counts = {each.info.key: seat_count(each, seats or each.info.seats[1]) for each in games}
    if gpu:
        bench_gpu(counts, as_json)
        return
    mine = {each.info.key: ours(each, counts[each.info.key]) for each in games}
    others, fast = theirs(), twins(counts)
    share = seconds / ROUNDS / (len(mine) + len(others) + len(fast))
    rounds = measure({**mine, **others, **fast}, share, _watcher(as_json))
    clones = {each.info.key: clone_time(each, counts[each.info.key]) for each in games}
    report = _report(rounds, clones, list(mine), list(others))
    report["fast"] = twins_report(rounds, list(mine), list(others))
    if as_json:
        typer.echo(json.dumps(report, indent=2))
    else:
        _show(console(), report)


def measure(contenders: dict[str, Contender], share: float, watch: Callable[[int], None]) -> dict[str, list[Round]]:
    """Let everybody run in turns, several rounds of it: machines are noisy."""
    rounds: dict[str, list[Round]] = {name: [] for name in contenders}
    for number in range(ROUNDS):
        watch(number)
        for name, contender in contenders.items():
            rounds[name].append(_one_round(contender, share))
    return rounds


def _one_round(contender: Contender, share: float) -> Round:
    actions = games = 0
    start = now = perf_counter()
    while now - start < share or not games:
        played = contender()
        actions, games = actions + played[0], games + played[1]
        now = perf_counter()
    return Round(actions, games, now - start)


def _watcher(silent: bool) -> Callable[[int], None]:
    """Show a person that something is going on."""
    if silent or not sys.stderr.isatty():
        return lambda number: None
    return lambda number: print(f"\rround {number + 1} of {ROUNDS} …\r", end="", file=sys.stderr, flush=True)


def _report(
    rounds: dict[str, list[Round]], clones: dict[str, float], mine: list[str], others: list[str]
) -> dict[str, Any]:
    """Take medians over the rounds; a ratio compares two runs of the same round."""

    def figures(name: str) -> dict[str, float]:
        actions, games = median(each.pace for each in rounds[name]), median(each.games_pace for each in rounds[name])
        return {"actions_per_second": round(actions, 1), "games_per_second": round(games, 2)}

    def ratio(name: str, other: str) -> float:
        return median(a.pace / b.pace for a, b in zip(rounds[name], rounds[other], strict=True))

    return {
        "games": {name: {**figures(name), "clone_us": round(clones[name] * 1e6, 2)} for name in mine},
        "open_spiel": {name: figures(name) for name in others} or None,
        "ratios": {name: {other: round(ratio(name, other), 3) for other in others} for name in mine},
    }


def _show(out: Console, report: dict[str, Any]) -> None:
    table = Table("game", box=None, pad_edge=False)
    for title in ("actions/s", "games/s", "clone µs"):
        table.add_column(title, justify="right")
    for name, figures in {**report["games"], **(report["open_spiel"] or {})}.items():
        clone = f"{figures['clone_us']:.1f}" if "clone_us" in figures else ""
        table.add_row(name, f"{figures['actions_per_second']:,.0f}", f"{figures['games_per_second']:,.1f}", clone)
    out.print(table)
    for name, ratios in report["ratios"].items():
        for other, ratio in ratios.items():
            say(out, f"{name} makes {ratio:.2f} times as many actions a second as {other}.")
    show_twins(out, report["fast"])
    if not report["open_spiel"]:
        say(out, HINT)
