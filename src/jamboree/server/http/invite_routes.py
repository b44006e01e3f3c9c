"""Invitations to a table: links and QR codes."""

import io
from functools import lru_cache

import segno
from litestar import Response, get

from ..errors import Refused
from ..live.registry import Registry
from ..protocol.bodies import Invite, Link
from ..protocol.urls import path
from .auth import Connection, is_relayed, origin_of
from .error_responses import refusals
from .parameters import ApiRequest, RegistryDep, TableCode

SVG = "image/svg+xml"
TABLE_ERRORS = ("unknown-table", "incomplete", "not-saved")
MAX_LINK = 300  # a host name has at most 253 characters
QUIET_ZONE = 4  # white modules around a QR code, by its standard


def invite_link(connection: Connection, code: str) -> str:
    """The public URL of a table."""
    state, origin = connection.app.state, origin_of(connection)
    known = state.public_url or ("" if origin.proxied or is_relayed(connection) else state.own_origin)
    # some proxies pass a client's X-Forwarded-Host through
    host = origin.host if state.host_allowlist.allows(origin.host) else origin.host_header
    return f"{known or f'{origin.scheme}://{host}'}/#{path('t', code)}"


@get("/tables/{code:str}/invite", tags=["tables"], responses=refusals(*TABLE_ERRORS))
async def show_invite(code: TableCode, request: ApiRequest, registry: RegistryDep) -> Invite:
    """The public link to a table, `{origin}/#/t/{code}`."""
    await registry.table(code)
    return Invite(invite_link(request, code))


@get("/tables/{code:str}/invite.svg", tags=["tables"], media_type=SVG, responses=refusals(*TABLE_ERRORS, "busy"))
async def show_qr_code(code: TableCode, request: ApiRequest, registry: RegistryDep) -> Response[bytes]:
    """The public link as a QR code."""
    await registry.table(code)
    link = invite_link(request, code)
    if len(link) > MAX_LINK:
        raise Refused("malformed", "This server's URL is too long for a QR code.")
    return Response(await registry.offload.run(_drawn, link), media_type=SVG)


async def device_link(connection: Connection, registry: Registry, code: str, secret: str) -> Link:
    """A link for another device, with its QR code in the body, so that no URL of the server contains the secret."""
    address = invite_link(connection, code) + path("link", secret)
    picture = await registry.offload.run(_draw, address) if len(address) <= MAX_LINK else b""
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
