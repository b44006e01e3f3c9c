"""Who is at a table, one by one: people, bots, and those who may not come back."""

import msgspec


class Bot(msgspec.Struct, frozen=True):
    level: str
    name: str


class Ban(msgspec.Struct, frozen=True):
    """What is known of somebody who may not come back."""

    name: str
    tokens: list[str]  # hashed


class Person(msgspec.Struct):
    name: str
    seat: int | None
    tokens: list[str]  # hashed
    gone: bool = False
    ready: bool = False
    muted: bool = False
    invited: bool = False  # brought along to a rematch, and not come yet
    link: str = ""  # hashed; works once
    done: dict[str, int] = {}  # the last actions by their ids, and the sequence number of each

    @property
    def away_for_good(self) -> bool:
        """Tell who left before the game or after watching; a player who left it can come back."""
        return self.gone and self.seat is None
