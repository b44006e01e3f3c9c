"""Plugins: games of other packages are listed; broken ones are reported and leave the others playable."""

import logging
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, distributions
from pathlib import Path

import pytest

from jamboree import games
from jamboree.core.errors import JamboreeError

OURS = ["bebop", "boogie", "bpm"]
GOOD = """
from msgspec.structs import replace
from tests.contract.toy import HighCard

class Mine(HighCard):
    info = replace(HighCard.info, key={key!r})

game = Mine()
"""
BARE = """
from tests.contract.toy import HighCard

class game:
    info = HighCard.info
"""
SPEECHLESS = """
class Silent(Exception):
    def __str__(self):
        raise ValueError

raise Silent
"""
WORDLESS = """
from jamboree.core.words import Catalogue
from tests.contract.toy import HighCard, Words

class Speechless(Words):
    paint = lambda self, view, names, lang: Catalogue("jamboree.cli").say("nl", "table.need")

class Mine(HighCard):
    words = Speechless()

game = Mine()
"""
CARELESS = """
from tests.contract.toy import HighCard

class Mine(HighCard):
    def witness(self, viewer, event):
        return event.seat

game = Mine()
"""
MISSING = "there is no text 'table.need' in jamboree/cli/locale/en.json"
Bring = Callable[[str, str, str], None]


@pytest.fixture
def bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bring]:
    """Install packages for one test, given by name, entry point and source."""

    def brought(group: str) -> list[EntryPoint]:
        every = [entry for found in distributions(path=[str(tmp_path)]) for entry in found.entry_points]
        return [entry for entry in every if entry.group == group]

    def install(name: str, entry: str, source: str) -> None:
        folder = tmp_path / f"{name}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[jamboree.games]\n{entry}\n")
        module = entry.partition("= ")[2].partition(":")[0]
        (tmp_path / f"{module}.py").write_text(source)
        monkeypatch.delitem(sys.modules, module, raising=False)
        forget()

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("jamboree.games.plugins.entry_points", brought)
    yield install
    monkeypatch.undo()
    forget()


def forget() -> None:
    games._packages.cache_clear()
    games.versions.cache_clear()


def sentences(caplog: pytest.LogCaptureFixture) -> list[str]:
    with caplog.at_level(logging.WARNING):
        assert [key for key in games.all_games() if key in OURS] == OURS
    return caplog.messages


def test_an_external_game_is_listed_with_the_built_in_ones(bring: Bring, caplog: pytest.LogCaptureFixture) -> None:
    bring("someones-cards", "cards = someones_cards", GOOD.format(key="cards"))
    assert games.keys() == [*OURS, "cards"]
    assert games.find("cards").info.title == "High Card"
    assert games.package("cards") == "someones_cards"
    assert "cards" in games.all_games()
    assert sentences(caplog) == []


def test_built_in_games_are_found_by_their_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jamboree.games.plugins.entry_points", lambda group: [])
    forget()
    assert games.keys() == OURS
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import no_such_thing", "ModuleNotFoundError: No module named 'no_such_thing' (someones_cards.py, line 1)"),
        ("\n1 / 0", "ZeroDivisionError: division by zero (someones_cards.py, line 2)"),
        (WORDLESS, f"NoText: {MISSING} (someones_cards.py, line 6)"),
        ("gaem = None", "AttributeError: module 'someones_cards' has no attribute 'game'"),
        ("game = 'a game'", "AttributeError: 'str' object has no attribute 'info'"),
        (GOOD.format(key="tarot"), "it calls itself ['tarot']"),
        ("import sys; sys.exit('bye')", "SystemExit: bye (someones_cards.py, line 1)"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt (someones_cards.py, line 1)"),
        ("raise GeneratorExit('no')", "GeneratorExit: no (someones_cards.py, line 1)"),
        (SPEECHLESS, "Silent: its message can't be shown (someones_cards.py, line 6)"),
        (r"raise ValueError('\x1b[2J')", "ValueError: ?[2J (someones_cards.py, line 1)"),
        (CARELESS, "AttributeError: 'NoneType' object has no attribute 'seat' (someones_cards.py, line 6)"),
        (BARE, "AttributeError: type object 'game' has no attribute 'setup'"),
    ],
)
def test_a_broken_package_is_reported_and_skipped(
    bring: Bring, caplog: pytest.LogCaptureFixture, source: str, why: str
) -> None:
    bring("someones-cards", "cards = someones_cards", source)
    sentence = f"The game 'cards' can't be loaded from someones_cards: {why}."
    assert sentences(caplog) == [sentence]
    assert "cards" not in games.all_games()
    with pytest.raises(JamboreeError, match="The game 'cards' can't be loaded"):
        games.find("cards")


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("bebop = someones_cards", "Jamboree has a game of that name itself"),
        ("Cards! = someones_cards", "a key has small letters, digits and hyphens, and begins with a letter"),
        ("cards = !!not a module!!", "its entry point must name a package, not '!!not a module!!'"),
        ("cards = ", "its entry point must name a package, not ''"),
        ("cards = .cards", "its entry point must name a package, not '.cards'"),
        ("cards = someones_cards:game", "its entry point must name a package, not 'someones_cards:game'"),
    ],
)
def test_an_object_that_is_not_a_game_is_refused_unseen(
    bring: Bring, caplog: pytest.LogCaptureFixture, entry: str, why: str
) -> None:
    bring("someones-cards", entry, "raise AssertionError('nobody may load this')")
    key = entry.partition(" =")[0]
    assert sentences(caplog) == [f"The game {key!r} of the package someones-cards is left out: {why}."]
    assert games.keys() == OURS
    assert games.find("bebop").info.title == "Bebop"


