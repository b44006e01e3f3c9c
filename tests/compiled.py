"""Compile what tests need of the games' twins, each game by one process: `python -m tests.compiled [GAME …]`.

Loops of one game call the same functions. A process that compiles all of its loops compiles these once; test processes
that each want another loop would do so again and again, and keep each other waiting.
"""

import os
import sys
from pathlib import Path

from jamboree.fast import cache, load, twin_keys
from jamboree.fast.compiling import SIGNATURES


def keep_in_the_checkout() -> None:
    """Keep compiled twins where all test processes and the next run find them."""
    os.environ.setdefault(cache.CACHE_VARIABLE, str(Path(__file__).parents[1] / ".pytest_cache" / "fast"))


def compile_all(key: str) -> None:
    twin = load(key)
    for name in SIGNATURES:
        if not twin.is_cached(name):
            getattr(twin, name)


if __name__ == "__main__":
    keep_in_the_checkout()
    for key in sys.argv[1:] or twin_keys():
        compile_all(key)
