"""Behaviour without numba."""

import os
from pathlib import Path

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
"""The environment of a process that finds no numba."""
