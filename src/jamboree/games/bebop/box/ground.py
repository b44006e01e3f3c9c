"""The part of a board that is in play with a given number of players."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from jamboree.core.geometry import bits, hex_neighbours, mask_of

from ..rules.actions import Repertoire
from .components import box

if TYPE_CHECKING:
    from .board import Board
    from .board_hexes import Hex


class Stage(NamedTuple):
    letter: str
    spaces: tuple[int, ...]
    mask: int
    ring: int  # normal hexes next to it: when all hold a die, it performs
    beside: int  # every hex next to it
    central: bool  # gets two of each feature


@dataclass(frozen=True, eq=False)
class Ground:
    """The hexes in play, numbered row by row; those outside do not exist. Sets of hexes are masks."""

    board: "Board"
    players: int

    @cached_property
    def hexes(self) -> "tuple[Hex, ...]":
        return tuple(spot for spot in self.board.hexes if spot.region <= self.players)

    @property
    def source(self) -> str:
        return self.board.source

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(spot.name for spot in self.hexes)

    @cached_property
    def index(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.names)}

    @cached_property
    def at(self) -> tuple[tuple[int, int], ...]:
        """Place each hex on the text map: column and row, from 0."""
        return tuple((spot.x, spot.y) for spot in self.hexes)

    @cached_property
    def near(self) -> tuple[int, ...]:
        return hex_neighbours(self.at)

    @cached_property
    def normal(self) -> int:
        """Mark the normal hexes, those under a preprinted die included."""
        return mask_of(at for at, spot in enumerate(self.hexes) if spot.is_normal)

    @cached_property
    def free_normal(self) -> int:
        return self.normal & ~self.printed

    @cached_property
    def vip(self) -> int:
        return mask_of(at for at, spot in enumerate(self.hexes) if spot.is_vip)

    @cached_property
    def printed(self) -> int:
        return mask_of(at for at, _, _ in self.printed_dice)

    @cached_property
    def printed_dice(self) -> tuple[tuple[int, str, str], ...]:
        """List the preprinted dice: hex, colour, face."""
        return tuple((at, *spot.die) for at, spot in enumerate(self.hexes) if spot.die)

    @cached_property
    def spaces(self) -> int:
        return mask_of(space for stage in self.stages for space in stage.spaces)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        letters: dict[str, list[int]] = {}
        for at, spot in enumerate(self.hexes):
            if spot.is_stage:
                letters.setdefault(spot.symbol, []).append(at)
        return tuple(self._stage(letter, tuple(letters[letter])) for letter in sorted(letters))

    def _stage(self, letter: str, spaces: tuple[int, ...]) -> Stage:
        mask = mask_of(spaces)
        beside = self.beside(mask)
        return Stage(letter, spaces, mask, beside & self.normal, beside, letter == self.board.centre)

    def beside(self, mask: int) -> int:
        """Mark the hexes next to those of a mask, these excluded."""
        around = 0
        for at in bits(mask):
            around |= self.near[at]
        return around & ~mask

    @cached_property
    def stage_at(self) -> tuple[int, ...]:
        """Give each hex the index of the stage it is a space of, or -1."""
        owner = {space: number for number, stage in enumerate(self.stages) for space in stage.spaces}
        return tuple(owner.get(at, -1) for at in range(len(self.hexes)))

    @cached_property
    def ring_of(self) -> tuple[tuple[int, ...], ...]:
        """Give each hex the indices of the stages whose ring it is in."""
        return tuple(
            tuple(number for number, stage in enumerate(self.stages) if stage.ring >> at & 1)
            for at in range(len(self.hexes))
        )

    @cached_property
    def repertoire(self) -> Repertoire:
        """Make every action that can come up here, once."""
        letters = [stage.letter for stage in self.stages]
        return Repertoire(self.names, letters, box(self.players).queue)

    @cached_property
    def rating(self) -> int:
        return self.board.rating[self.players - 2]
