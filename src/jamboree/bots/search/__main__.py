"""Compile what a search calls, for the games that are named or for all that have a twin."""

import os
import sys
from threading import Thread

from jamboree.fast import twin_keys

from .ready import TIED, get_ready

NICENESS = 10  # nobody waits for this process


def end_with_parent() -> None:
    """Wait until nobody holds the other end of this process's input, and end then, whatever is being compiled."""
    while os.read(sys.stdin.fileno(), 1):  # not by way of a buffer, whose lock would still be held at the end
        pass
    os._exit(1)


if __name__ == "__main__":
    os.nice(NICENESS)
    words = sys.argv[1:]
    if TIED in words:
        words.remove(TIED)
        Thread(target=end_with_parent, daemon=True).start()
    for key in words or twin_keys():
        get_ready(key)
