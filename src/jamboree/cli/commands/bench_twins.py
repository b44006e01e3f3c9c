"""`jamboree bench`, the fast twins: beside their references and OpenSpiel on one core, or on a GPU."""

import json
from statistics import median
from time import perf_counter
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from jamboree.core.errors import JamboreeError
from jamboree.fast import NoNumba, Simulation, has_twin, sources
from jamboree.fast.pgx_baseline import pgx_moves_per_second

from ..show import console, say
from .pace import Contender, Round, twin

RANDOM, GREEDY = "{}: random twin", "{}: greedy twin"
ON_GPU = (1 << 16, 1 << 17, 1 << 18)  # rows that are tried; the best counts

Rounds = dict[str, list[Round]]


def twins(counts: dict[str, int]) -> dict[str, Contender]:
    """Set up the twins of some games, if numba is there."""
    found: dict[str, Contender] = {}
    for key, seats in counts.items():
        if has_twin(key):
            try:
                found[RANDOM.format(key)] = twin(key, seats)
                found[GREEDY.format(key)] = twin(key, seats, greedy=True)
            except NoNumba:
                return {}
    return found


def twins_report(rounds: Rounds, mine: list[str], others: list[str]) -> dict[str, Any]:
    """Take medians over the rounds; a ratio compares two runs of the same round."""
    found = {}
    for key in mine:
        random, greedy = rounds.get(RANDOM.format(key)), rounds.get(GREEDY.format(key))
        if random and greedy:
            ratios = {
                name: round(median(a.pace / b.pace for a, b in zip(random, rounds[other], strict=True)), 2)
                for name, other in (("reference", key), *((other, other) for other in others))
            }
            found[key] = {
                "actions_per_second": round(median(each.pace for each in random), 1),
                "games_per_second": round(median(each.games_pace for each in random), 1),
                "greedy_games_per_second": round(median(each.games_pace for each in greedy), 1),
                "row_bytes": _row_bytes(key),
                "ratios": ratios,
            }
    return found


def _row_bytes(key: str) -> int:
    layout = sources.layout(key)
    return int(8 * layout.MASKS + 2 * layout.SMALLS)


def show_twins(out: Console, report: dict[str, Any]) -> None:
    if not report:
        return
    table = Table("fast twin", box=None, pad_edge=False)
    for title in ("actions/s", "games/s", "greedy games/s", "bytes a row"):
        table.add_column(title, justify="right")
    for key, figures in report.items():
        names = ("actions_per_second", "games_per_second", "greedy_games_per_second", "row_bytes")
        table.add_row(key, *(f"{figures[name]:,.0f}" for name in names))
    out.print(table)
    for key, figures in report.items():
        for other, ratio in figures["ratios"].items():
            say(out, f"{key}'s twin makes {ratio:.1f} times as many actions a second as {other}.")


def bench_gpu(counts: dict[str, int], as_json: bool) -> None:
    """Measure random games on a GPU: the best of some batch sizes, compiling not counted."""
    found = {key: _best_on_gpu(key, seats) for key, seats in counts.items() if has_twin(key)}
    if pgx_baseline := pgx_moves_per_second():
        for figures in found.values():
            figures["ratio_to_pgx_hex"] = figures["actions_per_second"] / pgx_baseline
    if as_json:
        typer.echo(json.dumps({"gpu": found, "pgx_hex": pgx_baseline}, indent=2))
        return
    for key, figures in found.items():
        pace = f"{figures['actions_per_second'] / 1e6:,.0f} million actions a second"
        rest = f"{figures['games_per_second']:,.0f} games a second, {figures['row_bytes']} bytes a row"
        beside = f", {figures['ratio_to_pgx_hex']:.1f} times pgx's hex" if pgx_baseline else ""
        say(console(), f"{key} on the GPU, {figures['rows']:,} games at once: {pace}{beside}, {rest}.")


def _best_on_gpu(key: str, seats: int) -> dict[str, float]:
    best: dict[str, float] = {}
    for rows in ON_GPU:
        field = Simulation(key, seats, games=rows, target="cuda")
        field.play(1)
        began, moves = perf_counter(), 0
        for seed in range(2, 6):
            moves += field.play(seed)
        seconds = perf_counter() - began
        if moves / seconds > best.get("actions_per_second", 0.0):
            pace = {"actions_per_second": moves / seconds, "games_per_second": 4 * rows / seconds}
            best = {**pace, "rows": rows, "row_bytes": field.row_bytes}
    if not best:
        raise JamboreeError(f"Nothing was measured for {key}.")
    return best
