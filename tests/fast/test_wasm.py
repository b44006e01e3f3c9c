"""Twins in WebAssembly compute the same rows in a browser as on the processor, and planted mistakes are found."""

import json
import random
import shutil
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import asdict, replace
from typer.testing import CliRunner

from jamboree.bots.search import NativeSearch, SearchRequest, native
from jamboree.cli.app import app
from jamboree.core.errors import JamboreeError
from jamboree.core.twin.chance import CHANCE
from jamboree.core.twin.interface import CLOCK
from jamboree.fast import load, sources, twin_keys, wasm
from jamboree.fast.browser import CHROMIUM, FIREFOX, BrowserTwin, browser_twin, find_browser
from jamboree.fast.compiling import SIGNATURES, Compiled
from jamboree.fast.search import BY_SEAT, PRODUCTS, PROGRESS
from jamboree.fast.search import PLAYOUTS as PLAYED
from tests.debian import found_or_installed

from .searches import requests, set_ups
from .test_mistakes import changed_names

GAMES = 6  # of each set-up
STEPS = 6
SEED = 3
PLAYOUTS = 24  # of a search
BROWSERS = {"chromium-headless-shell": CHROMIUM, "firefox-esr": FIREFOX}  # by Debian package
PLANTED = {"bebop": 9, "bpm": 3, "boogie": 11}  # mistakes that random games show, by their number


@pytest.fixture(scope="module", params=BROWSERS)
def browser(request: pytest.FixtureRequest) -> Iterator[BrowserTwin]:
    names = BROWSERS[request.param]
    found_or_installed(lambda: next(filter(None, map(shutil.which, names)), None), request.param)
    with browser_twin(find_browser(names)) as twin:
        yield twin


class Pair:
    """A twin on the processor and in a browser, which must agree on every call."""

    def __init__(self, key: str, browser: BrowserTwin, code: bytes) -> None:
        self.native, self.browser = load(key), browser
        self.called = set[str]()
        browser.load(code)

    def __call__(self, loop: str, *arguments: Any) -> tuple[int, list[Any]]:
        """Call a loop on both; return its result and the arrays as they are afterwards."""
        own = [value.copy() if isinstance(value, np.ndarray) else value for value in arguments]
        result, arrays = (
            getattr(self.native, loop)(*own) or 0,
            [value for value in own if isinstance(value, np.ndarray)],
        )
        other, others = self.browser.call(loop, arguments)
        assert other == result, loop
        for array, seen in zip(arrays, others, strict=True):
            assert np.array_equal(array, seen), loop
        self.called.add(loop)
        return result, arrays


def zeros(*shape: int, kind: str = "i8") -> Any:
    return np.zeros(shape, kind)


def play_steps(pair: Pair, key: str, seats: int, table: Any) -> None:
    """Play some random steps in every game, then finish the games at random and greedily."""
    layout, rng = sources.layout(key), random.Random(seats)
    masks, smalls, chance = zeros(GAMES, layout.MASKS), zeros(GAMES, layout.SMALLS, kind="i2"), zeros(GAMES, CHANCE)
    scratch, rows = zeros(max(layout.SCRATCH, 1), kind="f8"), (0, GAMES)
    _, (masks, smalls, chance, _) = pair("begin_rows", masks, smalls, chance, table, SEED, *rows)
    actions = load(key, "python").count_actions(table.tolist())
    for _ in range(STEPS):
        legal, line, found = zeros(GAMES, actions, kind="?"), zeros(GAMES), zeros(GAMES, kind="?")
        wins = zeros(GAMES, seats, kind="?")
        _, (*_, actor, legal, _) = pair("legal_rows", masks, smalls, table, line - 1, legal, line, *rows)
        pair("decide_rows", masks, smalls, chance, table, actor, scratch, line, *rows)
        pair("sound_rows", masks, smalls, table, found, *rows)
        ids = np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in legal])
        pair("check_rows", actor, ids, legal, zeros(1), *rows)
        step = (masks, smalls, chance, table, actor, ids, zeros(GAMES, seats), found, wins, 1, *rows)
        _, (masks, smalls, chance, *_) = pair("step_rows", *step)
        pair("score_rows", masks, smalls, table, zeros(GAMES, seats), wins, *rows)
    for viewer in range(-1, seats):
        pair("observe_rows", masks, smalls, table, viewer, zeros(GAMES, layout.OBSERVED, kind="i2"), *rows)
    for row in range(2):
        acting, _ = pair("actors", masks[row], smalls[row], table)
        pair("rank", masks[row], smalls[row], table, row % seats)
        seat = (acting & -acting).bit_length() - 1
        if 0 <= seat < CLOCK:
            pair("list_legal", masks[row], smalls[row], table, seat, zeros(actions))
    for loop, more in (("finish_rows", []), ("greedy_rows", [scratch])):
        pair(loop, masks, smalls, chance, table, *more, zeros(GAMES), *rows)


