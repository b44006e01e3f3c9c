"""Compilation of a twin with numba, for a processor or for CUDA, from the same source; or none, for a debugger.

On a processor only loops are cached on disk, each with the machine code of all its callees. A loop is compiled on first
use, by one process while others wait.
"""

import sys
from functools import cached_property, lru_cache
from pathlib import Path
from time import perf_counter
from types import FunctionType, SimpleNamespace
from typing import Any

from jamboree.core.errors import JamboreeError
from jamboree.games import find

from . import cache, linking, numba_cache, sources
from .errors import NoNumba

TARGETS = ("cpu", "cuda", "python")
WORDS, SMALLS, CHANCE, TABLE, LINE, LEGAL = "i8[:,::1]", "i2[:,::1]", "i8[:,::1]", "i8[::1]", "i8[::1]", "b1[:,::1]"
ROW, REALS, FLAGS, SUMS = f"{WORDS},{SMALLS}", "f8[::1]", "b1[::1]", "f8[:,::1]"
DECISION = f"{LINE},i2[::1],{TABLE},{LINE},i8,i8,i8,{ROW},{LINE},{REALS}"  # what a search knows, and rows to play on
SIGNATURES = {
    "begin_rows": f"void({ROW},{CHANCE},{TABLE},i8,i8,i8)",
    "legal_rows": f"void({ROW},{TABLE},{LINE},{LEGAL},{LINE},i8,i8)",
    "score_rows": f"void({ROW},{TABLE},{WORDS},{LEGAL},i8,i8)",
    "step_rows": f"void({ROW},{CHANCE},{TABLE},{LINE},{LINE},{WORDS},{FLAGS},{LEGAL},i8,i8,i8)",
    "check_rows": f"void({LINE},{LINE},{LEGAL},{LINE},i8,i8)",
    "finish_rows": f"void({ROW},{CHANCE},{TABLE},{LINE},i8,i8)",
    "decide_rows": f"void({ROW},{CHANCE},{TABLE},{LINE},{REALS},{LINE},i8,i8)",
    "greedy_rows": f"void({ROW},{CHANCE},{TABLE},{REALS},{LINE},i8,i8)",
    "observe_rows": f"void({ROW},{TABLE},i8,{SMALLS},i8,i8)",
    "imagine_rows": f"void({ROW},{CHANCE},{TABLE},{LINE},i8,i8)",
    "sound_rows": f"void({ROW},{TABLE},{FLAGS},i8,i8)",
    "shortlist": f"i8({DECISION},i8,i8,{FLAGS},{REALS},{LINE})",
    "search": f"i8({DECISION},{REALS},{LINE},{REALS},{LINE},{LINE},{SUMS},f8[:,:,::1],i8,i8,f8)",
    "look_ahead": f"void({DECISION},{REALS},{LINE},i8,i2[:,:,::1],{SUMS})",
    "list_legal": f"i8({LINE},i2[::1],{TABLE},i8,{LINE})",
    "actors": f"i8({LINE},i2[::1],{TABLE})",
    "rank": f"i8({LINE},i2[::1],{TABLE},i8)",
}
"""The functions that Python calls, with the types that they are compiled for."""

SMALL = 220  # bytes of bytecode; smaller functions are inlined


