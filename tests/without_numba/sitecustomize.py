"""Makes numba unavailable: Python imports this at startup if the folder is in PYTHONPATH."""

import sys


class Refusing:
    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Refusing())
