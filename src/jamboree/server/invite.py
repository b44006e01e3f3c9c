"""How friends come to a table: a link, and a picture of it for their telephones."""

import io

import segno
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from .answers import Asked, refusals
from .bodies import Invite
from .gate import Connection, origin_of
from .house import House

SVG = "image/svg+xml"
FOUND = ("unknown-table", "not-kept")
QUIET_ZONE = 4  # modules of white around a QR code, as its standard wants


def invite_link(connection: Connection, code: str) -> str:
    """Write the address of a table as others reach it."""
    state, origin = connection.app.state, origin_of(connection)
    known = state.public_origin or ("" if origin.proxied else state.own_origin)
    return f"{known or f'{origin.scheme}://{origin.host}'}/#/t/{code}"


@get("/tables/{code:str}/invite", tags=["tables"], responses=refusals(*FOUND))
async def show_invite(code: FromPath[str], request: Asked, house: NamedDependency[House]) -> Invite:
    """Give the link by which others come to a table."""
    await house.table(code)
    return Invite(invite_link(request, code))


@get("/tables/{code:str}/invite.svg", tags=["tables"], media_type=SVG, responses=refusals(*FOUND))
async def show_qr_code(code: FromPath[str], request: Asked, house: NamedDependency[House]) -> Response[bytes]:
    """Give that link as a QR code."""
    await house.table(code)
    drawn = io.BytesIO()
    segno.make_qr(invite_link(request, code), error="m").save(
        drawn, kind="svg", xmldecl=False, omitsize=True, border=QUIET_ZONE, light="#fff", svgclass=None, lineclass=None
    )
    return Response(drawn.getvalue(), media_type=SVG)
