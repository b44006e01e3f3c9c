"""`jamboree bench`: measures the speed of random games and their compiled twins, with OpenSpiel for comparison."""

import json
import random
import sys
from collections.abc import Callable
from itertools import count
from statistics import median
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import typer
from msgspec.structs import asdict, replace
from rich.console import Console
from rich.table import Table

from jamboree.bots.search import SearchRequest, SearchSettings, request_of_view
from jamboree.bots.search.native import search
from jamboree.core.chance import Seeded
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.fast import NoNumba, Simulation, has_twin, sources, validation
from jamboree.fast.browser import BrowserTwin, browser_twin, find_browser
from jamboree.fast.pgx_baseline import pgx_moves_per_second
from jamboree.fast.search import PLAYOUTS
from jamboree.fast.wasm import built_module
from jamboree.games import all_games, find

from ..options import seat_count
from ..output import console, print_text

ROUNDS, BROWSER_ROUNDS = 15, 7
SEED = 1
CLONES = 2000
TWIN_GAMES = 64  # games of a twin played one after the other in one call
CANDIDATES = 8  # of a search
GPU_BATCH_SIZES = (1 << 16, 1 << 17, 1 << 18)  # the fastest counts
OPEN_SPIEL_GAMES = ("python_tic_tac_toe", "hex(board_size=11)")
IN_BROWSER = (
    ("actions_per_second", "ratio"),
    ("greedy_games_per_second", "greedy_ratio"),
    ("playouts_per_second", "playout_ratio"),
)
RANDOM_TWIN, GREEDY_TWIN = "{}: random twin", "{}: greedy twin"
NO_OPEN_SPIEL = "OpenSpiel is not installed, so there is no comparison; `make bench` installs it."

Contender = Callable[[], tuple[int, int]]
"""Plays random games to their ends; returns the numbers of actions and of games."""


class Sample(NamedTuple):
    actions: int
    games: int
    seconds: float

    @property
    def actions_per_second(self) -> float:
        return self.actions / self.seconds

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds


Samples = dict[str, list[Sample]]


def bench(
    seconds: Annotated[float, typer.Option(min=0.1, max=3600, help="The duration of the measurement.")] = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Measure only this game.")] = None,
    seats: Annotated[int | None, typer.Option(help="The number of players.", show_default="the maximum")] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Measure the compiled twins on a GPU instead.")] = False,
    browser: Annotated[
        bool, typer.Option("--browser", help="Compare the twins in a browser with those on the processor instead.")
    ] = False,
) -> None:
    """Measure how many actions per second random games take on one core."""
    games = [find(game)] if game else list(all_games().values())
    counts = {each.info.key: seat_count(each, seats or each.info.seats[1]) for each in games}
    if gpu:
        _bench_gpu(counts, as_json)
        return
    if browser:
        _bench_browser(counts, seconds, as_json)
        return
    references = {each.info.key: _reference(each, counts[each.info.key]) for each in games}
    others, twins = _open_spiel(), _twins(counts)
    share = seconds / ROUNDS / (len(references) + len(others) + len(twins))
    rounds = _measure({**references, **others, **twins}, share, _progress(as_json))
    clones = {each.info.key: _clone_time(each, counts[each.info.key]) for each in games}
    report = _report(rounds, clones, list(references), list(others))
    report["fast"] = _twins_report(rounds, list(references), list(others))
    if as_json:
        typer.echo(json.dumps(report, indent=2))
    else:
        _show(console(), report)


def _measure(contenders: dict[str, Contender], share: float, progress: Callable[[int], None]) -> Samples:
    """Run the contenders in turn for several rounds, so that a noisy machine affects all of them."""
    rounds: Samples = {name: [] for name in contenders}
    for number in range(ROUNDS):
        progress(number)
        for name, contender in contenders.items():
            rounds[name].append(_sample(contender, share))
    return rounds


def _sample(contender: Contender, share: float) -> Sample:
    actions = games = 0
    start = now = perf_counter()
    while now - start < share or not games:
        played = contender()
        actions, games = actions + played[0], games + played[1]
        now = perf_counter()
    return Sample(actions, games, now - start)


def _progress(silent: bool) -> Callable[[int], None]:
    if silent or not sys.stderr.isatty():
        return lambda number: None
    return lambda number: print(f"\rround {number + 1} of {ROUNDS} …\r", end="", file=sys.stderr, flush=True)


def _reference(game: AnyGame, seats: int) -> Contender:
    """Play the reference rules."""
    chance = Seeded(SEED)
    number = random.Random(SEED).random
    options = game.info.options()

    def one_game() -> tuple[int, int]:
        state, actions = game.setup(seats, options, chance), 0
        while actors := game.to_act(state):
            if len(actors) == 1:
                (actor,) = actors
            else:
                actor = tuple(actors)[int(number() * len(actors))]
            offers = game.legal(state, actor)
            game.apply(state, actor, offers[int(number() * len(offers))].action, chance)
            actions += 1
        return actions, 1

    return one_game


