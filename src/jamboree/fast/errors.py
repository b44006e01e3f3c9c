"""Errors of the fast twins."""

from jamboree.core.errors import JamboreeError
from jamboree.core.extras import MissingExtra


class NoNumba(MissingExtra):
    def __init__(self) -> None:
        super().__init__("The fast twins need numba, which is not installed", "fast")


class NoGpu(JamboreeError):
    def __init__(self) -> None:
        super().__init__("No GPU can be used here; the CUDA driver and the package numba-cuda are needed.")


class IllegalId(JamboreeError):
    """An action id that is not legal; no game of the batch was changed."""


class DamagedRow(JamboreeError):
    """A row that is not a valid position."""


class TooManyGames(JamboreeError):
    """More games than fit into memory."""
