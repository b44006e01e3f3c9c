"""What goes in and out of the routes for whoever runs the server."""

from typing import Annotated

import msgspec
from msgspec import Meta

from .bodies import Body
from .terms import Status

LONGEST_WHY = 200
LONGEST_BAN = 3650  # days

Address = Annotated[str, Meta(max_length=50, description="an address, or a network as 10.0.0.0/8")]


class Seen(msgspec.Struct, frozen=True):
    """How a request looks from here, after the proxies in front of the server were heard."""

    address: str
    scheme: str
    host: str
    proxied: bool  # a trusted proxy has passed it on
    forwarded: list[str]  # the headers of proxies that came along


class Load(msgspec.Struct, frozen=True):
    """How the server is, and how busy."""

    version: str
    up: float  # seconds since it was started
    tables: int  # in memory
    watched: int  # of them, those somebody is connected to
    sockets: int
    connections: int
    waiting: int  # pieces of heavy work that wait
    cpu: float  # seconds of the processor so far
    memory: int  # bytes
    trouble: str  # what is wrong with the database; empty if nothing is
    seen: Seen


class AdminTable(msgspec.Struct, frozen=True):
    """A table in memory."""

    table: str
    game: str
    status: Status
    seats: int
    people: int  # who have joined
    here: int  # of them, who are connected
    guests: int  # connected without having joined
    idle: float  # seconds since anybody asked for anything
    listed: bool


class CloseTable(Body, frozen=True):
    """Close a table for everybody."""

    why: Annotated[str, Meta(max_length=LONGEST_WHY, description="a sentence that people there can read")] = ""


class BanAddress(Body, frozen=True):
    """Keep an address or a network out for some days."""

    address: Address
    days: Annotated[float, Meta(gt=0, le=LONGEST_BAN)] = 7.0
    why: Annotated[str, Meta(max_length=LONGEST_WHY, description="a note for those who run the server")] = ""


class LiftAddress(Body, frozen=True):
    address: Address


class BannedAddress(msgspec.Struct, frozen=True):
    address: str
    until: int  # in seconds of the wall clock
    why: str
