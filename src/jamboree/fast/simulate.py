"""Batch simulation of complete games, for benchmarks and comparisons between processors and GPUs."""

from typing import Any

from jamboree.core.twin.chance import CHANCE

from . import sources, validation
from .engines import CpuEngine, GpuEngine


class Simulation:
    """Games with the same options, one per row, on the processor or a GPU."""

    def __init__(
        self,
        key: str,
        seats: int,
        options: Any = None,
        *,
        table: list[int] | None = None,
        games: int = 64,
        target: str = "cpu",
        threads: int | None = None,
    ) -> None:
        layout, gpu = sources.layout(key), target == "cuda"
        if table is None:
            table = validation.table_of(key, seats, options)
        engine = GpuEngine(key) if gpu else CpuEngine(key, layout.SCRATCH, threads=threads)
        self.engine = engine
        self.games = games
        self.seats = seats
        self.table = engine.table(table)
        self.masks, self.smalls = engine.zeros([games, layout.MASKS], "i8"), engine.zeros([games, layout.SMALLS], "i2")
        self.chance, self.moves = engine.zeros([games, CHANCE], "i8"), engine.zeros([games], "i8")
        self.row_bytes = 8 * layout.MASKS + 2 * layout.SMALLS

    def begin(self, seed: int) -> None:
        self.engine.run("begin_rows", *self._rows, seed, rows=self.games)

    def play(self, seed: int, greedy: bool = False) -> int:
        """Play every game to its end and return the total number of moves."""
        self.begin(seed)
        self.engine.run("greedy_rows" if greedy else "finish_rows", *self._rows, self.moves, rows=self.games)
        return int(self.engine.get(self.moves).sum())

    def arrays(self) -> list[Any]:
        """Return the rows, their random states and the moves as numpy arrays."""
        return [self.engine.get(array) for array in (self.masks, self.smalls, self.chance, self.moves)]

    @property
    def _rows(self) -> tuple[Any, ...]:
        return self.masks, self.smalls, self.chance, self.table
