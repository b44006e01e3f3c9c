"""Compiled code of the tests is kept in the checkout, so that all workers and the next run share it."""

import os
from pathlib import Path

import pytest

pytest.importorskip("numba")
os.environ.setdefault("JAMBOREE_CACHE", str(Path(__file__).parents[2] / ".pytest_cache" / "fast"))
