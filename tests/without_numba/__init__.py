"""What is offered, and what is said, where numba is not installed."""

import os
from pathlib import Path

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
"""The environment of a process that finds no numba."""
