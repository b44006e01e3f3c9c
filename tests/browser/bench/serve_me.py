"""The server as people run it, but its bots are quick: `python -m tests.browser.bench.serve_me DATABASE PORT`."""

import sys

from jamboree.server.live.clock import Tempo
from jamboree.server.serve import Settings, serve

from .serving import METRICS_TOKEN

QUICK = Tempo(thinking=(0.02, 0.05), forced=(0.02, 0.03), by_the_clock=False)


def say(address: str) -> None:
    print(address, flush=True)


if __name__ == "__main__":
    serve(
        Settings(database=sys.argv[1], port=int(sys.argv[2]), tempo=QUICK, limited=False, metrics_token=METRICS_TOKEN),
        say,
    )
