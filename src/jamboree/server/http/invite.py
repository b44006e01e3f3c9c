"""How friends come to a table: a link, and a picture of it for their telephones."""

import io
from functools import lru_cache

import segno
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from ..errors import Refused
from ..live.registry import Registry
from ..protocol.bodies import Invite, Link
from ..protocol.urls import path
from .answers import Asked, refusals
from .gate import Connection, is_relayed, origin_of

SVG = "image/svg+xml"
FOUND = ("unknown-table", "not-kept")
LONGEST_LINK = 300  # a name of a host has at most 253 characters
QUIET_ZONE = 4  # modules of white around a QR code, as its standard wants


def invite_link(connection: Connection, code: str) -> str:
    """Write the address of a table as others reach it."""
    state, origin = connection.app.state, origin_of(connection)
    known = state.public_url or ("" if origin.proxied or is_relayed(connection) else state.own_origin)
    # a proxy may let X-Forwarded-Host through from a client
    host = origin.host if state.hosts.knows(origin.host) else origin.host_header
    return f"{known or f'{origin.scheme}://{host}'}/#{path('t', code)}"


@get("/tables/{code:str}/invite", tags=["tables"], responses=refusals(*FOUND))
async def show_invite(code: FromPath[str], request: Asked, registry: NamedDependency[Registry]) -> Invite:
    """Give the link by which others come to a table."""
    await registry.table(code)
    return Invite(invite_link(request, code))


@get("/tables/{code:str}/invite.svg", tags=["tables"], media_type=SVG, responses=refusals(*FOUND, "busy"))
async def show_qr_code(code: FromPath[str], request: Asked, registry: NamedDependency[Registry]) -> Response[bytes]:
    """Give that link as a QR code."""
    await registry.table(code)
    link = invite_link(request, code)
    if len(link) > LONGEST_LINK:
        raise Refused("malformed", "This server's name is too long for a QR code.")
    return Response(await registry.offload.run(_drawn, link), media_type=SVG)


async def device_link(connection: Connection, registry: Registry, code: str, secret: str) -> Link:
    """Give the way back on another device. The picture comes with the answer: no address of ours has the secret."""
    address = invite_link(connection, code) + path("link", secret)
    picture = await registry.offload.run(_draw, address) if len(address) <= LONGEST_LINK else b""
    return Link(secret, address, picture.decode())


@lru_cache(maxsize=256)
def _drawn(link: str) -> bytes:
    return _draw(link)


def _draw(link: str) -> bytes:
    drawn = io.BytesIO()
    segno.make_qr(link, error="m").save(
        drawn, kind="svg", xmldecl=False, omitsize=True, border=QUIET_ZONE, light="#fff", svgclass=None, lineclass=None
    )
    return drawn.getvalue()