def _open_spiel() -> dict[str, Contender]:
    """Play games of OpenSpiel by the same loop, if it is installed."""
    try:
        import open_spiel.python.games.tic_tac_toe  # noqa: F401  registers itself
        import pyspiel
    except ImportError:
        return {}
    return {name: _open_spiel_game(pyspiel.load_game(name)) for name in OPEN_SPIEL_GAMES}


def _open_spiel_game(game: Any) -> Contender:
    number = random.Random(SEED).random

    def one_game() -> tuple[int, int]:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(number() * len(legal))])
            actions += 1
        return actions, 1

    return one_game


def _twins(counts: dict[str, int]) -> dict[str, Contender]:
    """Play the compiled twins, if numba is installed."""
    contenders: dict[str, Contender] = {}
    for key, seats in counts.items():
        if has_twin(key):
            try:
                contenders[RANDOM_TWIN.format(key)] = _twin(key, seats)
                contenders[GREEDY_TWIN.format(key)] = _twin(key, seats, greedy=True)
            except NoNumba:
                return {}
    return contenders


def _twin(key: str, seats: int, greedy: bool = False) -> Contender:
    simulation, seeds = Simulation(key, seats, games=TWIN_GAMES, threads=1), count(SEED)
    simulation.play(0, greedy)  # loads the code, or compiles it

    def some_games() -> tuple[int, int]:
        return simulation.play(next(seeds), greedy), TWIN_GAMES

    return some_games


def _clone_time(game: AnyGame, seats: int) -> float:
    """Measure the seconds that a clone of a state takes halfway through a random game."""
    half = _reference(game, seats)()[0] // 2
    chance, number = Seeded(SEED), random.Random(SEED).random
    state = game.setup(seats, game.info.options(), chance)
    for _ in range(half):
        actor = next(iter(game.to_act(state)), None)
        if actor is None:
            break
        offers = game.legal(state, actor)
        game.apply(state, actor, offers[int(number() * len(offers))].action, chance)
    start = perf_counter()
    for _ in range(CLONES):
        state.clone()
    return (perf_counter() - start) / CLONES


def _median_ratio(rounds: Samples, name: str, other: str) -> float:
    """Return the median over the rounds of the ratio of two contenders' speeds in the same round."""
    pairs = zip(rounds[name], rounds[other], strict=True)
    return median(a.actions_per_second / b.actions_per_second for a, b in pairs)


def _report(rounds: Samples, clones: dict[str, float], references: list[str], others: list[str]) -> dict[str, Any]:
    def figures(name: str) -> dict[str, float]:
        actions = median(each.actions_per_second for each in rounds[name])
        games = median(each.games_per_second for each in rounds[name])
        return {"actions_per_second": round(actions, 1), "games_per_second": round(games, 2)}

    return {
        "games": {name: {**figures(name), "clone_us": round(clones[name] * 1e6, 2)} for name in references},
        "open_spiel": {name: figures(name) for name in others} or None,
        "ratios": {
            name: {other: round(_median_ratio(rounds, name, other), 3) for other in others} for name in references
        },
    }


def _twins_report(rounds: Samples, references: list[str], others: list[str]) -> dict[str, Any]:
    report = {}
    for key in references:
        random_twin, greedy_twin = RANDOM_TWIN.format(key), GREEDY_TWIN.format(key)
        if random_twin not in rounds or greedy_twin not in rounds:
            continue
        compared = {"reference": key} | {other: other for other in others}
        report[key] = {
            "actions_per_second": round(median(each.actions_per_second for each in rounds[random_twin]), 1),
            "games_per_second": round(median(each.games_per_second for each in rounds[random_twin]), 1),
            "greedy_games_per_second": round(median(each.games_per_second for each in rounds[greedy_twin]), 1),
            "row_bytes": _row_bytes(key),
            "ratios": {name: round(_median_ratio(rounds, random_twin, other), 2) for name, other in compared.items()},
        }
    return report


def _row_bytes(key: str) -> int:
    layout = sources.layout(key)
    return int(8 * layout.MASKS + 2 * layout.SMALLS)


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
            print_text(out, f"{name} makes {ratio:.2f} times as many actions per second as {other}.")
    _show_twins(out, report["fast"])
    if not report["open_spiel"]:
        print_text(out, NO_OPEN_SPIEL)


def _show_twins(out: Console, report: dict[str, Any]) -> None:
    if not report:
        return
    table = Table("compiled twin", box=None, pad_edge=False)
    for title in ("actions/s", "games/s", "greedy games/s", "bytes per row"):
        table.add_column(title, justify="right")
    for key, figures in report.items():
        names = ("actions_per_second", "games_per_second", "greedy_games_per_second", "row_bytes")
        table.add_row(key, *(f"{figures[name]:,.0f}" for name in names))
    out.print(table)
    for key, figures in report.items():
        for other, ratio in figures["ratios"].items():
            print_text(out, f"{key}'s twin makes {ratio:.1f} times as many actions per second as {other}.")


