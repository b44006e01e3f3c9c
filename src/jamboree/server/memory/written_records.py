"""Records and snapshots as they are kept."""

import msgspec

from jamboree.core.chance import Pick

from ..store import Record
from .lobby import Lobby
from .luck import Luck
from .pending import Pending
from .positions import PastAction
from .records import AnyRecord, Forked
from .witnesses import Silent

_decode = msgspec.json.Decoder(AnyRecord).decode
PERSONAL = ("name",)  # fields kept apart from the others, so that they can be erased


def written(record: AnyRecord) -> Record:
    if not any(name in record.__struct_fields__ for name in PERSONAL):
        return Record(_json(record), None)
    fields = msgspec.to_builtins(record)
    personal = {name: fields.pop(name) for name in PERSONAL if name in fields}
    return Record(_json(fields), _json(personal) if personal else None)


def read(kept: Record) -> AnyRecord:
    found: AnyRecord = _decode(f"{kept.body[:-1]},{kept.personal[1:]}" if kept.personal else kept.body)
    return found


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


class Kept(msgspec.Struct):
    """A snapshot of a table."""

    lobby: Lobby
    inherited: Forked | None
    setup: list[Pick] | None
    position: msgspec.Raw  # null before the game
    hash: str
    course: list[PastAction]
    luck: Luck
    pending: dict[int, Pending] = {}
    refused: dict[str, int] = {}
    silent: list[Silent] | None = None  # None: a snapshot of former times, which did not count them
    sealed: bool | None = None