def search(pair: Pair, request: SearchRequest) -> None:
    """Run the loops of a search on a view from the middle of a game."""
    native, layout = NativeSearch(request), sources.layout(request.game)
    most = np.zeros(request.max_candidates, "i8")
    menu = np.frombuffer(request.menu, "?")
    count, _ = pair("shortlist", *native.decision, request.first, 1, menu, zeros(len(menu), kind="f8"), most)
    candidates, remains = np.arange(-2, count - 2), np.ones(count, "i8")
    values, by_seat = zeros(count, PRODUCTS + count, kind="f8"), zeros(count, request.seats, BY_SEAT, kind="f8")
    bonuses, progress = np.full(count, 0.25), zeros(PROGRESS)
    for elapsed in (0.0, 0.25, 0.5):
        state = bonuses, remains, progress, values, by_seat
        _, (*_, remains, progress, values, by_seat) = pair(
            "search", *native.decision, native.utility, candidates, *state, 1, 9, elapsed
        )
    seen, ends = zeros(2, count, layout.OBSERVED, kind="i2"), zeros(2, count, kind="f8")
    pair("look_ahead", *native.decision, native.utility, candidates, request.seats, seen, ends)
    masks, smalls, table, guesses = native.decision[:4]
    rows, chance = [np.stack([each] * GAMES) for each in (masks, smalls)], zeros(GAMES, CHANCE)
    if len(guesses):
        pair("imagine_rows", *rows, chance, table, guesses, 0, GAMES)


@pytest.mark.parametrize("key", twin_keys())
def test_every_loop_gives_the_same_rows_in_a_browser(key: str, browser: BrowserTwin) -> None:
    pair = Pair(key, browser, wasm.built_module(key))
    for (seats, options), request in zip(set_ups(key), requests(key, PLAYOUTS), strict=True):
        play_steps(pair, key, seats, np.array(sources.bridge(key).table(seats, options), "i8"))
        search(pair, request)
    assert pair.called == set(SIGNATURES)


@pytest.mark.parametrize("key", twin_keys())
def test_whole_games_end_in_the_same_rows(key: str, browser: BrowserTwin) -> None:
    compare_games(key, browser, wasm.built_module(key), set_ups(key), (False, True))


def compare_games(
    key: str, browser: BrowserTwin, code: bytes, tables: list[tuple[int, Any]], kinds: tuple[bool, ...]
) -> None:
    """Play whole games at random or greedily on both, and compare their last rows."""
    twin, layout = load(key), sources.layout(key)
    browser.load(code)
    for (seats, options), greedy in product(tables, kinds):
        table = np.array(sources.bridge(key).table(seats, options), "i8")
        masks, smalls, chance = zeros(64, layout.MASKS), zeros(64, layout.SMALLS, kind="i2"), zeros(64, CHANCE)
        twin.begin_rows(masks, smalls, chance, table, SEED, 0, 64)
        loop = partial(twin.greedy_rows if greedy else twin.finish_rows, masks, smalls, chance, table)
        moves, scratch = zeros(64), [zeros(max(layout.SCRATCH, 1), kind="f8")] if greedy else []
        loop(*scratch, moves, 0, 64)
        played = browser.play(table, 64, SEED, greedy)
        assert (played.moves, played.masks, played.smalls) == (moves.sum(), masks.tobytes(), smalls.tobytes())


