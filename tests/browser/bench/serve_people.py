"""The server as people run it, bots and all: `python -m tests.browser.bench.serve_people DATABASE PORT`."""

import sys

from jamboree.server.serve import Settings, serve

from .serve_me import say

if __name__ == "__main__":
    serve(Settings(database=sys.argv[1], port=int(sys.argv[2]), limited=False), say)
