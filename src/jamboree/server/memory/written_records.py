"""Records as they are kept."""

import msgspec

from ..store import Record
from .records import AnyRecord

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
