"""Searching bots need twins compiled by numba; without numba these tests are skipped."""

import pytest

pytest.importorskip("numba")