def _bench_browser(counts: dict[str, int], seconds: float, as_json: bool) -> None:
    """Measure WebAssembly in an installed browser and native code in turn, on one core each."""
    keys = [key for key in counts if has_twin(key)]
    share = seconds / BROWSER_ROUNDS / (6 * len(keys) or 1)
    program = find_browser()
    with browser_twin(program) as twin:
        report = {key: _in_browser(twin, key, counts[key], share) for key in keys}
    if as_json:
        typer.echo(json.dumps({"browser": program, "games": report}, indent=2))
        return
    titles = "actions/s", "greedy games/s", "playouts/s"
    table = Table("in WebAssembly", *(title for each in titles for title in (each, "÷ native")), "module", box=None)
    for key, figures in report.items():
        cells = (cell for name, ratio in IN_BROWSER for cell in (f"{figures[name]:,.0f}", f"{figures[ratio]:.2f}"))
        table.add_row(key, *cells, f"{figures['module_bytes'] / 1000:.0f} kB")
    console().print(table)


def _in_browser(twin: BrowserTwin, key: str, seats: int, share: float) -> dict[str, float]:
    import numpy

    code = built_module(key)
    table = numpy.array(validation.table_of(key, seats, None), "i8")
    twin.load(code)
    contenders = {kind: _twin(key, seats, greedy) for kind, greedy in (("random", False), ("greedy", True))}
    kinds = (*contenders, "search")
    rounds: Samples = {f"{kind} {where}": [] for kind in kinds for where in ("browser", "native")}
    request = _search_request(key, seats, share)
    for number in range(BROWSER_ROUNDS + 1):
        for kind, contender in contenders.items():
            played = twin.play(table, TWIN_GAMES, SEED + number, kind == "greedy", share)
            if number:  # in the first round the browser optimises the code
                rounds[f"{kind} browser"].append(Sample(played.moves, played.games, played.seconds))
                rounds[f"{kind} native"].append(_sample(contender, share))
        found = twin.search(asdict(request))
        if number:
            rounds["search browser"].append(Sample(found.findings["progress"][PLAYOUTS], 1, found.seconds))
            rounds["search native"].append(_sample(lambda: (search(request).playouts, 1), share))
    return {
        "actions_per_second": median(each.actions_per_second for each in rounds["random browser"]),
        "greedy_games_per_second": median(each.games_per_second for each in rounds["greedy browser"]),
        "ratio": _median_ratio(rounds, "random browser", "random native"),
        "greedy_ratio": _median_ratio(rounds, "greedy browser", "greedy native"),
        "playouts_per_second": median(each.actions_per_second for each in rounds["search browser"]),
        "playout_ratio": _median_ratio(rounds, "search browser", "search native"),
        "module_bytes": len(code),
    }


def _search_request(key: str, seats: int, seconds: float) -> SearchRequest:
    """Return a search of the first decision with many actions; its playouts count as actions."""
    game, chance = find(key), Seeded(SEED)
    state = game.setup(seats, game.info.options(), chance)
    seat = int(min(game.to_act(state)))
    while len(offers := game.legal(state, seat)) < CANDIDATES:
        game.apply(state, seat, offers[0].action, chance)
        seat = int(min(game.to_act(state)))
    request = request_of_view(key, game.view(state, seat), SEED, SearchSettings(), len(offers))
    return replace(request, max_candidates=CANDIDATES, seconds=seconds)


def _bench_gpu(counts: dict[str, int], as_json: bool) -> None:
    """Measure random games on a GPU with the best of some batch sizes, compilation excluded."""
    report = {key: _best_on_gpu(key, seats) for key, seats in counts.items() if has_twin(key)}
    if pgx := pgx_moves_per_second():
        for figures in report.values():
            figures["ratio_to_pgx_hex"] = figures["actions_per_second"] / pgx
    if as_json:
        typer.echo(json.dumps({"gpu": report, "pgx_hex": pgx}, indent=2))
        return
    for key, figures in report.items():
        speed = f"{figures['actions_per_second'] / 1e6:,.0f} million actions per second"
        rest = f"{figures['games_per_second']:,.0f} games per second, {figures['row_bytes']} bytes per row"
        comparison = f", {figures['ratio_to_pgx_hex']:.1f} times pgx's hex" if pgx else ""
        print_text(console(), f"{key} on the GPU, {figures['rows']:,} games at once: {speed}{comparison}, {rest}.")


def _best_on_gpu(key: str, seats: int) -> dict[str, float]:
    best: dict[str, float] = {}
    for rows in GPU_BATCH_SIZES:
        simulation = Simulation(key, seats, games=rows, target="cuda")
        simulation.play(1)
        started, moves = perf_counter(), 0
        for seed in range(2, 6):
            moves += simulation.play(seed)
        seconds = perf_counter() - started
        if moves / seconds > best.get("actions_per_second", 0.0):
            best = {
                "actions_per_second": moves / seconds,
                "games_per_second": 4 * rows / seconds,
                "rows": rows,
                "row_bytes": simulation.row_bytes,
            }
    if not best:
        raise JamboreeError(f"Nothing was measured for {key}.")
    return best
