"""Whole-loop compilation: the functions that a loop calls are linked into it and optimised once.

By default numba optimises every function together with all its callees and generates machine code for it, so that it
can be called by itself. In a twin only loops are called: a callee was optimised again for each of its callers, which
took more than half of the compile time.
"""

from collections.abc import Container, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

PART = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Numba options for a function that is only called from loops: no wrappers for other callers."""


@contextmanager
def in_one_piece(loop: str, parts: Container[str]) -> Iterator[None]:
    """Optimise these functions as parts of the loop only. The loop must be loaded from the cache before it is
    called."""
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.registry import cpu_target

    codegen = cpu_target.target_context.codegen()
    create, set_env = codegen.create_library, codegen.set_env

    def create_library(name: str, **more: Any) -> Any:
        return _linked()(codegen, name) if name in parts and name != loop else create(name, **more)

    def set_env_if_made(name: str, env: Any) -> None:
        if codegen._engine.is_symbol_defined(name):
            set_env(name, env)

    with global_compiler_lock:  # codegen is patched meanwhile
        codegen.create_library, codegen.set_env = create_library, set_env_if_made
        try:
            yield
        finally:
            del codegen.create_library, codegen.set_env


@lru_cache
def _linked() -> Any:
    from numba.core.codegen import JITCodeLibrary

    class Linked(JITCodeLibrary):  # type: ignore[misc]
        """A function without machine code of its own, which is only linked into others."""

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0

    return Linked
