"""Review a game for another process: reads a journal and a draft, which may be null, as two lines of JSON, and writes
the analysis so far as lines of JSON."""

import os
import sys
from threading import Thread
from time import monotonic

import msgspec

from jamboree.core.journal import read
from jamboree.games import find

from .analysis import Analysis
from .game_review import GameReview

NICENESS = 6  # below the priority of the table server and its bots
INTERVAL = 0.7  # seconds between two lines


def exit_with_parent() -> None:
    """Read the standard input to its end, then exit."""
    while os.read(sys.stdin.fileno(), 1):  # unbuffered: the lock of a buffer would break the shutdown
        pass
    os._exit(1)


def main() -> None:
    os.nice(NICENESS)
    playouts, journal = int(sys.argv[1]), read(sys.stdin.buffer.readline())
    draft = msgspec.json.decode(sys.stdin.buffer.readline(), type=Analysis | None)
    Thread(target=exit_with_parent, daemon=True).start()
    out, written = os.fdopen(os.dup(1), "wb"), 0.0
    os.dup2(2, 1)  # other output goes to stderr
    for analysis in GameReview(find(journal.header.game, journal.header.rules), journal, draft, playouts):
        if analysis.finished or monotonic() - written > INTERVAL:
            written = monotonic()
            out.write(msgspec.json.encode(analysis) + b"\n")
            out.flush()


if __name__ == "__main__":
    main()
