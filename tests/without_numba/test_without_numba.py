"""Levels that need numba are not offered without it, and hints are greedy, however often they are requested."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jamboree.bots import levels
from jamboree.bots.search import compilation
from jamboree.client import Client
from jamboree.fast import availability
from jamboree.games import find
from tests.cli.terminal import Terminal
from tests.server.test_serve import served

from . import ENVIRONMENT

HINTS = """
import msgspec
from jamboree.bots import Budget, bot, levels
from jamboree.bots.search import can_search
from jamboree.core.chance import Seeded
from jamboree.games import find
from jamboree.server.live.bots.worker import WorkerBots, Question, SentenceContext

for key in ("bebop", "bpm", "boogie"):
    game = find(key)
    assert not can_search(game)
    assert levels(game) == ("rookie", "regular"), levels(game)
    state = game.setup(3, game.info.options(), Seeded(1))
    seat = min(game.to_act(state))
    view, offers = game.view(state, seat), list(game.legal(state, seat))
    raw = [msgspec.Raw(msgspec.json.encode(each)) for each in (view, offers)]
    bots = WorkerBots(lambda key, rules: find(key), bot)
    words = SentenceContext(["Ada", "Bob", "Cleo"], [0, 1, 2], "en")
    for _ in range(3):
        reply = bots.answer(Question("bot", key, game.info.rules_version, "star", *raw, hint=words))
        assert reply.advised and len(reply.advised.moves) == 1 and not reply.advised.soon, reply
        assert (reply.advised.chance, reply.advised.playouts) == (None, 0)
    moved = bots.answer(Question("bot", key, game.info.rules_version, "champion", *raw))
    assert not moved.trouble
print("all well")
"""


REQUEST = """
import sys
sys.modules["numpy"] = None
from jamboree.bots import Budget, PlayerBot, RandomBot
from jamboree.bots.search import SearchBot
from jamboree.core.chance import Seeded
from jamboree.games import find

for key in ("bebop", "bpm", "boogie"):
    game = find(key)
    state = game.setup(3, game.info.options(), Seeded(1))
    seat = min(game.to_act(state))
    view, offers = game.view(state, seat), list(game.legal(state, seat))
    searching = SearchBot(key, PlayerBot(RandomBot(1)), 1)
    last = len(offers) - 1
    request = searching.request(view, offers, Budget(playouts=60), offers[last].action)
    assert (request.first, request.playouts, len(request.menu)) == (last, 60, len(offers))
    assert searching.action(last, view, offers) == offers[last].action
print("all well")
"""


def in_a_process(code: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False)


def test_numba_is_not_importable_in_these_tests() -> None:
    assert "No module named 'numba'" in in_a_process("import numba").stderr


def test_every_hint_is_the_greedy_choice() -> None:
    done = in_a_process(HINTS)
    assert (done.stdout, done.stderr) == ("all well\n", "")


def test_what_a_page_needs_for_a_search_works_without_numpy() -> None:
    """In a page, Python makes the request and reads the choice; a worker searches."""
    done = in_a_process(REQUEST)
    assert (done.stdout, done.stderr) == ("all well\n", "")


def test_a_missing_level_names_the_installation_of_numba() -> None:
    command = [sys.executable, "-m", "jamboree", "play", "bpm", "--auto", "--bots", "sharp"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        "The level sharp needs numba, which is not installed: make fast.\n",
    )


def test_a_ladder_with_a_missing_level_names_the_installation_of_numba() -> None:
    command = [sys.executable, "-m", "jamboree", "rate", "bpm", "--levels", "regular,sharp"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        "The level sharp needs numba, which is not installed: make fast.\n",
    )


def test_doctor_reports_missing_packages_and_compiles_nothing() -> None:
    command = [sys.executable, "-m", "jamboree", "doctor", "--compile"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "need numba, which is not installed: make fast." in done.stderr


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server without numba; this process and the terminals it starts have it."""
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
    with served(tmp_path / "tables.db", "--port", "0") as (_, port):
        monkeypatch.delenv("PYTHONPATH")
        yield f"http://127.0.0.1:{port}"


def test_a_lobby_offers_the_available_levels(url: str) -> None:
    pytest.importorskip("numba")

    async def offered() -> dict[str, list[str]]:
        async with Client(url) as client:
            return {card.key: list(card.bots) for card in await client.games()}

    assert set(map(tuple, asyncio.run(offered()).values())) == {("rookie", "regular")}
    terminal = Terminal("play", "bpm", "--url", url, "--seats", "2", "--name", "Ada")
    terminal.find("says who begins.")
    assert re.search(r"/bot 2 regular\b", " ".join(terminal.transcript.split()))
    assert "Like this: /bot 2 regular, or /bots regular" in terminal.enter("/bots champion", "rookie, regular")
    terminal.enter("/bots", "host starts the game.")
    terminal.process.kill()
    terminal.process.wait(10)


INSTALLING = """
import importlib.util, sys
from pathlib import Path

site = Path(sys.argv[1])
sys.path.insert(0, str(site))
spec = importlib.util.spec_from_file_location("availability", sys.argv[2])
availability = importlib.util.module_from_spec(spec)
spec.loader.exec_module(availability)
assert not availability.has_numba()
for name in ("llvmlite", "numpy", "numba"):
    about = site / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\n")
    (about / "RECORD").write_text("")
    (site / name).mkdir()
    (site / name / "__init__.py").write_text("")
    assert not availability.has_numba(), f"{name} is still being installed"
    (about / "INSTALLER").write_text("uv")
assert availability.has_numba()
"""


def test_numba_is_detected_once_completely_installed(tmp_path: Path) -> None:
    """`make run` installs it while the server runs: half an installation must not be taken for one."""
    command = [sys.executable, "-S", "-c", INSTALLING, str(tmp_path), availability.__file__]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_a_game_that_cannot_be_compiled_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Say numba is there, but LLVM does not know the processor: bots and hints are greedy from then on."""
    pytest.importorskip("numba")
    monkeypatch.setattr(compilation, "_threads", {})
    monkeypatch.setattr(compilation, "_disabled", set())
    monkeypatch.setattr(compilation, "is_compiled", lambda key: False)
    monkeypatch.setattr(compilation, "COMPILE_COMMAND", (sys.executable, "-c", "raise SystemExit(1)"))
    assert not compilation.is_ready("bpm")
    compilation._threads["bpm"].join(60)
    assert not compilation.is_ready("bpm")
    assert levels(find("bpm")) == ("rookie", "regular")
    assert "star" in levels(find("bebop"))