@pytest.mark.parametrize(
    "change",
    [
        "Mine.info = replace(Mine.info, list_position=None)",
        "Mine.info = replace(Mine.info, title=7)",
        "Mine.info = replace(Mine.info, rules_version='one')",
        "Mine.info = replace(Mine.info, minutes='soon')",
        "Mine.info = replace(Mine.info, seats=(0, 3))",
        "Mine.info = replace(Mine.info, seats=(3, 2))",
        "Mine.info = replace(Mine.info, seats=(2, 100000))",
        "Mine.info = replace(Mine.info, avatars=10**7)",
        "Mine.info = replace(Mine.info, samples=(7,))",
        "Mine.info = replace(Mine.info, designs={'timed': 7})",
        "Mine.info = replace(Mine.info, begins=lambda state: 1 / 0)",
        "Mine.bots = lambda self: 1 / 0",
        "Mine.view = lambda self, state, viewer: object()",
        "Mine.view = lambda self, state, viewer: HighCard().view(state, viewer) if viewer in (0, 1, 2) else 1 / 0",
        "Mine.words = type('W', (type(Mine.words),), {'help': lambda *_: None})()",
        "Mine.words = type('W', (type(Mine.words),), {'text': lambda *_: 7})()",
        "Mine.words = type('W', (type(Mine.words),), {'paint': lambda *_: [7, None]})()",
        "Mine.words = type('W', (type(Mine.words),), {'rules': lambda *_: 1 / 0})()",
    ],
)
def test_a_game_with_an_invalid_card_is_skipped(bring: Bring, caplog: pytest.LogCaptureFixture, change: str) -> None:
    bring("someones-cards", "cards = someones_cards", f"{GOOD.format(key='cards')}\n{change}\n")
    (sentence,) = sentences(caplog)
    assert sentence.startswith("The game 'cards' can't be loaded from someones_cards: ")
    assert list(games.all_games()) == OURS


@pytest.mark.parametrize(
    ("package", "why"),
    [
        ("ghost", "ModuleNotFoundError: No module named 'jamboree.games.ghost'"),
        ("plugins", "AttributeError: module 'jamboree.games.plugins' has no attribute 'game'"),
        ("bebop", "it calls itself ['bebop']"),
    ],
)
def test_a_package_cannot_replace_a_built_in_game(
    bring: Bring, caplog: pytest.LogCaptureFixture, package: str, why: str
) -> None:
    bring("someones-cards", f"cards = jamboree.games.{package}", "")
    assert sentences(caplog) == [f"The game 'cards' can't be loaded from jamboree.games.{package}: {why}."]
    assert list(games.all_games()) == OURS


def test_unreadable_entry_points_do_not_affect_the_built_in_games(
    bring: Bring, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring("someones-cards", "cards", "")
    assert sentences(caplog)[0].startswith("The games of other packages can't be found: ")


def test_two_packages_with_the_same_key_are_both_refused(bring: Bring, caplog: pytest.LogCaptureFixture) -> None:
    bring("someones-cards", "cards = someones_cards", GOOD.format(key="cards"))
    bring("other-cards", "cards = other_cards", GOOD.format(key="cards"))
    both = "the package other-cards and the package someones-cards"
    assert sentences(caplog) == [f"The game 'cards' of {both} is left out: nobody could tell which of them is meant."]
    assert games.keys() == OURS
