"""Runs in Pyodide, under Node: packs the modules of a page as bytecode, and writes the texts that never change.

`SOURCES` is the project's `src`, `OUT` the folder to write to. Bytecode is made by the very Python that will run it.
"""

import json
import sys
import zipfile
from importlib import import_module
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[import-not-found]
from importlib.metadata import distribution
from importlib.util import source_hash
from pathlib import Path
from types import CodeType

SOURCES, OUT, APP = Path("/sources"), Path("/out"), Path("/app")
PACKAGES = ("core", "games", "bots", "coach", "fast", "server")
LEFT_OUT = {"web", "site", "lab", "tests", "nodes", "http", "migrations", "modules", "__pycache__"}
SERVER_MODULES = {"__init__.py", "bot_metrics.py", "errors.py", "fair_queue.py", "histogram.py", "offload.py"}
SERVER_MODULES |= {"analysis.py", "names.py", "telemetry.py", "tokens.py", "wakeup.py", "wall_clock.py", "logs.py"}
STORE_MODULES = {"__init__.py", "connection.py", "contract.py", "person_erasure.py"}
EDGE_MODULES = {"__init__.py", "outbox.py"}
SUFFIXES = {".py", ".toml", ".json", ".md", ".txt", ".csv"}
CODECS = {"__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "punycode", "utf_8", "utf_16", "utf_32"}


def is_needed(path: Path) -> bool:
    first, *inner = path.parts
    if path.suffix not in SUFFIXES or LEFT_OUT & {*path.parts[:-1]}:
        return False
    if not inner:
        return path.name == "__init__.py"
    if first == "server" and len(inner) == 1:
        return path.name in SERVER_MODULES
    if first == "server" and inner[0] in ("store", "edge"):
        return path.name in (STORE_MODULES if inner[0] == "store" else EDGE_MODULES)
    return first in PACKAGES


def copy_sources() -> None:
    for path in sorted((SOURCES / "jamboree").rglob("*")):
        inner = path.relative_to(SOURCES / "jamboree")
        if path.is_file() and is_needed(inner):
            target = APP / "jamboree" / inner
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    metadata = APP / "jamboree_games-0.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(f"Metadata-Version: 2.4\nName: jamboree-games\nVersion: {VERSION}\n")  # noqa: F821


def pack() -> None:
    """Pack bytecode in the place of sources, without compression: the whole file is compressed afterwards."""
    with zipfile.ZipFile(OUT / "app.zip", "w", zipfile.ZIP_STORED) as packed:
        for path in sorted(APP.rglob("*")):
            name = path.relative_to(APP).as_posix()
            if path.suffix == ".py":
                _add(packed, f"{name}c", _bytecode(path.read_bytes(), name))
            elif path.is_file():
                _add(packed, name, path.read_bytes())


def import_everything() -> None:
    """Import every packed module, so that `sys.modules` has what they need of the standard library."""
    for path in sorted(APP.rglob("*.py")):
        parts = path.relative_to(APP).with_suffix("").parts
        if parts[-1] != "__main__":
            import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))


def repack_library() -> None:
    """The standard library as bytecode: the packages of which something is imported."""
    needed = {name.partition(".")[0] for name in sys.modules}
    with (
        zipfile.ZipFile(OUT / "library-in.zip") as library,
        zipfile.ZipFile(OUT / "library.zip", "w", zipfile.ZIP_STORED) as packed,
    ):
        for name in sorted(library.namelist()):
            if name.partition("/")[0].removesuffix(".py") in needed and _is_used(name):
                content = library.read(name)
                if name.endswith(".py"):
                    name, content = f"{name}c", _bytecode(content, name)
                _add(packed, name, content)
    (OUT / "library-in.zip").unlink()


def _is_used(name: str) -> bool:
    folder, _, module = name.rpartition("/")
    return folder != "encodings" or module.removesuffix(".py") in CODECS


def _bytecode(source: bytes, name: str) -> bytes:
    """Bytecode without docstrings and line numbers, a third of it, which is not compared with its source."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return bytes(_code_to_hash_pyc(_without_lines(code), source_hash(source), checked=False))


def _without_lines(code: CodeType) -> CodeType:
    inner = tuple(_without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_consts=inner, co_linetable=b"")


def _add(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    packed.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content)  # the same bytes for the same build


def write_notices() -> None:
    """The licences of what runs the tables."""
    parts = [
        f"Pyodide {PYODIDE['version']} ({PYODIDE['license']}), unmodified\nSource: {PYODIDE['homepage']}",  # noqa: F821
        f"Python {sys.version.split()[0]} (PSF-2.0), parts of it, compiled\n{sys.copyright}\n"
        "Licence and source: https://docs.python.org/3/license.html",
        f"msgspec (BSD-3-Clause)\n{distribution('msgspec').read_text('licenses/LICENSE')}",
    ]
    (OUT / "third-party.txt").write_text("\n\n".join(parts))


async def write_texts() -> None:
    """The answers about games that a first page shows, so that it need not start Python."""
    sys.path.insert(0, str(APP))
    from jamboree.server.page.disk import MemoryDisk
    from jamboree.server.page.server import PageServer

    async with PageServer(MemoryDisk()) as server:

        async def write(path: str, name: str, **query: str) -> None:
            answer = await server.request("GET", path, query, "", b"")
            if answer.ok:
                target = OUT / "texts" / f"{name}.json"
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(answer.body)

        await write("games", "games")
        for key in [card["key"] for card in json.loads((OUT / "texts" / "games.json").read_bytes())]:
            for language in ("en", "nl"):
                await write(f"games/{key}/rules", f"games/{key}/rules.{language}", language=language)
                await write(f"games/{key}/examples", f"games/{key}/examples.{language}", language=language)
                for course in ("basics", "strategy"):
                    name = f"games/{key}/lessons.{course}.{language}"
                    await write(f"games/{key}/lessons", name, language=language, course=course)


copy_sources()
pack()
write_notices()
await write_texts()  # noqa: F704, PLE1142
import_everything()
repack_library()
