"""The web client's static files, read into memory at the start."""

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

from .compression import VARY, negotiate

FOLDER = Path(__file__).parents[1] / "site"  # made by the build, not in git
RESERVED = ("api", "live", "ready", "metrics")  # paths of the API
HASHED = re.compile(r"assets/.+[-.][\w-]{8,}\.\w+")  # the build puts a hash of the contents into these names
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
        "style-src 'self' 'unsafe-inline'",  # the client positions and colours pieces with style attributes
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
CODINGS = {"br": ".br", "gzip": ".gz"}  # and the suffixes of files that the build has compressed
IMMUTABLE, REVALIDATE = "public, max-age=31536000, immutable", "no-cache"
NOT_BUILT = """<!doctype html>
<html lang="en"><title>Jamboree</title>
<h1>Jamboree</h1>
<p>The tables are open, but the page to play on has not been built yet.</p>
<p>Run <code>make site</code> in the folder of Jamboree and start the server again. Until then, programs can play by
<a href="/api/v1/schema/openapi.json">the API</a>, and people in a terminal: <code>jamboree play</code>.</p>
</html>
"""


class SiteFile(NamedTuple):
    content: bytes
    kind: str
    caching: str
    etag: str
    packed: Mapping[str, bytes]  # by coding, the preferred one first

    def negotiated(self, accept_encoding: str) -> tuple[str, bytes]:
        """The coding that the client prefers, and the content in it."""
        coding = negotiate(accept_encoding, [*self.packed]) if self.packed else ""
        return coding, self.packed[coding] if coding else self.content


def read_site(folder: Path = FOLDER) -> dict[str, SiteFile]:
    """Read all files of the client by path; only these can be served, which rules out path traversal."""
    if not (folder / "index.html").is_file():
        return {"index.html": _file("index.html", NOT_BUILT.encode())}
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    return {
        name: _file(name, content, _deflated(name, found)) for name, content in found.items() if _is_own(name, found)
    }


def _is_own(name: str, found: Collection[str]) -> bool:
    """Whether a file is not a compressed copy of another."""
    stem, _, suffix = name.rpartition(".")
    return f".{suffix}" not in CODINGS.values() or stem not in found


def _deflated(name: str, found: Mapping[str, bytes]) -> dict[str, bytes]:
    return {coding: found[name + suffix] for coding, suffix in CODINGS.items() if name + suffix in found}


def _file(name: str, content: bytes, packed: Mapping[str, bytes] = MappingProxyType({})) -> SiteFile:
    suffix = Path(name).suffix
    kind = TYPES.get(suffix) or mimetypes.types_map.get(suffix) or "application/octet-stream"
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    return SiteFile(content, kind, IMMUTABLE if HASHED.fullmatch(name) else REVALIDATE, etag, packed)


@route(["/", "/{path:path}"], http_method=["GET", "HEAD"], include_in_schema=False)
async def show_file(request: Request[object, object, State], path: FromPath[str] = "") -> Response[bytes]:
    """Serve a file of the web client, which routes with the URL fragment only.

    A path with two slashes leads nowhere: relative to it, the page's own addresses would name other hosts.
    """
    name = path.removeprefix("/") or "index.html"
    found: SiteFile | None = request.app.state.site.get(name)
    if found is None or name.partition("/")[0] in RESERVED or b"//" in request.scope["raw_path"]:
        raise NotFoundException
    coding, content = found.negotiated(request.headers.get("accept-encoding", ""))
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
