"""Twins are compiled by numba; where it is missing there is nothing to test here."""

import pytest

pytest.importorskip("numba")
