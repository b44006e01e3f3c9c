"""Compile what a search calls, for the games that are named or for all that have a twin."""

import os
import sys

from jamboree.fast import twin_keys

from .ready import get_ready

NICENESS = 10  # nobody waits for this process

if __name__ == "__main__":
    os.nice(NICENESS)
    for key in sys.argv[1:] or twin_keys():
        get_ready(key)
