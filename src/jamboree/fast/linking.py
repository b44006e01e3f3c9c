"""Compiling a loop in one piece, with all that it calls.

numba optimises each function together with everything below it and makes machine code of it, so that it can be called
by itself. In a twin only loops are called: a function far below one went through this once for each function above it,
which took more than half of the time. Here functions are only linked, and optimised once, as parts of their loop.
"""

from collections.abc import Container, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

PART = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""numba's options for a function that is a part of a loop: nothing is written for calling it from elsewhere."""


@contextmanager
def in_one_piece(loop: str, parts: Container[str]) -> Iterator[None]:
    """Leave optimising these parts to the loop. What was compiled so is sound when it is read back from the disk."""
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.registry import cpu_target

    codegen = cpu_target.target_context.codegen()
    create, set_env = codegen.create_library, codegen.set_env

    def create_library(name: str, **more: Any) -> Any:
        return _linked()(codegen, name) if name in parts and name != loop else create(name, **more)

    def set_env_if_made(name: str, env: Any) -> None:
        if codegen._engine.is_symbol_defined(name):
            set_env(name, env)

    with global_compiler_lock:  # nobody else compiles meanwhile
        codegen.create_library, codegen.set_env = create_library, set_env_if_made
        try:
            yield
        finally:
            del codegen.create_library, codegen.set_env


@lru_cache
def _linked() -> Any:
    from numba.core.codegen import JITCodeLibrary

    class Linked(JITCodeLibrary):  # type: ignore[misc]
        """A function that is only linked into others: without machine code of its own."""

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0

    return Linked
