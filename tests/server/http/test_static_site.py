"""The web client's static files: content types, cautious caching, and no other files."""

import asyncio
import gzip
import http.client
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from jamboree.server.http.static_site import NOT_BUILT
from jamboree.server.store.store import Store

from ..bench.online import HOST, Answer, Online, online

INDEX = '<!doctype html><title>Jamboree</title><script type="module" src="/assets/index-B9fFq3xZ.js"></script>'
FILES = {
    "index.html": INDEX,
    "assets/index-B9fFq3xZ.js": "console.log(1)",
    "assets/index-DiwrgTda.css": "body{}",
    "assets/plain.svg": "<svg/>",
    "fonts/jazz.woff2": "font",
    "manifest.webmanifest": "{}",
    "api/v1/games": "not ours",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (tmp_path / "secret.txt").write_text("hush")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    return folder


async def test_files_have_their_content_types(store: Store, site: Path) -> None:
    async with online(store, site=site) as server:
        types = {
            "/": "text/html; charset=utf-8",
            "/index.html": "text/html; charset=utf-8",
            "/assets/index-B9fFq3xZ.js": "text/javascript; charset=utf-8",
            "/assets/index-DiwrgTda.css": "text/css; charset=utf-8",
            "/assets/plain.svg": "image/svg+xml",
            "/fonts/jazz.woff2": "font/woff2",
            "/manifest.webmanifest": "application/manifest+json",
        }
        for path, kind in types.items():
            answer = await server.get(path)
            assert (answer.status, answer.headers["content-type"]) == (200, kind), path
            assert answer.headers["x-content-type-options"] == "nosniff"
        assert (await server.get("/")).body == INDEX


@pytest.mark.parametrize("path", ["//", "///", "//index.html", "/assets//plain.svg", "//assets/plain.svg"])
async def test_a_path_with_two_slashes_is_refused(store: Store, site: Path, path: str) -> None:
    async with online(store, site=site) as server:
        answer = await asyncio.to_thread(fetched, server, path)
        assert (answer.status, answer.headers["cache-control"]) == (404, "no-store")


async def test_hashed_files_are_immutable_and_others_revalidated(store: Store, site: Path) -> None:
    async with online(store, site=site) as server:
        for path in ("/assets/index-B9fFq3xZ.js", "/assets/index-DiwrgTda.css"):
            assert "immutable" in (await server.get(path)).headers["cache-control"]
        for path in ("/", "/assets/plain.svg", "/manifest.webmanifest"):
            answer = await server.get(path)
            assert answer.headers["cache-control"] == "no-cache"
            again = await server.get(path, **{"if-none-match": answer.headers["etag"]})
            assert (again.status, again.body) == (304, "")
        assert (await server.get("/api/v1/games")).headers["cache-control"] == "no-store"


async def test_the_content_security_policy_forbids_other_origins(store: Store, site: Path) -> None:
    async with online(store, site=site) as server:
        policy = (await server.get("/")).headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert [part for part in policy.split("; ") if "unsafe" in part] == ["style-src 'self' 'unsafe-inline'"]
        assert "http" not in policy and "*" not in policy
        assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..%2fsecret.txt",
        "/..\\secret.txt",
        "/assets/..%5c..%5csecret.txt",
        "/%252e%252e/secret.txt",
        "//secret.txt",
        "/link.txt",
        "/assets",
        "/assets/",
        "/fonts/",
        "/index.html/",
        "/./",
        "/index.html%00.js",
    ],
)
async def test_files_outside_the_site_are_not_served(store: Store, site: Path, path: str) -> None:
    async with online(store, site=site) as server:
        answer = await server.raw(path)
        assert b"hush" not in answer
        assert answer.split()[1] in (b"404", b"400") or answer.endswith(INDEX.encode())


async def test_absolute_paths_are_not_served(store: Store, site: Path) -> None:
    async with online(store, site=site) as server:
        answer = await server.raw(str(site.parent / "secret.txt"))
        assert answer.split()[1] == b"404"


async def test_files_never_shadow_the_api(store: Store, site: Path) -> None:
    async with online(store, site=site) as server:
        assert isinstance((await server.get("/api/v1/games")).body, list)
        for path in ("/api", "/api/v1/nothing", "/live/x", "/metrics/x", "/nowhere"):
            answer = await server.get(path)
            assert (answer.status, answer.body["code"]) == (404, "not-found"), path


