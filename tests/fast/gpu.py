"""Compare a GPU with the processor, row by row, and measure it: `python -m tests.fast.gpu [GAME …]`.

Needs a GPU, numpy, numba and numba-cuda. The tables of all set-ups come from the reference, which needs msgspec; for a
machine without it write them elsewhere first (`--write FILE`) and read them there (`--tables FILE`). `--ptx` only
compiles the kernels, which needs no GPU, only NVVM (the package nvidia-nvvm).
"""

import argparse
import json
import sys
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from time import perf_counter
from types import ModuleType, SimpleNamespace
from typing import Any

ROOT = Path(__file__).parents[2] / "src" / "jamboree"
CAPABILITY = (9, 0)
GAMES = 256  # compared in each set-up
ROWS = (1 << 16, 1 << 17, 1 << 18)
KERNELS = ("begin_rows", "finish_rows", "greedy_rows", "legal_rows", "step_rows", "observe_rows")

SetUps = dict[str, list[tuple[int, list[int]]]]
"""By game: seats and table of each set-up."""


def without_reference() -> None:
    """Let the twins be imported where the reference can't be: packages without what their `__init__` would bring."""
    keys = sorted(path.parent.name for path in ROOT.glob("games/*/fast"))
    for name in ("jamboree", "jamboree.games", *(f"jamboree.games.{key}" for key in keys)):
        module = ModuleType(name)
        module.__path__ = [str(ROOT.parent / name.replace(".", "/"))]
        sys.modules[name] = module
    vars(sys.modules["jamboree.games"]).update(keys=lambda: keys, find=_named, package="jamboree.games.{}".format)


def _named(key: str) -> Any:
    return SimpleNamespace(info=SimpleNamespace(title=key, options=lambda: None))


def set_ups() -> SetUps:
    """Return every seat count and sample of options of the reference; the first one is measured."""
    from jamboree.fast import sources, twin_keys
    from jamboree.games import find

    found: SetUps = {}
    for key in twin_keys():
        info, bridge = find(key).info, sources.bridge(key)
        pairs = product(range(info.seats[1], info.seats[0] - 1, -1), info.samples)
        found[key] = [(seats, bridge.table(seats, options)) for seats, options in pairs]
    return found


def step_by_step(key: str, seats: int, table: list[int]) -> str:
    """Play one random game in plain Python, on the processor and on the GPU, and compare the rows after every step."""
    from jamboree.core.twin.chance import CHANCE
    from jamboree.fast import Simulation, load, sources

    layout, plain = sources.layout(key), load(key, "python")
    fields = [Simulation(key, seats, table=table, games=1, target=target) for target in ("cpu", "cuda")]
    m, s, c = [0] * layout.MASKS, [0] * layout.SMALLS, [0] * CHANCE
    plain.begin(m, s, c, table, 7, 0)
    for field in fields:
        field.begin(7)
    steps = 0
    while acting := plain.actors(m, s, table):
        actor = plain.nth_in_word(acting, steps % acting.bit_count())
        action, before = plain.random_legal(m, s, c, table, actor), list(c)
        plain.apply(m, s, c, table, actor, action)
        for field in fields:
            _step(field, before, actor, action)
            if [*field.arrays()[0][0].tolist(), *field.arrays()[1][0].tolist()] != [*m, *s]:
                raise SystemExit(f"{key}: {type(field.engine).__name__} differs at step {steps}")
        steps += 1
    return (
        f"{key}, {seats} players: {steps} steps of a random game are the same in Python, on the processor, on the GPU"
    )


def _step(field: Any, chance: list[int], actor: int, action: int) -> None:
    engine = field.engine
    results = engine.zeros([1, field.seats], "i8"), engine.zeros([1], "?"), engine.zeros([1, field.seats], "?")
    what = (engine.table([actor]), engine.table([action]), *results)
    field.chance = engine.put(engine.table(chance).reshape(1, -1))
    engine.run("step_rows", field.masks, field.smalls, field.chance, field.table, *what, 0, rows=1)


def compare(key: str, tables: list[tuple[int, list[int]]], greedy: bool) -> str:
    """Compare the last rows of games in every set-up."""
    from jamboree.fast import Simulation

    same, began = 0, perf_counter()
    for seats, table in tables:
        ours, theirs = (Simulation(key, seats, table=table, games=GAMES, target=target) for target in ("cpu", "cuda"))
        ours.play(5, greedy)
        theirs.play(5, greedy)
        equal = [
            (one == two).reshape(GAMES, -1).all(axis=1) for one, two in zip(ours.arrays(), theirs.arrays(), strict=True)
        ]
        same += int((equal[0] & equal[1] & equal[2] & equal[3]).sum())
    kind, spent = "greedy" if greedy else "random", perf_counter() - began
    return f"{key}, {kind}: {same} of {GAMES * len(tables)} games end in the same row ({spent:.0f} s with compiling)"


def measure(key: str, seats: int, table: list[int], greedy: bool, games: int) -> str:
    from jamboree.fast import Simulation

    field, moves, seconds = Simulation(key, seats, table=table, games=games, target="cuda"), [0], [1.0]
    field.play(1, greedy)
    for number in range(2, 6):
        began = perf_counter()
        moves.append(field.play(number, greedy))
        seconds.append(perf_counter() - began)
    best = max(range(1, 5), key=lambda at: moves[at] / seconds[at])
    kind = "greedy" if greedy else "random"
    pace = f"{moves[best] / seconds[best] / 1e6:,.0f} million moves/s, {games / seconds[best]:,.0f} games/s"
    return f"{key}, {kind}, {seats} players: {games:,} rows of {field.row_bytes} bytes: {pace}"


def ptx(key: str) -> None:
    """Compile every kernel without a GPU."""
    from numba import cuda, types
    from numba.core import sigutils
    from numba.cuda import dispatcher

    from jamboree.fast.compiling import SIGNATURES
    from jamboree.fast.engines import Kernels

    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=CAPABILITY)
    kernels = Kernels(key)
    for name in KERNELS:
        began = perf_counter()
        arguments = sigutils.normalize_signature(SIGNATURES[name])[0]
        signature = tuple(kind for kind in arguments if kind != types.Array(types.float64, 1, "C"))
        code, _ = cuda.compile_ptx(kernels.python(name), signature, cc=CAPABILITY)
        print(f"{key}, {name}: {len(code):,} characters of PTX in {perf_counter() - began:.1f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--ptx", action="store_true")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--tables", type=Path)
    asked = parser.parse_args()
    if asked.tables or asked.ptx or find_spec("msgspec") is None:
        without_reference()
    if asked.ptx:
        for key in asked.games or sys.modules["jamboree.games"].keys():
            ptx(key)
        return
    from jamboree.fast.pgx_baseline import pgx_moves_per_second

    found: SetUps = json.loads(asked.tables.read_text()) if asked.tables else set_ups()
    if asked.write:
        asked.write.write_text(json.dumps(found))
        return
    pgx_baseline = pgx_moves_per_second()
    print(
        f"pgx's hex, random: {pgx_baseline / 1e6:,.0f} million moves/s" if pgx_baseline else "pgx is not installed",
        flush=True,
    )
    for key in asked.games or found:
        print(step_by_step(key, *found[key][0]), flush=True)
        for greedy in (False, True):
            print(compare(key, found[key], greedy), flush=True)
            for games in ROWS:
                print(measure(key, *found[key][0], greedy, games), flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT.parent))
    main()
