"""URLs are built in one place, out of parts that stay what they are."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from string import Formatter
from urllib.parse import parse_qs, urlsplit

import pytest

import jamboree
from jamboree.server.protocol.urls import UnsafePart, api, path

SOURCES = Path(jamboree.__file__).parent
EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
PIECE = re.compile(r"^/\w|^/$|/api\b|://|[?&][\w-]+=|#/|\w/$")  # a literal that looks like a piece of a URL
ALLOWED = {
    "cli/game_flags.py": "two flags",
    "cli/hosting/http_client.py": "an address of this machine",
    "client/table_connection.py": "the address of a server, with a path of `urls`",
    "core/words.py": "the path of a file",
    "fast/browser.py": "an address of this machine",
    "games/bebop/box/board_check.py": "numbers",
    "lab/report.py": "the path of a file",
    "server/edge/host_allowlist.py": "an origin",
    "server/http/auth.py": "the path of a cookie",
    "server/http/invite_routes.py": "the address of this server, with a path of `urls`",
    "server/nodes/relay.py": "the address of another server, with the path that was asked for",
    "server/page/store.py": "the keys of rows",
    "server/protocol/delta.py": "a reference in a schema",
    "server/http/schema.py": "a reference in a schema",
    "server/protocol/urls.py": "the builder itself",
    "server/serve.py": "an address of this machine",
}


@pytest.mark.parametrize("part", ["..", ".", "", "a/b", "../tables/abc/leave?", "a\\b", "a\nb", "a\0", "/", "..\\x"])
def test_an_ambiguous_path_segment_is_refused(part: str) -> None:
    with pytest.raises(UnsafePart):
        api("tables", part, "leave")


@pytest.mark.parametrize("part", ["abc", "leave?x", "a#b", "a b", "%2e%2e", "...", "a&b", "Zoë", "a:b", "x@y"])
def test_other_path_segments_are_quoted(part: str) -> None:
    written = urlsplit("http://here" + path("tables", part, "leave"))
    assert written.path.count("/") == 3
    assert (written.query, written.fragment) == ("", "")
    assert written.path.isascii()


def test_query_values_are_quoted() -> None:
    written = urlsplit(api("tables", "abc", "log", language="en&seat=1", changes=True))
    assert written.path == "/api/v1/tables/abc/log"
    assert parse_qs(written.query) == {"language": ["en&seat=1"], "changes": ["true"]}


def test_urls_are_built_in_one_module() -> None:
    found = {
        source.relative_to(SOURCES if source.is_relative_to(SOURCES) else EXAMPLES).as_posix()
        for source in (*SOURCES.rglob("*.py"), *EXAMPLES.rglob("*.py"))
        if any(map(PIECE.search, _literals(ast.parse(source.read_text(encoding="utf-8")))))
    }
    assert found == set(ALLOWED)


@pytest.mark.parametrize(
    "text",
    [
        "f'/tables/{x}'",
        "f'{x}/{y}'",
        "f'?seat={x}'",
        "f'{x}/api/v1'",
        "'/tables/' + x",
        "x + '/' + y",
        "path += '/' + x",
        "path += '/tables'",
        "'http://%s' % x",
        "'/tables/{}'.format(x)",
        "'{}/{}'.format(x, y)",
        "'/tables/{code}'.format_map(x)",
        "TEMPLATE = '/tables/{}'\nTEMPLATE.format(x)",
        "'/'.join(parts)",
        "'/'.join(['tables', x])",
        "''.join(['/tables/', x])",
        "''.join(('?seat=', x))",
        "'&seat='.join(x)",
        "urljoin(x, y)",
        "parse.urlunsplit(parts)",
        "os.path.join('/tables', x)",
    ],
)
def test_a_module_that_builds_urls_is_detected(text: str) -> None:
    assert any(map(PIECE.search, _literals(ast.parse(text))))


@pytest.mark.parametrize(
    "text",
    [
        "api('tables', x)",
        "f'{x} / {y}'",
        "', '.join(names)",
        "'{} of {}'.format(x, y)",
        "TEMPLATE.format(x)",
        "log.info('/tables/%s', x)",
        "'/api/v1'",
        "total += 1",
    ],
)
def test_other_modules_are_not_reported(text: str) -> None:
    assert not any(map(PIECE.search, _literals(ast.parse(text))))


def _literals(tree: ast.Module) -> Iterator[str]:
    """Yield the literals that are combined with other values."""
    constants = _constants(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and any(isinstance(each, ast.FormattedValue) for each in node.values):
            yield from _texts(node.values)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
            yield from _texts((node.left, node.right))
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            yield from _texts((node.value,))
        elif isinstance(node, ast.Call):
            yield from _literals_of_call(node, constants)


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    """Return the constants that a module assigns to a name."""
    assigned = [each for each in tree.body if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)]
    return {each.targets[0].id: each.value for each in assigned if isinstance(each.targets[0], ast.Name)}


def _literals_of_call(call: ast.Call, constants: Mapping[str, ast.expr]) -> Iterator[str]:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in ("urljoin", "urlunsplit", "urlunparse"):
        yield "://"
    if not isinstance(call.func, ast.Attribute):
        return
    template = call.func.value
    if isinstance(template, ast.Name):
        template = constants.get(template.id, template)
    if name in ("format", "format_map"):
        for text in _texts((template,)):
            with suppress(ValueError):
                yield from (literal for literal, field, *_ in Formatter().parse(text) if literal != text)
    elif name == "join":
        yield from _texts((template, *call.args))
        yield from (text for each in call.args if isinstance(each, ast.List | ast.Tuple) for text in _texts(each.elts))


def _texts(nodes: Iterable[ast.expr]) -> Iterator[str]:
    yield from (each.value for each in nodes if isinstance(each, ast.Constant) and isinstance(each.value, str))
