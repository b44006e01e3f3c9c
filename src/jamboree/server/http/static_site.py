"""The web client: files that the build has put into a folder, read once when the server starts."""

import hashlib
import mimetypes
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from litestar import Request, Response, route
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from .compression import VARY, chosen

FOLDER = Path(__file__).parents[1] / "site"  # made by the build, not kept in git
OURS = ("api", "live", "ready", "metrics")  # paths that are never the client's
HASHED = re.compile(r"assets/.+[-.][\w-]{8,}\.\w+")  # the build names these by their contents
TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
}
POLICY = "; ".join(
    [
        "default-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # pieces are placed and coloured by style attributes
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
CODINGS = {"br": ".br", "gzip": ".gz"}  # and how the build calls files packed that way
FOR_EVER, ASK_AGAIN = "public, max-age=31536000, immutable", "no-cache"
NOT_BUILT = """<!doctype html>
<html lang="en"><title>Jamboree</title>
<h1>Jamboree</h1>
<p>The tables are open, but the page to play on has not been built yet.</p>
<p>Run <code>make site</code> in the folder of Jamboree and start the server again. Until then, programs can play by
<a href="/api/v1/schema/openapi.json">the API</a>, and people in a terminal: <code>jamboree play</code>.</p>
</html>
"""


class File(NamedTuple):
    content: bytes
    kind: str
    caching: str
    etag: str
    packed: Mapping[str, bytes]  # by coding, the one to be preferred first

    def in_form(self, accept_encoding: str) -> tuple[str, bytes]:
        """Give the form of it that is liked best, the shortest if several are, and what that is called."""
        coding = chosen(accept_encoding, [*self.packed]) if self.packed else ""
        return coding, self.packed[coding] if coding else self.content


def read_site(folder: Path = FOLDER) -> dict[str, File]:
    """Read every file of the client by its path. What is not in this list is not there, whatever is asked for."""
    if not (folder / "index.html").is_file():
        return {"index.html": _file("index.html", NOT_BUILT.encode())}
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    return {name: _file(name, content, _packed(name, found)) for name, content in found.items() if _is_own(name, found)}


def _is_own(name: str, found: Collection[str]) -> bool:
    """Tell whether a file is one of its own, and not the packed form of another."""
    stem, _, suffix = name.rpartition(".")
    return f".{suffix}" not in CODINGS.values() or stem not in found


def _packed(name: str, found: Mapping[str, bytes]) -> dict[str, bytes]:
    return {coding: found[name + suffix] for coding, suffix in CODINGS.items() if name + suffix in found}


def _file(name: str, content: bytes, packed: Mapping[str, bytes] = MappingProxyType({})) -> File:
    suffix = Path(name).suffix
    kind = TYPES.get(suffix) or mimetypes.types_map.get(suffix) or "application/octet-stream"
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    return File(content, kind, FOR_EVER if HASHED.fullmatch(name) else ASK_AGAIN, etag, packed)


@route(["/", "/{path:path}"], http_method=["GET", "HEAD"], include_in_schema=False)
async def show_file(request: Request[object, object, State], path: FromPath[str] = "") -> Response[bytes]:
    """Give a file of the web client; its address bar shows places behind a # only."""
    name = path.lstrip("/") or "index.html"
    found: File | None = request.app.state.site.get(name)
    if found is None or name.partition("/")[0] in OURS:
        raise NotFoundException
    coding, content = found.in_form(request.headers.get("accept-encoding", ""))
    etag = f'{found.etag[:-1]}-{coding}"' if coding else found.etag
    headers = {"cache-control": found.caching, "etag": etag}
    if found.packed:
        headers |= VARY
    if coding:
        headers["content-encoding"] = coding
    if found.kind.startswith("text/html"):
        headers["content-security-policy"] = POLICY
    if request.headers.get("if-none-match") == etag:
        return Response(b"", status_code=304, headers=headers)
    return Response(content if request.method == "GET" else b"", media_type=found.kind, headers=headers)