@pytest.mark.parametrize("key", twin_keys())
def test_a_mistake_in_a_module_is_found(key: str, browser: BrowserTwin) -> None:
    mistake = import_module(f"tests.fast.mistakes.{key}").MISTAKES[PLANTED[key]]
    with pytest.raises(AssertionError):
        compare_games(key, browser, mistaken(key, ("begin_rows", "finish_rows"), *mistake), set_ups(key), (False,))


@pytest.mark.parametrize("key", twin_keys())
def test_a_search_finds_the_same_in_a_browser(key: str, browser: BrowserTwin) -> None:
    browser.load(wasm.built_module(key))
    for request in requests(key, PLAYOUTS):
        assert browser.search(asdict(request)).findings == asdict(native.search(request))


def test_a_search_in_a_browser_keeps_to_its_time(browser: BrowserTwin) -> None:
    browser.load(wasm.built_module("bpm"))
    request = replace(next(requests("bpm", PLAYOUTS)), playouts=10**9, seconds=0.3)
    assert 0 < browser.search(asdict(request)).findings["progress"][PLAYED] < 10**9


@pytest.mark.parametrize("browser", ["chromium-headless-shell"], indirect=True)
def test_a_mistake_in_the_search_of_a_module_is_found(browser: BrowserTwin) -> None:
    old, new = "most = (most + 1) // 2", "most = most // 2"
    browser.load(mistaken("boogie", ("shortlist", "search"), "search.py", old, new, "jamboree.fast"))
    every = requests("boogie", PLAYOUTS)
    assert any(browser.search(asdict(each)).findings != asdict(native.search(each)) for each in every)


@cache
def mistaken(key: str, loops: tuple[str, ...], *mistake: str) -> bytes:
    """Compile a twin with a planted mistake."""
    names = changed_names(key, *mistake)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "names", lambda of: names)
        return wasm.module(Compiled(key, debug=False), names=loops)


def test_a_module_describes_itself(tmp_path: Path) -> None:
    for key in twin_keys():
        about = wasm.description(wasm.built_module(key))
        assert (about["game"], about["loops"]) == (key, SIGNATURES)
    assert wasm.description(b"\0asm\1\0\0\0") == {}


def test_a_browser_is_compared_with_the_processor(browser: BrowserTwin) -> None:
    command = ["bench", "--browser", "--json", "--game", "bpm", "--seconds", "0.4"]
    report = json.loads(CliRunner().invoke(app, command).stdout)["games"]["bpm"]
    assert report["actions_per_second"] > report["greedy_games_per_second"] > 0
    assert report["playouts_per_second"] > 0
    assert report["ratio"] > 0 and report["greedy_ratio"] > 0 and report["playout_ratio"] > 0
    assert report["module_bytes"] == len(wasm.built_module("bpm"))


def test_wrong_arguments_are_refused_in_the_browser(browser: BrowserTwin) -> None:
    """They would otherwise be addresses in the module's memory."""
    browser.load(wasm.built_module("bpm"))
    numbers, words = zeros(3, kind="i2"), zeros(4)
    for arguments in ([words, numbers], [words, words, words], [words, numbers, 5], [words, numbers, zeros(2, 2)]):
        with pytest.raises(JamboreeError, match="actors"):
            browser.call("actors", arguments)
    with pytest.raises(JamboreeError, match="no loop nothing"):
        browser.call("nothing", [])
