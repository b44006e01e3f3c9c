"""Contents and dependencies of the package: built like a release, installed into an empty environment."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from jamboree.__main__ import AGAIN

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements-test.lock"
UV = Path(sys.executable).parent / "uv"
SITE = "jamboree/server/site/"
LONGEST = 300
OLDEST = (3, 11)
SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # not in the first 3.11


def run(
    *command: object, cwd: Path | None = None, more: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    words, env = [str(word) for word in command], {**os.environ, **(more or {})}
    return subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, timeout=LONGEST, check=False)


def built(kind: str, source: Path, out: Path) -> Path:
    """Build a package with the tools that are here."""
    done = run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", out, cwd=source)
    assert done.returncode == 0, done.stderr
    (package,) = out.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return package


def unpacked(archive: Path, where: Path) -> Path:
    with tarfile.open(archive) as files:
        files.extractall(where, **SAFELY)
    (folder,) = where.iterdir()
    return folder


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel made from the sdist, as an installer makes it."""
    source = unpacked(sdist, tmp_path_factory.mktemp("source"))
    return built("wheel", source, tmp_path_factory.mktemp("wheel"))


def pythons() -> list[str]:
    """List the interpreters here that the package is for, one of each minor version."""
    listed = run(UV, "python", "list", "--only-installed", "--output-format", "json").stdout
    found = {tuple(map(int, each["version"].split(".")[:2])): each["path"] for each in json.loads(listed or "[]")}
    found[sys.version_info[:2]] = sys.executable
    return [path for version, path in sorted(found.items()) if version >= OLDEST]


def installed(wheel: Path, parts: str, folder: Path, interpreter: str = sys.executable) -> Path:
    """Install a wheel into an empty environment; return the folder of its programs."""
    made = run(UV, "venv", "--quiet", "--python", interpreter, folder)
    assert made.returncode == 0, made.stderr
    python = folder / "bin" / "python"
    wanted = f"jamboree-games{parts} @ {wheel.as_uri()}"
    done = run(UV, "pip", "install", "--quiet", "--python", python, "--constraints", LOCK, wanted)
    assert done.returncode == 0, done.stderr
    return folder / "bin"


def test_a_wheel_contains_the_web_client_and_its_licences(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
        notices = files.read(f"{SITE}third-party.txt").decode()
    assert f"{SITE}index.html" in names
    assert any(name.startswith(f"{SITE}assets/") for name in names)
    fonts = re.findall(r"^@fontsource-variable/\S+", notices, re.MULTILINE)
    assert len(fonts) == 4
    assert notices.count("SIL OPEN FONT LICENSE") == len(fonts)
    assert "svelte" in notices
    assert "Permission is hereby granted" in notices


def test_packages_are_not_built_without_the_web_client(sdist: Path, tmp_path: Path) -> None:
    source = unpacked(sdist, tmp_path / "source")
    shutil.rmtree(source / "src" / SITE)
    (source / "package.json").unlink()
    done = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "out", cwd=source)
    assert done.returncode != 0
    assert "The web client is missing, so no package is made." in done.stderr
    assert not list(tmp_path.glob("out/*.whl"))


def test_the_rules_need_only_msgspec(wheel: Path, tmp_path: Path) -> None:
    programs = installed(wheel, "", tmp_path / "bare")
    listed = run(UV, "pip", "freeze", "--python", programs / "python").stdout.splitlines()
    assert [re.split("[ =]", line)[0] for line in listed] == ["jamboree-games", "msgspec"]
    played = run(programs / "python", "-c", PLAY_EVERY_GAME)
    assert played.returncode == 0, played.stderr
    refused = run(programs / "jamboree", "games")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.endswith(f"pip install 'jamboree-games[terminal] @ file://{wheel}'.\n"), "not from an index"


@pytest.fixture(scope="module")
def constraints(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The locked versions without their hashes: pip wants none of a wheel that was built here."""
    path = tmp_path_factory.mktemp("constraints") / "constraints.txt"
    pins = re.findall(r"^[\w.-]+==[^\s;\\]+", LOCK.read_text(), re.MULTILINE)
    path.write_text("\n".join(pins))
    return path


def test_the_server_extra_is_complete(wheel: Path, constraints: Path, tmp_path: Path) -> None:
    """Installed by pip into an environment of its own, as pipx does it."""
    made = run(sys.executable, "-m", "venv", tmp_path / "server")
    assert made.returncode == 0, made.stderr
    programs = tmp_path / "server" / "bin"
    done = run(programs / "pip", "install", "--quiet", "--no-compile", "--constraint", constraints, f"{wheel}[server]")
    assert done.returncode == 0, done.stderr
    with serving(programs / "jamboree", database=tmp_path / "tables.db") as address:
        page = httpx.get(address)
        assert page.status_code == 200
        assert "<script" in page.text
        assert "SIL OPEN FONT LICENSE" in httpx.get(f"{address}/third-party.txt").text


def test_a_networked_game_runs_on_every_installed_python(wheel: Path, tmp_path: Path) -> None:
    for number, interpreter in enumerate(pythons()):
        programs = installed(wheel, "[client]", tmp_path / f"python{number}", interpreter)
        with serving(programs / "jamboree", database=tmp_path / f"{number}.db") as address:
            played = run(programs / "python", "-c", PLAY_ONLINE, address)
            assert (played.returncode, played.stdout[:9]) == (0, "winners: "), played.stderr


def test_uvx_serves_from_the_bare_package(wheel: Path, constraints: Path, tmp_path: Path) -> None:
    """`uvx --from jamboree-games jamboree serve`: the bare package has the rules alone, and fetches the rest."""
    uvx = (UV, "tool", "run", "--quiet", "--python", sys.executable, "--from", wheel, "jamboree")
    alone = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "UV", AGAIN)}
    environment = alone | {"UV_CONSTRAINT": str(constraints), "UV_TOOL_DIR": str(tmp_path / "tools")}
    with serving(*uvx, database=tmp_path / "tables.db", environment=environment) as address:
        assert "<script" in httpx.get(address).text
        version = wheel.name.split("-")[1]
        assert httpx.get(f"{address}/ready").json()["version"].replace("-", "_") == version


@contextmanager
def serving(*program: object, database: Path, environment: Mapping[str, str] = os.environ) -> Iterator[str]:
    """Start a server with a program; return its address."""
    command = [*map(str, program), "serve", "--port", "0", "--db", str(database)]
    unbuffered = {**environment, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=unbuffered, start_new_session=True) as server:
        try:
            assert server.stdout is not None
            announced = re.search(r"http://\S+", server.stdout.readline())
            assert announced
            yield announced[0]
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(30)


PLAY_EVERY_GAME = """
from jamboree.core.chance import Seeded
from jamboree.games import all_games
for game in all_games().values():
    state = game.setup(game.info.seats[0], game.info.options(), Seeded(1))
    assert game.to_act(state)
"""

PLAY_ONLINE = """
import asyncio, random, sys
from jamboree.client import Client, play

class Anything:
    def choose(self, view, offers):
        return random.choice(list(offers)).action

async def main(url):
    async with Client(url) as client:
        ada = await client.open("bpm", 2, "Ada")
        bob = await client.join(ada.table, "Bob")
        async with client.connect(ada) as one, client.connect(bob) as two:
            await client.start(ada)
            await asyncio.gather(play(one, Anything()), play(two, Anything()))
            print("winners:", one.position.outcome.winners, two.position.outcome.winners)

asyncio.run(main(sys.argv[1]))
"""
