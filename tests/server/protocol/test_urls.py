"""URLs are built in one place, out of parts that stay what they are."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

import jamboree
from jamboree.server.protocol.urls import UnsafePart, api, path

SOURCES = Path(jamboree.__file__).parent
PIECE = re.compile(r"^/\w|/api\b|://|[?&][\w-]+=|#/|\w/$")  # a literal that looks like a piece of a URL
ROOMS = ("client", "cli", "server")
ALLOWED = {
    "cli/hosting/asking.py": "an address of this machine",
    "client/seat.py": "the address of a server, with a path of `urls`",
    "server/edge/host_allowlist.py": "an origin",
    "server/http/auth.py": "the path of a cookie",
    "server/http/invite_routes.py": "the address of this server, with a path of `urls`",
    "server/nodes/relay.py": "the address of another server, with the path that was asked for",
    "server/protocol/delta.py": "a reference in a schema",
    "server/serve.py": "an address of this machine",
}


@pytest.mark.parametrize("part", ["..", ".", "", "a/b", "../tables/abc/leave?", "a\\b", "a\nb", "a\0", "/", "..\\x"])
def test_a_part_that_could_be_read_as_several_is_refused(part: str) -> None:
    with pytest.raises(UnsafePart):
        api("tables", part, "leave")


@pytest.mark.parametrize("part", ["abc", "leave?x", "a#b", "a b", "%2e%2e", "...", "a&b", "Zoë", "a:b", "x@y"])
def test_any_other_part_stays_one(part: str) -> None:
    written = urlsplit("http://here" + path("tables", part, "leave"))
    assert written.path.count("/") == 3
    assert (written.query, written.fragment) == ("", "")
    assert written.path.isascii()


def test_values_of_a_query_stay_values() -> None:
    written = urlsplit(api("tables", "abc", "log", language="en&seat=1", changes=True))
    assert written.path == "/api/v1/tables/abc/log"
    assert parse_qs(written.query) == {"language": ["en&seat=1"], "changes": ["true"]}


def test_no_other_module_puts_a_url_together() -> None:
    found = {
        source.relative_to(SOURCES).as_posix()
        for room in ROOMS
        for source in (SOURCES / room).rglob("*.py")
        if any(map(PIECE.search, _literals(ast.parse(source.read_text(encoding="utf-8")))))
    }
    assert found == set(ALLOWED)  # `urls` joins its parts otherwise


@pytest.mark.parametrize(
    "text", ["f'/tables/{x}'", "'/tables/' + x", "f'?seat={x}'", "'http://%s' % x", "f'{x}/api/v1'"]
)
def test_such_a_module_is_found(text: str) -> None:
    assert any(map(PIECE.search, _literals(ast.parse(text))))


def _literals(tree: ast.AST) -> Iterator[str]:
    """Give the literals that are put together with something else."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and any(isinstance(each, ast.FormattedValue) for each in node.values):
            parts = [each for each in node.values if isinstance(each, ast.Constant)]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
            parts = [each for each in (node.left, node.right) if isinstance(each, ast.Constant)]
        else:
            continue
        yield from (part.value for part in parts if isinstance(part.value, str))
