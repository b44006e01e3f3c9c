"""Where rows live and what runs over them: the processor's cores, or a GPU."""

import inspect
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from typing import Any

from jamboree.core.errors import JamboreeError
from jamboree.core.twin.chance import CHANCE

from . import drivers, memory, sources
from .compiling import load
from .errors import NoGpu, NoNumba

SHARE = 64  # rows that are worth a thread of their own
BLOCK = 64  # threads of a GPU that go together
WHOLE_GAMES = {
    "finish_rows": "finish",
    "greedy_rows": "finish_greedily",
}  # loops whose kernels keep the row to themselves


class Processor:
    """Runs loops on all cores, each over its share of the rows."""

    def __init__(self, key: str, scratch: int, debug: bool = False, threads: int | None = None) -> None:
        self.twin, self.scratch = load(key, "cpu", debug), scratch
        self.threads = threads or len(os.sched_getaffinity(0))

    def zeros(self, shape: Sequence[int], dtype: str) -> Any:
        import numpy

        return numpy.zeros(shape, dtype)

    def put(self, array: Any) -> Any:
        import numpy

        if hasattr(array, "__cuda_array_interface__"):
            raise JamboreeError("This array is on a GPU, and the games are on the processor.")
        return numpy.ascontiguousarray(array)

    def get(self, array: Any) -> Any:
        return array

    def copy(self, array: Any) -> Any:
        return array.copy()

    def shown(self, array: Any) -> Any:
        """Give an array that can be read and not written."""
        view = array.view()
        view.flags.writeable = False
        return view

    def table(self, numbers: list[int]) -> Any:
        import numpy

        return self.put(numpy.array(numbers, "i8"))

    def free_memory(self) -> int:
        return memory.free()

    def run(self, name: str, *arguments: Any, rows: int) -> None:
        """Run a loop over all rows; the places of its scratch, its first and its last row are filled in here."""
        loop, shares = getattr(self.twin, name), max(1, min(self.threads, rows // SHARE))
        edges = [rows * share // shares for share in range(shares + 1)]
        work = [[*self._filled(name, arguments), *edges[share : share + 2]] for share in range(shares)]
        if shares == 1:
            loop(*work[0])
            return
        for done in wait([_pool(os.getpid(), self.threads).submit(loop, *each) for each in work]).done:
            done.result()  # once nobody is at work any more

    def _filled(self, name: str, arguments: tuple[Any, ...]) -> list[Any]:
        filled, place = list(arguments), scratch_place(name)
        if place is not None:
            filled.insert(place, self.zeros([self.scratch], "f8"))
        return filled


@lru_cache
def _pool(process: int, threads: int) -> ThreadPoolExecutor:
    """Give the threads of this process: those of the one it was forked from do not come along."""
    return ThreadPoolExecutor(threads, "rows")


class Graphics:
    """Runs loops on a GPU, a thread for each row; arrays stay there."""

    def __init__(self, key: str) -> None:
        try:
            from numba import cuda
        except ImportError:
            raise NoNumba from None
        try:
            cuda.current_context()
        except Exception as error:
            raise NoGpu from error
        self.cuda, self.kernels = cuda, _kernels(key)

    def zeros(self, shape: Sequence[int], dtype: str) -> Any:
        import numpy

        return self.cuda.to_device(numpy.zeros(shape, dtype))

    def put(self, array: Any) -> Any:
        if hasattr(array, "__cuda_array_interface__"):
            return self.cuda.as_cuda_array(array)
        return self.cuda.to_device(array)

    def get(self, array: Any) -> Any:
        return array.copy_to_host()

    def copy(self, array: Any) -> Any:
        new = self.cuda.device_array_like(array)
        new.copy_to_device(array)
        return new

    def shown(self, array: Any) -> Any:
        return array

    def table(self, numbers: list[int]) -> Any:
        import numpy

        return self.put(numpy.array(numbers, "i8"))

    def free_memory(self) -> int:
        return int(self.cuda.current_context().get_memory_info()[0])

    def run(self, name: str, *arguments: Any, rows: int) -> None:
        self.kernels[name][(rows + BLOCK - 1) // BLOCK, BLOCK](*arguments, 0, rows)


class Kernels:
    """A twin's loops as kernels: thread i does row i."""

    def __init__(self, key: str) -> None:
        self.twin, self.layout = load(key, "cuda"), sources.layout(key)
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            from numba import cuda

            self._made[name] = cuda.jit(self.python(name))
        return self._made[name]

    def python(self, name: str) -> Any:
        """Write the kernel of a loop: the same arguments, but scratch is the thread's own."""
        from numba import cuda, float64, int16, int64

        parameters = list(inspect.signature(getattr(drivers, name)).parameters)[:-2]
        taken = [each for each in parameters if each != "scratch"]
        lines = [
            f"def {name}({', '.join([*taken, 'first', 'last'])}):",
            "    i = first + cuda.grid(1)",
            *(["    scratch = cuda.local.array(SCRATCH, float64)"] if "scratch" in parameters else []),
            "    if i < last:",
            *(_whole_game(name) if name in WHOLE_GAMES else [f"        loop({', '.join(parameters)}, i, i + 1)"]),
        ]
        names = {"cuda": cuda, "int64": int64, "int16": int16, "float64": float64, "loop": getattr(self.twin, name)}
        names |= {"MASKS": self.layout.MASKS, "SMALLS": self.layout.SMALLS, "SCRATCH": self.layout.SCRATCH}
        names |= {"CHANCE": CHANCE, "one": getattr(self.twin, WHOLE_GAMES.get(name, name))}
        exec("\n".join(lines), names)
        return names[name]


@lru_cache
def _kernels(key: str) -> Kernels:
    """Compile a game's kernels once, however many batches there are."""
    return Kernels(key)


def _whole_game(name: str) -> list[str]:
    """Write a kernel that plays a game on a copy of its row: a thread's own memory lies beside its neighbours'."""
    kinds = (("m", "MASKS", "int64"), ("s", "SMALLS", "int16"), ("c", "CHANCE", "int64"))
    own = [f"own_{array} = cuda.local.array({size}, {kind})" for array, size, kind in kinds]
    there = [f"for k in range({size}): own_{array}[k] = {array}[i, k]" for array, size, _ in kinds]
    back = [f"for k in range({size}): {array}[i, k] = own_{array}[k]" for array, size, _ in kinds]
    scratch = ", scratch" if scratch_place(name) is not None else ""
    lines = [*own, *there, f"moves[i] = one(own_m, own_s, own_c, t{scratch})", *back]
    return [f"        {line}" for line in lines]


@lru_cache
def scratch_place(name: str) -> int | None:
    parameters = list(inspect.signature(getattr(drivers, name)).parameters)
    return parameters.index("scratch") if "scratch" in parameters else None
