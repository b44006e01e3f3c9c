"""What can be wrong with what a program hands in."""

from jamboree.core.errors import JamboreeError
from jamboree.core.extras import MissingExtra


class NoNumba(MissingExtra):
    def __init__(self) -> None:
        super().__init__("The fast twins need numba, which is not installed", "fast")


class NoGpu(JamboreeError):
    def __init__(self) -> None:
        super().__init__("No GPU can be used here; CUDA's driver and the package numba-cuda are needed.")


class IllegalId(JamboreeError):
    """An id that is not legal; no game of the batch was touched."""


class DamagedRow(JamboreeError):
    """A row that can't be a position."""


class TooManyGames(JamboreeError):
    """More games than fit into memory."""
