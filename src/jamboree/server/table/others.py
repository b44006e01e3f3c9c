"""Other servers on the same database, as far as tables have to know of them."""

from collections.abc import Sequence
from typing import Protocol

from ..errors import Refused

ACCEPT, FORGET = "accept", "forget"  # what can be asked of a table on another server


class Elsewhere(Refused):
    """Another server has this table."""

    def __init__(self) -> None:
        super().__init__("not-kept", "This table is on its way to another server; please try again.")


class Others(Protocol):
    @property
    def run(self) -> str:
        """Say by what tables are ours at this moment, or raise Elsewhere; they are not ours by another one."""

    async def claim(self, code: str) -> str:
        """Make sure that a table is ours before it is read and say by what, or raise Elsewhere."""

    async def ask(self, what: str, code: str, words: Sequence[str]) -> None:
        """Have something done about a person, known by hashed tokens and names, at a table on another server."""


class Alone:
    """No other server: every table is ours."""

    run = ""

    async def claim(self, code: str) -> str:
        return self.run

    async def ask(self, what: str, code: str, words: Sequence[str]) -> None:
        raise Elsewhere
