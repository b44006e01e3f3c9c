"""A server whose web client lies beside its database: `python -m tests.browser.bench.serve_site DATABASE PORT`."""

import sys
from functools import partial
from pathlib import Path

from jamboree.server import serve as program
from jamboree.server.http.app import build_app

from .serve_me import QUICK, say

if __name__ == "__main__":
    database = Path(sys.argv[1])
    setattr(program, "build_app", partial(build_app, site=database.parent / "site"))  # noqa: B010
    settings = program.Settings(database=str(database), port=int(sys.argv[2]), tempo=QUICK, limited=False)
    program.serve(settings, say)
