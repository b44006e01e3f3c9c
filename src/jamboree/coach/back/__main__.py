"""Look back at a game for another process: a journal comes in as one line, a draft as another, which may be null; what
is found goes out line by line."""

import os
import sys
from threading import Thread
from time import monotonic

import msgspec

from jamboree.core.journal import read
from jamboree.games import find

from .analysis import Analysis
from .looking import LookBack

NICENESS = 6  # the table server and its bots go before
EVERY = 0.7  # seconds between two lines


def end_with_parent() -> None:
    """Wait until nobody holds the other end of this process's input, and end then."""
    while sys.stdin.buffer.read(1):
        pass
    os._exit(1)


def main() -> None:
    os.nice(NICENESS)
    playouts, journal = int(sys.argv[1]), read(sys.stdin.buffer.readline())
    draft = msgspec.json.decode(sys.stdin.buffer.readline(), type=Analysis | None)
    Thread(target=end_with_parent, daemon=True).start()
    out, told = os.fdopen(os.dup(1), "wb"), 0.0
    os.dup2(2, 1)  # whatever else is said goes to the log
    for analysis in LookBack(find(journal.header.game, journal.header.rules), journal, draft, playouts):
        if analysis.finished or monotonic() - told > EVERY:
            told = monotonic()
            out.write(msgspec.json.encode(analysis) + b"\n")
            out.flush()


if __name__ == "__main__":
    main()
