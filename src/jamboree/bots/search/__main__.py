"""Compile the loops of the search for the named games, or for all games with a twin."""

import os
import sys
from threading import Thread

from jamboree.fast import twin_keys

from .compilation import TIED, load_loops

NICENESS = 10  # no one waits for this process


def exit_with_parent() -> None:
    """Read the standard input to its end, then exit, even during a compilation."""
    while os.read(sys.stdin.fileno(), 1):  # unbuffered: the lock of a buffer would block the exit
        pass
    os._exit(1)


if __name__ == "__main__":
    os.nice(NICENESS)
    words = sys.argv[1:]
    if TIED in words:
        words.remove(TIED)
        Thread(target=exit_with_parent, daemon=True).start()
    for key in words or twin_keys():
        load_loops(key)
