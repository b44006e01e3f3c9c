"""A server with a game that no face was drawn for: `python -m tests.browser.serve_unknown DATABASE PORT`."""

import sys

import jamboree.server.serve as serving
from jamboree.core.rulesets import Rulesets
from jamboree.games import all_games
from tests.contract.toy import HighCard

from .serve_me import QUICK, say

if __name__ == "__main__":
    serving.all_games = lambda: Rulesets({**all_games(), "high-card": HighCard()})  # type: ignore[attr-defined]
    serving.serve(serving.Settings(database=sys.argv[1], port=int(sys.argv[2]), tempo=QUICK, limited=False), say)
