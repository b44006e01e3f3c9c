"""Which flags a game has: one for each field of its options, and those that stand for a value."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect as types

from jamboree.core.game import AnyGame
from jamboree.core.options import Flag, fields_of, kind_of

NO_FLAG = Flag()
OF_PLAY = "auto bots force help journal lang name people resume seat seats seed step table token url"
OF_RATE = "file fresh games json levels option ray workers"
RESERVED = frozenset((*OF_PLAY.split(), *OF_RATE.split()))


class OwnFlag(NamedTuple):
    """A flag of a game; `value` is what it stands for, if it takes none of its own."""

    field: str
    names: tuple[str, ...]
    type: types.Type
    default: Any
    value: Any = None

    @property
    def shown(self) -> str:
        """How it is named in a list: the spelling that changes something."""
        return self.off if self.default is True else self.names[0]

    @property
    def off(self) -> str:
        return f"--no-{self.names[0].removeprefix('--')}"


def flags_of(game: AnyGame) -> tuple[OwnFlag, ...]:
    return tuple(_flags(game))


def _flags(game: AnyGame) -> Iterator[OwnFlag]:
    for own, field in fields_of(game.info.options).items():
        spelled = game.info.flags.get(own, NO_FLAG)
        names = tuple(_name(game, name) for name in (own, *spelled.also))
        default = None if field.default is msgspec.NODEFAULT else field.default
        yield OwnFlag(own, names, kind_of(field.type), default)
        for name, value in spelled.values.items():
            yield OwnFlag(own, (_name(game, name),), types.BoolType(), None, value)


def _name(game: AnyGame, name: str) -> str:
    """Spell a flag; what the command itself is told by a word gets the game's key before it."""
    flag = name.replace("_", "-")
    return f"--{game.info.key}-{flag}" if flag in RESERVED else f"--{flag}"
