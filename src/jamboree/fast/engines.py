"""Engines that hold arrays and run loops over them: the cores of a processor, or a GPU."""

import inspect
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from typing import Any

from jamboree.core.errors import JamboreeError
from jamboree.core.twin.chance import CHANCE

from . import loops, memory, sources
from .compiling import load
from .errors import NoGpu, NoNumba

SHARE = 64  # the fewest rows per thread
BLOCK = 64  # GPU threads per block
WHOLE_GAMES = {
    "finish_rows": "finish",
    "greedy_rows": "finish_greedily",
}  # loops whose kernels work on a thread-local copy of the row


class CpuEngine:
    """Runs loops on all cores, with a share of the rows each."""

    def __init__(self, key: str, scratch: int, debug: bool = False, threads: int | None = None) -> None:
        self.twin, self.scratch = load(key, "cpu", debug), scratch
        self.threads = threads or len(os.sched_getaffinity(0))

    def zeros(self, shape: Sequence[int], dtype: str) -> Any:
        import numpy

        return numpy.zeros(shape, dtype)

    def put(self, array: Any) -> Any:
        import numpy

        if hasattr(array, "__cuda_array_interface__"):
            raise JamboreeError("This array is on a GPU, but the games are on the processor.")
        return numpy.ascontiguousarray(array)

    def get(self, array: Any) -> Any:
        return array

    def copy(self, array: Any) -> Any:
        return array.copy()

    def read_only(self, array: Any) -> Any:
        """Return a read-only view of an array."""
        view = array.view()
        view.flags.writeable = False
        return view

    def table(self, numbers: list[int]) -> Any:
        import numpy

        return self.put(numpy.array(numbers, "i8"))

    def free_memory(self) -> int:
        return memory.free()

    def run(self, name: str, *arguments: Any, rows: int) -> None:
        """Run a loop over all rows; its parameters for scratch memory and the range of rows are added here."""
        loop, shares = getattr(self.twin, name), max(1, min(self.threads, rows // SHARE))
        edges = [rows * share // shares for share in range(shares + 1)]
        work = [[*self._with_scratch(name, arguments), *edges[share : share + 2]] for share in range(shares)]
        if shares == 1:
            loop(*work[0])
            return
        for done in wait([_pool(os.getpid(), self.threads).submit(loop, *each) for each in work]).done:
            done.result()  # raises errors, once all threads have finished

    def _with_scratch(self, name: str, arguments: tuple[Any, ...]) -> list[Any]:
        filled, index = list(arguments), scratch_index(name)
        if index is not None:
            filled.insert(index, self.zeros([self.scratch], "f8"))
        return filled


@lru_cache
def _pool(process: int, threads: int) -> ThreadPoolExecutor:
    """Return the thread pool of this process: threads do not survive a fork."""
    return ThreadPoolExecutor(threads, "rows")


class GpuEngine:
    """Runs loops on a GPU, with a thread for each row; arrays stay in its memory."""

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

    def read_only(self, array: Any) -> Any:
        return array

    def table(self, numbers: list[int]) -> Any:
        import numpy

        return self.put(numpy.array(numbers, "i8"))

    def free_memory(self) -> int:
        return int(self.cuda.current_context().get_memory_info()[0])

    def run(self, name: str, *arguments: Any, rows: int) -> None:
        self.kernels[name][(rows + BLOCK - 1) // BLOCK, BLOCK](*arguments, 0, rows)


class Kernels:
    """A twin's loops as CUDA kernels: thread i processes row i."""

    def __init__(self, key: str) -> None:
        self.twin, self.layout = load(key, "cuda"), sources.layout(key)
        self._compiled: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._compiled:
            from numba import cuda

            self._compiled[name] = cuda.jit(self.python(name))
        return self._compiled[name]

    def python(self, name: str) -> Any:
        """Generate the kernel of a loop: the same parameters, but scratch memory is local to the thread."""
        from numba import cuda, float64, int16, int64

        parameters = list(inspect.signature(getattr(loops, name)).parameters)[:-2]
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
    """Return a game's kernels, compiled once for all batches."""
    return Kernels(key)


def _whole_game(name: str) -> list[str]:
    """Generate the body of a kernel that plays on a local copy of the row: accesses of local memory are coalesced."""
    kinds = (("m", "MASKS", "int64"), ("s", "SMALLS", "int16"), ("c", "CHANCE", "int64"))
    own = [f"own_{array} = cuda.local.array({size}, {kind})" for array, size, kind in kinds]
    load_row = [f"for k in range({size}): own_{array}[k] = {array}[i, k]" for array, size, _ in kinds]
    store_row = [f"for k in range({size}): {array}[i, k] = own_{array}[k]" for array, size, _ in kinds]
    scratch = ", scratch" if scratch_index(name) is not None else ""
    lines = [*own, *load_row, f"moves[i] = one(own_m, own_s, own_c, t{scratch})", *store_row]
    return [f"        {line}" for line in lines]


@lru_cache
def scratch_index(name: str) -> int | None:
    parameters = list(inspect.signature(getattr(loops, name)).parameters)
    return parameters.index("scratch") if "scratch" in parameters else None
