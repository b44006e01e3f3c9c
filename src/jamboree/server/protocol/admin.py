"""The bodies of the admin routes."""

from typing import Annotated

import msgspec
from msgspec import Meta

from .bodies import Body
from .terms import Status

LONGEST_NOTE = 200
LONGEST_BAN = 3650  # days

Address = Annotated[str, Meta(max_length=50, description="an address, or a network as 10.0.0.0/8")]


class RequestOrigin(msgspec.Struct, frozen=True):
    """How the server sees the request, according to its trusted proxies."""

    address: str
    scheme: str
    host: str
    proxied: bool  # a trusted proxy forwarded it
    forwarded: list[str]  # the X-Forwarded headers of the request


class Load(msgspec.Struct, frozen=True):
    """The server's state and load."""

    version: str
    up: float  # seconds since it was started
    tables: int  # in memory
    watched: int  # tables with connections
    sockets: int
    connections: int
    waiting: int  # queued pieces of heavy work
    cpu: float  # seconds of processor time
    memory: int  # bytes
    trouble: str  # what is wrong with the database, or empty
    seen: RequestOrigin


class AdminTable(msgspec.Struct, frozen=True):
    """A table in memory."""

    table: str
    game: str
    status: Status
    seats: int
    people: int  # who have joined
    connected: int  # people
    guests: int  # connected without having joined
    idle: float  # seconds since the last request
    listed: bool


class CloseTable(Body, frozen=True):
    """Close a table."""

    reason: Annotated[str, Meta(max_length=LONGEST_NOTE, description="a sentence for the people at the table")] = ""


class BanAddress(Body, frozen=True):
    """Ban an address or network for some days."""

    address: Address
    days: Annotated[float, Meta(gt=0, le=LONGEST_BAN)] = 7.0
    note: Annotated[str, Meta(max_length=LONGEST_NOTE, description="a note for operators")] = ""


class LiftAddress(Body, frozen=True):
    address: Address


class BannedAddress(msgspec.Struct, frozen=True):
    address: str
    until: int  # in Unix seconds
    note: str
