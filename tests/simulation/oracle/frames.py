"""The messages of docs/protocol.md as a client reads them; what is compared byte by byte stays raw."""

from typing import Any

import msgspec

from .stream import PositionFrame, StepFrame


class _Frame(msgspec.Struct, tag_field="type"):
    pass


class Welcome(_Frame, tag="welcome"):
    seq: int
    you: dict[str, Any]
    table: dict[str, Any]
    position: msgspec.Raw
    actions: list[dict[str, Any]] | None
    missed: list[StepFrame] | None
    chat: list[dict[str, Any]]
    clock: dict[str, Any] | None


class Update(_Frame, tag="update"):
    seq: int
    events: list[msgspec.Raw]
    position: msgspec.Raw
    change: msgspec.Raw
    check: str
    clock: dict[str, Any] | None


class Clock(_Frame, tag="clock"):
    seq: int
    clock: dict[str, Any] | None


class Table(_Frame, tag="table"):
    seq: int
    table: dict[str, Any]


class Chat(_Frame, tag="chat"):
    message: dict[str, Any]


class Ack(_Frame, tag="ack"):
    id: str
    seq: int


class Error(_Frame, tag="error"):
    id: str | None
    code: str
    sentence: str
    detail: Any = None


class Previewed(_Frame, tag="preview"):
    id: str
    events: list[msgspec.Raw]


class Why(_Frame, tag="why-not"):
    id: str
    allowed: bool
    detail: Any


class Pong(_Frame, tag="pong"):
    id: str


class Nudged(_Frame, tag="nudge"):
    person: str


class Bye(_Frame, tag="bye"):
    sentence: str


ServerFrame = Welcome | Update | Clock | Table | Chat | Nudged | Ack | Error | Previewed | Why | Pong | Bye
decode = msgspec.json.Decoder(ServerFrame).decode
read_position = msgspec.json.Decoder(PositionFrame).decode
