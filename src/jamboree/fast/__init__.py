"""Fast twins: the rules of the games on integer arrays, compiled by numba for a processor or a GPU (docs/fast.md)."""

from .availability import has_numba
from .batch import Batch
from .compiling import load
from .errors import DamagedRow, IllegalId, NoGpu, NoNumba, TooManyGames
from .simulate import Simulation
from .sources import has_twin, twin_keys

__all__ = [
    "Batch",
    "DamagedRow",
    "IllegalId",
    "NoGpu",
    "NoNumba",
    "Simulation",
    "TooManyGames",
    "has_numba",
    "has_twin",
    "load",
    "twin_keys",
]
