"""The flags of a game: made of the fields of its options, read from a command line, turned into options of a table."""

from .command import GameCommand, given
from .flags import flags_of
from .params import values_of
from .values import contents, table_options, with_named

__all__ = ["GameCommand", "contents", "flags_of", "given", "table_options", "values_of", "with_named"]
