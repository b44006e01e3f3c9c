"""The plain table UI in a browser: a game of another package, and each of our games without its own table UI."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.plugins.installing import install, looking_there

from ..bench.person import PHONE, Gesture, Person
from ..bench.screen_checks import clipped, scrolls, violations
from ..bench.serving import Server, a_server
from .plain import by_keys, by_mouse, by_touch, opens

SMALL = {**PHONE, "viewport": {"width": 360, "height": 740}}
DUTCH = {"locale": "nl-NL", "color_scheme": "dark"}
OURS = {"bebop": 3, "boogie": 4, "bpm": 3}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where the fourth game is installed."""
    folder = tmp_path_factory.mktemp("plain")
    with a_server(folder, environment=looking_there(install(folder))) as server:
        yield server


@pytest.mark.parametrize(
    ("gesture", "device"),
    [
        pytest.param(by_mouse, {}, id="by mouse"),
        pytest.param(by_keys, DUTCH, id="by keyboard, in Dutch and in the dark"),
        pytest.param(by_touch, PHONE, id="by touch on a phone"),
    ],
)
def test_an_external_game_is_played_to_its_end(
    browser: Browser, server: Server, gesture: Gesture, device: dict[str, Any]
) -> None:
    me = Person(browser, server.url, **device)
    opens(me, "pearls", 3, turns=2)
    assert me.plays(gesture, random.Random(1)) >= 2
    assert_only_my_buyer_was_sent(me)
    assert me.position
    over = me.page.locator(".ending")
    expect(over).to_contain_text("Winnaar" if device is DUTCH else "Winner")
    for score in me.position["outcome"]["scores"]:
        expect(over.locator("ol")).to_contain_text(str(score))
    assert violations(me.page) == []
    me.page.locator(".ending a.button").first.click()
    expect(me.page.locator(".picture")).to_contain_text("In zee" if device is DUTCH else "In the sea")
    me.leaves()


def test_an_external_game_is_on_the_first_page_and_starts_with_one_click(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Pearl Divers")
    assert me.position
    assert me.position["painting"]
    me.plays(by_mouse, random.Random(4), 3)
    me.leaves()


def assert_only_my_buyer_was_sent(me: Person) -> None:
    """Before the end neither a view nor a painting says what another's buyer pays double for."""
    running = [frame["position"] for frame in me.received if frame.get("position") and not frame["position"]["outcome"]]
    assert running
    for position in running:
        assert [bool(buyer) for buyer in position["view"]["buyers"]] == [True, False, False]
        shown = "".join(text for line in position["painting"]["lines"] for text, _ in line)
        assert shown.count("×2") == 1


@pytest.mark.parametrize("device", [{}, DUTCH, PHONE, SMALL], ids=["desktop", "dark", "phone", "small phone"])
@pytest.mark.parametrize("game", OURS)
def test_built_in_games_can_use_the_plain_table_ui(
    browser: Browser, server: Server, game: str, device: dict[str, Any]
) -> None:
    me = Person(browser, server.url, **device)
    opens(me, game, OURS[game], "?ui=plain")
    moves = 4 if game == "bebop" else 1  # in the others everybody chooses at once, and a test can't keep up
    me.plays(by_touch if "has_touch" in device else by_mouse, FirstOf(), moves)
    me.page.locator(".moves button").first.wait_for()
    assert not scrolls(me.page)
    assert clipped(me.page) == []
    assert violations(me.page) == []
    me.leaves()


def test_an_illegal_move_is_explained_with_its_rule(browser: Browser, server: Server) -> None:
    """Bring up pearls in one turn; in the next there are none yet, and the page says so."""
    me = Person(browser, server.url)
    opens(me, "pearls", 2, turns=6)
    while not [action for action in me.legal if action["type"] == "BringUp"]:
        me.plays(by_mouse, FirstOf(), 1)
    me.reads(me.position["question"] if me.position else "")
    by_mouse(me, me.legal[-1])
    me.wait(lambda: [action["type"] for action in me.legal] == ["Dive"], "for my next turn")
    me.reads(me.position["question"] if me.position else "")
    me.page.locator("summary").click()
    me.page.locator("details button").first.click()
    shown = me.page.locator(".hand-line")
    expect(shown).to_contain_text("You hold no pearls of that colour.")
    shown.get_by_role("button", name="The rule").click()
    expect(me.page.get_by_role("heading", name="Bringing up")).to_be_visible()
    me.leaves()


class FirstOf(random.Random):
    """Dives, and dives again."""

    def choice(self, seq: Any) -> Any:
        return seq[0]


def test_a_move_is_previewed_and_the_focus_moves_to_the_next(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    opens(me, "pearls", 2, turns=6)
    while not [action for action in me.legal if action["type"] == "BringUp"]:
        me.plays(by_keys, FirstOf(), 1)
        me.wait(lambda: bool(me.legal), "for my turn")
    dive = me.page.get_by_role("button", name="Dive", exact=True)
    expect(dive).to_be_focused()
    me.page.keyboard.press("Tab")
    shown = me.page.locator(".inspector")
    expect(shown).to_contain_text("Bring up")
    expect(shown).to_contain_text("bring up")
    expect(shown.locator(".gain")).to_contain_text("You")
    me.leaves()


def test_the_table_ui_can_be_changed_at_the_table(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Bebop!")
    assert me.position
    assert "painting" not in me.position
    me.button("Menu").click()
    me.page.get_by_role("menuitem", name="Settings").or_(me.button("Settings")).click()
    me.page.get_by_role("switch", name="Plain tables").click()
    expect(me.page.locator(".picture")).to_contain_text("Vanillaville")
    me.plays(by_mouse, random.Random(3), 2)
    me.leaves()
