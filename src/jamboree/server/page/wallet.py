"""The tokens of the people who play in this page. On a server's client they are cookies."""

import msgspec

from ..errors import Refused
from ..live.table import Table
from .disk import Disk

KEY = "tokens"
MAX_TOKENS = 200
NOBODY = "nobody"  # how a shared device asks while its curtain is closed


class Wallet:
    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.tokens: list[str] = []  # the newest last

    async def open(self) -> None:
        row = (await self.disk.read(KEY)).get(KEY)
        self.tokens = msgspec.json.decode(row, type=list[str]) if row else []

    async def add(self, token: str) -> None:
        """Keep a token; it is on disk when this returns."""
        self.tokens = [*(each for each in self.tokens if each != token), token][-MAX_TOKENS:]
        await self.disk.write({KEY: msgspec.json.encode(self.tokens)})

    def people(self, table: Table) -> dict[str, str]:
        """The people of this page at a table, with their tokens."""
        return {table.authenticate(token): token for token in self.tokens if table.knows(token)}

    def acting(self, table: Table, person: str) -> str | None:
        """Who makes a request: the named person, else the first at the table; None while the curtain is closed."""
        people = self.people(table)
        if person == NOBODY or not people:
            return None
        if person and person not in people:
            raise Refused("wrong-token", "That person does not play on this device.")
        return person or next(iter(people))
