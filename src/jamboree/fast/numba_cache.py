"""A numba cache with one file per loop: numba's own names its files by source location, which all games share."""

import pickle
from functools import lru_cache
from pathlib import Path
from typing import Any

from . import cache


def use_file(loop: Any, path: Path) -> Any:
    """Make a numba function load its code from a file, and save it there."""
    loop._cache = _loop_cache()(path)
    return loop


@lru_cache
def _loop_cache() -> Any:
    from numba.core.caching import NullCache
    from numba.core.compiler import CompileResult
    from numba.core.serialize import dumps

    class LoopCache(NullCache):  # type: ignore[misc]
        """The code of one loop, in a file and in memory, since the disk may be full."""

        def __init__(self, path: Path) -> None:
            self.path, self.code = path, cache.read(path)

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            if self.code is None:
                return None
            target_context.refresh()
            return CompileResult._rebuild(target_context, *pickle.loads(self.code))

        def save_overload(self, sig: Any, data: Any) -> None:
            self.code = dumps(data._reduce())
            cache.write(self.path, self.code)

    return LoopCache
