"""Game reviews need twins, which numba compiles; where it is missing there is nothing to test here."""

import pytest

pytest.importorskip("numba")