async def test_without_a_built_client_a_page_explains_how_to_build_it(store: Store, tmp_path: Path) -> None:
    async with online(store, site=tmp_path) as server:
        answer = await server.get("/")
        assert (answer.status, answer.body) == (200, NOT_BUILT)
        assert "make site" in answer.body
        assert (await server.get("/assets/index.js")).status == 404


async def test_a_head_response_has_no_body(store: Store, site: Path) -> None:
    async with online(store, site=site) as server:
        answer = await server.head("/")
        assert (answer.status, answer.body) == (200, "")


async def invited(server: Online, **headers: str) -> tuple[str, str]:
    code = (await server.seated(start=False))[0]["table"]
    return code, (await server.get(f"/api/v1/tables/{code}/invite", **headers)).body["link"]


async def test_the_invite_link_uses_the_reachable_address(store: Store) -> None:
    async with online(store) as server:
        code, link = await invited(server)
        assert link == f"http://{HOST}:{server.port}/#/t/{code}"
    async with online(store, public_url="https://games.example.org/") as server:
        code, link = await invited(server)
        assert link == f"https://games.example.org/#/t/{code}"


async def test_the_qr_code_encodes_the_invite_link(store: Store) -> None:
    async with online(store, public_url="https://games.example.org") as server:
        code, link = await invited(server)
        answer = await server.get(f"/api/v1/tables/{code}/invite.svg")
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert modules(answer.body) == expected(link)
        assert (await server.get("/api/v1/tables/nowhere/invite.svg")).body["code"] == "unknown-table"


def modules(svg: str) -> set[tuple[int, int]]:
    """Read the dark modules back from the strokes of a picture."""
    (path,) = [part for part in ElementTree.fromstring(svg) if part.get("stroke")]
    dark, x, y = set(), 0, -1.0
    for command, numbers in _strokes(str(path.get("d"))):
        if command == "h":
            dark |= {(x + step, int(y)) for step in range(int(numbers[0]))}
            x += int(numbers[0])
        else:
            x, y = (int(numbers[0]), numbers[1]) if command == "M" else (x + int(numbers[0]), y + numbers[1])
    return dark


def _strokes(drawn: str) -> list[tuple[str, list[float]]]:
    spaced = drawn
    for letter in "Mmh":
        spaced = spaced.replace(letter, f"|{letter} ")
    return [(part[0], [float(number) for number in part[1:].split()]) for part in spaced.split("|") if part]


def expected(link: str) -> set[tuple[int, int]]:
    import segno

    rows = segno.make_qr(link, error="m").matrix_iter(border=4)
    return {(x, y) for y, row in enumerate(rows) for x, dark in enumerate(row) if dark}


def fetched(server: Online, path: str, **headers: str) -> Answer:
    """Fetch something as it is on the wire."""
    connection = http.client.HTTPConnection(HOST, server.port, timeout=30)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    data = response.read()
    connection.close()
    return Answer(response.status, data, dict(response.headers))


async def test_the_list_of_games_is_compressed_if_accepted(store: Store, site: Path) -> None:
    async with online(store, site=site) as server:
        games = await asyncio.to_thread(fetched, server, "/api/v1/games", **{"accept-encoding": "gzip"})
        assert games.headers["content-encoding"] == "gzip"
        assert json.loads(gzip.decompress(games.body)) == (await server.get("/api/v1/games")).body


async def test_files_are_sent_compressed_if_accepted(store: Store, site: Path) -> None:
    (site / "assets/index-B9fFq3xZ.js.br").write_bytes(b"brotli")
    (site / "assets/index-B9fFq3xZ.js.gz").write_bytes(b"gzip")
    async with online(store, site=site) as server:
        path = "/assets/index-B9fFq3xZ.js"
        for accepted, coding, body in (
            ("gzip, deflate, br", "br", "brotli"),
            ("br;q=0, gzip;q=0.5", "gzip", "gzip"),
            ("deflate", None, "console.log(1)"),
        ):
            answer = await server.get(path, **{"accept-encoding": accepted})
            assert (answer.headers.get("content-encoding"), answer.body) == (coding, body)
            assert answer.headers["vary"] == "accept-encoding"
            again = await server.get(path, **{"accept-encoding": accepted, "if-none-match": answer.headers["etag"]})
            assert again.status == 304
        assert (await server.get(f"{path}.br")).status == 404