class Compiled:
    """A twin for a processor. Its loops are attributes, which are loaded or compiled on first use."""

    def __init__(self, key: str, debug: bool) -> None:
        self.key, self.debug = key, debug
        self.functions = _compiled(sources.names(key), _cpu(debug))

    @cached_property
    def folder(self) -> Path:
        import numba
        import numpy
        from numba.core.registry import cpu_target

        machine = cpu_target.target_context.codegen().magic_tuple()
        build = f"{sys.version} {machine} {_options(self.debug)} {SMALL} {SIGNATURES}"
        return cache.folder(f"{self.key}-{sources.fingerprint(self.key, numba.__version__, numpy.__version__, build)}")

    def is_cached(self, name: str) -> bool:
        """Return whether a loop is in the cache."""
        return self._path(name).exists()

    def __getattr__(self, name: str) -> Any:
        if name not in SIGNATURES:
            raise AttributeError(name)
        entry = self._entry(name)
        setattr(self, name, entry)
        return entry

    def _entry(self, name: str) -> Any:
        """Load a loop; compile it first if it is not in the cache, under a lock."""
        with cache.locked(self.folder / f"{name}.lock"):
            code = self._unloaded(name)._cache.code or self._compile(name)
        entry = self._unloaded(name)
        entry._cache.code = code
        entry.compile(SIGNATURES[name])
        entry.disable_compile()
        return entry

    def _compile(self, name: str) -> Any:
        """Compile a loop, write it to the cache and return its code."""
        began, loop = perf_counter(), self._unloaded(name)
        cache.report(f"Compiling {find(self.key).info.title} for this processor: {name} …")
        with linking.in_one_piece(name, self.functions):
            loop.compile(SIGNATURES[name])
        cache.report(f"Compiled {name} in {perf_counter() - began:.1f} s.")
        return loop._cache.code

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.code"

    def _unloaded(self, name: str) -> Any:
        return numba_cache.use_file(self.uncompiled(name), self._path(name))

    def uncompiled(self, name: str) -> Any:
        """Return a loop as a numba function that neither is compiled nor has a cache."""
        import numba

        return numba.njit(**_options(self.debug))(self.functions[name].py_func)


def _options(debug: bool) -> dict[str, Any]:
    """Return numba's options. Without `_nrt` arrays are not reference-counted: callers hold them."""
    return {"nogil": True, "error_model": "numpy", "boundscheck": debug, "_nrt": False}


def _cpu(debug: bool) -> dict[str, Any]:
    """Return the intrinsics that replace functions of `core/twin/bits.py` on a processor."""
    try:
        import numba
        import numpy
        from numba.extending import intrinsic
    except ImportError:
        raise NoNumba from None
    one, word = numba.types.boolean, numba.types.int64

    def count(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    def lowest(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(one, False))

    popc = intrinsic(lambda typing, x: (word(word), count))
    ctz = intrinsic(lambda typing, x: (word(word), lowest))
    options = _options(debug) | linking.PART
    large, small = numba.njit(**options), numba.njit(**options, forceinline=True)
    jit = lambda function: (small if is_small(function) else large)(function)  # noqa: E731
    return {"popc": popc, "ctz": ctz, "i64": numpy.int64, "": jit}


def is_small(function: FunctionType) -> bool:
    """Return whether to inline a function: a call passes each array as seven numbers, which can cost more than the
    body."""
    return len(function.__code__.co_code) < SMALL


def _gpu() -> dict[str, Any]:
    """Return the intrinsics that replace functions of `core/twin/bits.py` on a GPU."""
    try:
        import numpy
        from numba import cuda, int64
    except ImportError:
        raise NoNumba from None
    jit = cuda.jit(device=True)
    popc = jit(lambda x: int64(cuda.popc(x)))
    ctz = jit(lambda x: int64(cuda.ffs(x)) - 1)
    return {"popc": popc, "ctz": ctz, "i64": numpy.int64, "": jit}


def _compiled(names: dict[str, Any], intrinsics: dict[str, Any]) -> dict[str, Any]:
    """Copy all functions into one namespace in which they call each other's compiled versions."""
    jit, flat = intrinsics[""], dict(names)
    for name, value in names.items():
        if isinstance(value, FunctionType):
            copy = FunctionType(value.__code__, flat, name, value.__defaults__)
            copy.__qualname__, copy.__module__ = value.__qualname__, value.__module__
            flat[name] = jit(copy)
    flat.update({name: value for name, value in intrinsics.items() if name})
    return flat


@lru_cache
def load(key: str, target: str = "cpu", debug: bool = False) -> Any:
    """Load a game's twin for a processor (`cpu`), for a GPU (`cuda`), or as plain Python (`python`)."""
    if target not in TARGETS:
        raise JamboreeError(f"There is no target {target!r}; there are: {', '.join(TARGETS)}.")
    if not sources.has_twin(key):
        raise JamboreeError(f"{key!r} has no fast twin; these games have one: {', '.join(sources.twin_keys())}.")
    if target == "cpu":
        return Compiled(key, debug)
    names = sources.names(key)
    return SimpleNamespace(**_compiled(names, _gpu())) if target == "cuda" else plain(names)


def plain(names: dict[str, Any]) -> Any:
    """Return a twin as plain Python, for a debugger; rows may be lists."""
    return SimpleNamespace(**_compiled(names, {"": lambda function: function}))
