"""BPMs Per Minute in a real browser, from the setlist to the last combo."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, ViewportSize, expect

from jamboree.core.journal import read, steps
from jamboree.games import find
from jamboree.games.bpm.rules.events import HypeDrawn, SongDealt, SongsDropped

from ..bench.person import PHONE, Person
from ..bench.programs import LATE, fast_forward
from ..bench.screen_checks import violations
from ..bench.serving import Server
from .bebop import tab_to
from .boogie import opens
from .bpm import acknowledged, by_keys, by_mouse, by_touch, drags_or_clicks, once, without_crates

TITLE = "BPMs per minute"


class Keen(random.Random):
    """Chooses among what is done on the floor, where that is possible."""

    def choice(self, seq: Any) -> Any:
        moving = [each for each in seq if each["type"] == "SwapDancers"]
        doing = [each for each in seq if each["type"] not in ("FinishSong", "Decline")]
        return super().choice(moving or doing or seq)


def test_a_whole_game_against_bots_by_mouse(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots(TITLE)
    me.plays(once(by_mouse), random.Random(1), 6)
    fast_forward(server, me, LATE["bpm"])
    assert me.plays(once(by_mouse), random.Random(1)) > 0
    expect(me.page.get_by_role("region", name="The end of the game")).to_contain_text("Headliner", timeout=60_000)
    assert violations(me.page) == []
    me.leaves()


def test_a_whole_game_against_bots_by_keyboard_alone(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.page.goto("/")
    poster = f'section[aria-label="{TITLE}"] .primary'
    me.page.locator(poster).wait_for()
    tab_to(me, poster)
    me.page.keyboard.press("Enter")
    me.wait(lambda: me.position is not None, "for the game to begin")
    me.plays(once(by_keys), random.Random(2), 8)
    fast_forward(server, me, LATE["bpm"])
    assert me.plays(once(by_keys), random.Random(2)) > 0
    expect(me.page.get_by_role("region", name="The end of the game")).to_be_visible()
    me.leaves()


FOCUSED = "document.activeElement.dataset.at ?? ''"
FIVE_KEYS = 5


def test_songs_and_dancers_are_few_keys_away(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    opens(me, 4, 3, "bpm")
    me.wait(lambda: any(each["type"] == "DiscardSongs" for each in me.legal), "for the songs")
    assert me.position
    me.reads(me.position["question"])
    keys = 0
    for key in ("Tab", "Enter"):
        me.page.keyboard.press(key)
        keys += 1
    assert me.page.evaluate(FOCUSED) == "song-0"
    assert keys <= FIVE_KEYS
    for key, song in (("ArrowRight", 1), ("ArrowDown", 6), ("ArrowLeft", 5), ("ArrowUp", 0), ("End", 9), ("Home", 0)):
        me.page.keyboard.press(key)
        assert me.page.evaluate(FOCUSED) == f"song-{song}"
    for key in ("Enter", "ArrowRight", "Enter"):
        me.page.keyboard.press(key)
    tab_to(me, 'button:text-is("Leave these two")')
    me.reads(me.position["question"])  # no key makes a move while a bot's is animated
    me.page.keyboard.press("Enter")
    me.wait(lambda: any(each["type"] == "CueSong" for each in me.legal), "for the cue")
    me.page.wait_for_function(f"() => ({FOCUSED}).startsWith('song-')")  # the focus goes to the next decision by itself
    rng = random.Random(8)
    while not {"SwapDancers", "PlaceToken"} <= {each["type"] for each in me.legal}:
        me.plays(once(by_keys), rng, 1)
        me.wait(lambda: bool(me.legal), "for my turn")
    me.reads(me.position["question"])
    tab_to(me, f'.mode:has-text("{me.word("web.mode.place", "bpm")}")')
    me.page.keyboard.press("Enter")
    assert me.page.evaluate(FOCUSED).startswith("cell-"), "the focus goes on to the dancers"
    assert me.page.evaluate("document.activeElement.ariaDisabled") == "false", "to one that the token can go on"
    me.leaves()


def test_games_on_a_phone_by_touch(browser: Browser, server: Server) -> None:
    me, moves = Person(browser, server.url, **PHONE), 0
    while moves < 25:
        me.received.clear()
        me.page.goto("/")
        me.page.get_by_role("region", name=TITLE).locator(".primary").tap()  # a mouse would stay and hover over dancers
        me.wait(lambda: me.position is not None, "for the game to begin")
        moves += me.plays(once(by_touch), Keen(3), 25 - moves)
    assert me.page.evaluate("document.scrollingElement.scrollHeight <= innerHeight"), "a table does not scroll"
    me.leaves()


def test_dragging_a_dancer_onto_another_swaps_them(browser: Browser, server: Server) -> None:
    me, rng = Person(browser, server.url), Keen(4)
    me.opens_a_game_against_bots(TITLE)
    while [each["type"] for each in acknowledged(me)].count("SwapDancers") < 3:
        assert me.plays(once(drags_or_clicks), rng, 1), "three songs of eight move a dancer"
    me.leaves()


def test_two_people_play_a_whole_game_without_leaks(browser: Browser, server: Server) -> None:
    ada, bob = Person(browser, server.url), Person(browser, server.url)
    bob.joins(ada.invites(TITLE, seats=2), "Bob")
    ada.page.get_by_role("switch", name="Hypemaster").click()
    expect(bob.page.get_by_role("switch", name="Hypemaster")).to_be_checked()
    ada.starts()
    rng = random.Random(5)
    while not (ada.is_over and bob.is_over):
        ada.wait(lambda: what_all_see(ada) == what_all_see(bob), "for both to hear the same")
        if able := [person for person in (ada, bob) if person.legal]:
            rng.choice(able).plays(by_mouse, rng, 1)
    assert {"ChooseHype", "DiscardSongs", "CueSong", "SwapDancers"} <= {
        each["type"] for each in acknowledged(ada) + acknowledged(bob)
    }
    for me, person in enumerate((ada, bob)):
        assert list(leaks(person, Secrets(person, 1 - me))) == []
        assert set(leaks(person, Secrets(person, me))) > KINDS, "own secrets are found, as the other's would be"
    ada.leaves()
    bob.leaves()


def test_a_custom_crate_is_validated_and_played(browser: Browser, server: Server) -> None:
    ada, bob = Person(browser, server.url), Person(browser, server.url)
    bob.joins(ada.invites(TITLE, seats=2), "Bob")
    upload, checked = ada.page.get_by_label("Load a file"), ada.page.locator(".checked")
    upload.set_input_files(a_crate(["Uno,Us,fast,1990-02-30"]))
    expect(checked).to_contain_text("There are 3 mistakes in this file")
    for mistake in ("fast is not a number of beats per minute", "there is no day 1990-02-30", "1 song is too few"):
        expect(checked).to_contain_text(mistake)
    upload.set_input_files(a_crate([f"Our song {number},Us,{100 + number},{1950 + number}" for number in range(44)]))
    expect(checked).to_contain_text("This file is good.")
    ada.starts()
    for person in (ada, bob):
        expect(person.page.get_by_role("button", name=re.compile(r"^Our song \d+, by Us"))).to_have_count(10)
        person.plays(by_mouse, random.Random(6), 1)
    ada.wait(lambda: "CueSong" in {each["type"] for each in ada.legal}, "for the first round")
    ada.leaves()
    bob.leaves()


def a_crate(songs: list[str]) -> FilePayload:
    text = "\n".join(["title,artist,bpm,released", *songs])
    return {"name": "ours.csv", "mimeType": "text/csv", "buffer": text.encode()}


KINDS = {"hands", "aside", "slots", "changes", "quest"}  # besides titles of songs and keys of cards
OWN = ("viewer", "hands", "aside", "sealed", "quests", "points", "drawn", "under", "returned")


def what_all_see(person: Person) -> dict[str, Any]:
    """Return the part of a view that is the same for everybody."""
    view = person.position["view"] if person.position else {"sealed": []}
    return {
        **{name: view[name] for name in view if name not in OWN},
        "sealed": [each["done"] for each in view["sealed"]],
    }


class Secrets:
    """What a seat had to hide, by the journal of the finished game, and what of it is hidden still."""

    def __init__(self, reader: Person, seat: int) -> None:
        self.seat = seat
        code = reader.page.url.rpartition("/")[2]
        journal: str = reader.page.evaluate(f"fetch('/api/v1/tables/{code}/journal').then(r => r.text())")
        played = steps(read(journal.encode()), find("bpm"))
        state = next(played).state
        self.titles = {state.crate.songs[song].title for song in state.hands[seat]}
        events = [event for step in played for event in step.events]
        dealt = [event for event in events if isinstance(event, SongDealt) and event.seat == seat]
        self.titles |= {event.song.title for event in dealt if event.song}
        self.drops = [event.songs[seat].title for event in events if isinstance(event, SongsDropped)]
        self.draws = [event.cards or [] for event in events if isinstance(event, HypeDrawn) and event.seat == seat]
        self.cards: list[str] = []
        self.used: set[str] = set()  # all have seen them; extra rounds draw from them again
        assert len(self.titles) >= 10
        assert len(self.drops) >= 8

    def hear(self, event: dict[str, Any]) -> None:
        """Take off the list what is open from now on, and put on it what is drawn."""
        match event["type"]:
            case "SongsDropped":
                dropped = self.drops.pop(0)
                assert event["songs"][self.seat]["title"] == dropped
                self.titles.remove(dropped)
            case "HypeDrawn" if event["seat"] == self.seat:
                self.cards = [card for card in self.draws.pop(0) if card not in self.used]
            case "HypeRevealed":
                self.cards = []
                self.used.add(event["card"])

    def within(self, text: str) -> Iterator[str]:
        """Find songs by their titles, wherever they stand, and Hype cards by their keys."""
        yield from (title for title in self.titles if json.dumps(title, ensure_ascii=False)[1:-1] in text)
        yield from (card for card in self.cards if f'"{card}"' in text)


def leaks(person: Person, secrets: Secrets) -> Iterator[str]:
    """Find in the frames of one person the secrets of a seat at that time."""
    for frame in person.received:
        for event in frame["events"] if frame["type"] == "update" else ():
            secrets.hear(event)
        yield from secrets.within(without_crates(frame))
        if frame.get("position"):
            yield from face_down(frame["position"]["view"], secrets.seat)
    assert not secrets.drops
    assert not secrets.draws


def face_down(view: dict[str, Any], seat: int) -> Iterator[str]:
    """Find what a view shows of a seat though it lies face down."""
    choice, fields = view["sealed"][seat], ("hands", "aside")
    yield from (name for name in fields if view[name][seat]["songs"] is not None)
    yield from (name for name in ("slots", "changes") if choice[name] is not None)
    yield from (each["card"] for each in view["under"] if each["seat"] == seat and each["card"])
    quests_open = view["round"] > view["rounds"] or view["phase"] == "over"
    if not quests_open and (view["quests"][seat] or view["points"][seat]["quest"]):
        yield "quest"


BROKEN = """() => [...document.querySelectorAll('.caption b')].flatMap(title => {
  const texts = document.createTreeWalker(title, NodeFilter.SHOW_TEXT), range = document.createRange(), found = [];
  while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/[^ -]+/g)) {
    range.setStart(texts.currentNode, word.index);
    range.setEnd(texts.currentNode, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map(line => line.top)).size > 1) found.push(word[0]);
  }
  return found;
})"""  # words of titles that go on in the next line
HIDDEN = """over => [...document.querySelectorAll(over)].flatMap(note => {
  const box = note.getBoundingClientRect();
  return [...document.querySelectorAll('.bpm, .caption .word')].filter(word => {
    const { left, right, top, bottom } = word.getBoundingClientRect();
    return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  }).map(word => word.textContent);
})"""  # titles and tempos that lie under something
OVERPRINTED = """() => [...document.querySelectorAll('.setlist .song')].flatMap(song => {
  const row = song.getBoundingClientRect();
  return [...song.querySelectorAll('.case, .caption > *')].filter(part => {
    const { top, bottom, height } = part.getBoundingClientRect();
    return height > 0 && (top < row.top - 1 || bottom > row.bottom + 1);
  }).map(part => part.textContent);
})"""  # what reaches out of the place of its song, into another's
LAPTOP: ViewportSize = {"width": 1280, "height": 800}


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 740), (375, 667)])
def test_ten_songs_are_readable_above_a_hint_on_a_phone(
    browser: Browser, server: Server, width: int, height: int
) -> None:
    me = Person(browser, server.url, **{**PHONE, "viewport": {"width": width, "height": height}})
    opens(me, 4, 3, "bpm")
    me.wait(lambda: any(each["type"] == "DiscardSongs" for each in me.legal), "for the songs")
    me.button("Hint").tap()
    me.button("Go on").tap()
    me.page.locator(".marks .number").first.wait_for()
    assert me.page.evaluate(OVERPRINTED) == []
    assert me.page.evaluate(BROKEN) == []
    me.leaves()


def test_titles_and_tempos_are_readable_below_notes_and_hints(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, new=True, viewport=LAPTOP)
    opens(me, 4, 3, "bpm")
    expect(me.page.get_by_role("complementary", name="New to you")).to_contain_text("Two songs stay out")
    for height in (800, 720, 640):
        me.page.set_viewport_size({"width": LAPTOP["width"], "height": height})
        me.page.wait_for_timeout(600)  # two measurements of positions
        assert me.page.evaluate(BROKEN) == []
        assert me.page.evaluate(HIDDEN, ".place-note") == []
    me.page.set_viewport_size(LAPTOP)
    assert me.position
    by_mouse(me, {"type": "DiscardSongs", "first": 0, "second": 1})
    me.wait(lambda: any(each["type"] == "CueSong" for each in me.legal), "for the cue")
    me.reads(me.position["question"])
    assert me.page.evaluate(BROKEN) == []
    expect(me.button("Hint")).to_be_visible()
    me.page.keyboard.press("Shift+H")
    me.button("Go on").click()
    me.page.locator(".marks .number").first.wait_for()
    assert me.page.evaluate(HIDDEN, ".marks .number") == []
    me.leaves()
