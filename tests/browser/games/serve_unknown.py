"""A server with a game without a table UI: `python -m tests.browser.games.serve_unknown DATABASE PORT`."""

import sys
from unittest.mock import patch

from jamboree.core.rulesets import Rulesets
from jamboree.games import all_games
from jamboree.server.serve import Settings, serve
from tests.contract.toy import HighCard

from ..bench.serve_me import QUICK, say

if __name__ == "__main__":
    games = Rulesets({**all_games(), "high-card": HighCard()})
    with patch("jamboree.server.serve.all_games", return_value=games):
        serve(Settings(database=sys.argv[1], port=int(sys.argv[2]), tempo=QUICK, limited=False), say)
