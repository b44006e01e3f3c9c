"""How a loop is kept: numba's own cache names it by its place and its code, which are the same in every game."""

import pickle
from functools import lru_cache
from pathlib import Path
from typing import Any

from . import cache


def keep(loop: Any, path: Path) -> Any:
    """Have numba look for a loop's code in this file, and write it there."""
    loop._cache = _kept()(path)
    return loop


@lru_cache
def _kept() -> Any:
    from numba.core.caching import NullCache
    from numba.core.compiler import CompileResult
    from numba.core.serialize import dumps

    class Kept(NullCache):  # type: ignore[misc]
        """The code of one loop, in a file and, as long as it is not read, in memory: a disk may be full."""

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

    return Kept
