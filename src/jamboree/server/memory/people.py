"""Who is at a table, one by one: people, bots, and those who may not come back."""

import msgspec

from .records import LinkMinted, LinkUsed, Muted, Readied, SignedOut

MOST_TOKENS = 8  # devices of one person


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

    def fold(self, record: Muted | Readied | LinkMinted | LinkUsed | SignedOut) -> None:
        match record:
            case Muted():
                self.muted = record.muted
            case Readied():
                self.ready = record.ready
            case LinkMinted():
                self.link = record.link
            case LinkUsed():
                self.link = ""
                self.tokens = [*self.tokens, record.token][-MOST_TOKENS:]  # once the first made room for the ninth
            case SignedOut():
                self.tokens = [record.besides]
