"""The shell at every table: entry, languages, chat, undo, pauses, another device."""

import random
import re
import sqlite3
import time

from playwright.sync_api import Browser, expect

from .bench.person import Person
from .bench.programs import fast_forward
from .bench.serving import Server
from .games.bebop import by_mouse


def test_a_spectator_joins_by_code_and_sees_no_hidden_dice(browser: Browser, server: Server) -> None:
    ada, bob, eve = (Person(browser, server.url) for _ in range(3))
    link = ada.invites("Bebop!", seats=2)
    bob.joins(link, "Bob")
    ada.starts()
    eve.page.goto("/")
    eve.page.get_by_label("Got a code?").fill(link.rpartition("/")[2])
    eve.button("Join").click()
    eve.wait(lambda: eve.position is not None, "to see the game")
    assert eve.position
    assert [hand["dice"] for hand in eve.position["view"]["hands"]] == [None, None]
    assert eve.legal == []
    for person in (ada, bob, eve):
        person.leaves()


def test_a_poster_opens_its_game(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.page.goto("/")
    me.page.get_by_role("region", name="Boogie Beasts").locator(".art").click()
    me.wait(lambda: me.position is not None, "for the game to begin")
    assert me.position
    assert "jumprun" in me.position["view"]
    me.leaves()


def test_the_language_changes_at_any_time(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Bebop!")
    me.plays(by_mouse, random.Random(1), 2)
    me.wait(lambda: bool(me.legal), "for my turn")
    me.button("Menu").click()
    me.page.get_by_role("button", name="Settings").click()
    me.page.get_by_text("Nederlands").click()
    me.page.keyboard.press("Escape")
    expect(me.page.locator(".prompt")).to_contain_text(re.compile(r"\b(een|je|of)\b"))
    assert me.page.evaluate("document.documentElement.lang") == "nl"
    me.page.reload()
    me.wait(lambda: bool(me.legal), "for my turn")
    assert me.page.evaluate("document.documentElement.lang") == "nl"
    me.leaves()


def claims(person: Person) -> None:
    """Claim any hex with a basic seat, which can be taken back."""
    person.wait(lambda: bool(person.legal), "for the turn")
    assert person.position
    person.reads(person.position["question"])
    before = person.seq
    by_mouse(person, next(each for each in person.legal if each.get("tile") == "basic"))
    person.wait(lambda: person.seq > before, "for the claim")


def test_a_move_is_undone_at_once_or_with_consent(browser: Browser, server: Server) -> None:
    ada, bob = Person(browser, server.url), Person(browser, server.url)
    bob.joins(ada.invites("Bebop!", seats=2), "Bob")
    ada.starts()
    ada.wait(lambda: bool(ada.legal or bob.legal), "for a turn")
    first, second = (ada, bob) if ada.legal else (bob, ada)
    claims(first)
    first.button("Take my move back").click()
    first.wait(lambda: first.position is not None and first.position["view"]["tiles"] == [], "for an empty board")
    claims(first)
    first.button("Keep all dice").click()
    claims(second)
    first.button(re.compile("^Ask .+ whether I may take my move back$")).click()
    second.button("All right").click()
    first.wait(lambda: first.position is not None and first.position["view"]["tiles"] == [], "for an empty board again")
    ada.leaves()
    bob.leaves()


def test_against_bots_an_undo_is_immediate_and_announced_as_such(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Bebop!")
    claims(me)
    me.button("Keep all dice").click()
    me.wait(lambda: "KeepDice" not in str(me.legal) and bool(me.legal), "for my next turn")
    assert me.position
    me.reads(me.position["question"])
    me.button(re.compile("^Take back my move and the (one|\\d+) after it$")).click()
    me.wait(lambda: me.received[-1]["type"] == "ack" and me.sent[-1]["type"] == "undo", "to be back")
    assert not any((each.get("table") or {}).get("undo_asked") for each in me.received), "nobody was asked"
    me.leaves()


def test_a_guest_enters_a_name_once_and_can_change_it(browser: Browser, server: Server) -> None:
    ada, bob = Person(browser, server.url), Person(browser, server.url)
    link = ada.invites("Bebop!", seats=2)
    ada.page.get_by_placeholder("Your name").fill("Ada")
    ada.page.keyboard.press("Enter")
    expect(ada.page.get_by_role("heading", level=1)).to_contain_text("Ada's table")
    bob.joins(link, "Bob")
    ada.starts()
    ada.button("Menu").click()
    ada.page.get_by_role("button", name="Settings").click()
    ada.page.get_by_label("What others call you").fill("Countess")
    ada.page.keyboard.press("Enter")
    expect(bob.at("seat-0")).to_contain_text("Countess")
    ada.page.keyboard.press("Escape")
    expect(ada.button("Menu")).to_be_focused()
    ada.received.clear()
    ada.invites("Boogie Beasts", seats=3)
    expect(ada.page.get_by_role("heading", level=1)).to_contain_text("Countess")
    ada.leaves()
    bob.leaves()


def test_the_first_page_says_which_game_waits_for_me(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Bebop!")
    me.wait(lambda: bool(me.legal), "for my turn")
    me.page.goto("/")
    mine = me.page.get_by_role("region", name="Carry on")
    expect(mine.get_by_text("Your turn")).to_be_visible()
    mine.get_by_role("link", name=re.compile("^Go")).click()
    me.wait(lambda: "/t/" in me.page.url, "to be back")
    me.leaves()


def test_a_question_is_shown_soon_during_a_long_animation(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, reduced_motion="no-preference")
    me.opens_a_game_against_bots("Bebop!")
    rng, late = random.Random(6), list[float]()
    for _ in range(12):
        me.wait(lambda: bool(me.legal) or me.is_over, "for my turn")
        asked = time.monotonic()
        assert me.position
        me.reads(me.position["question"])
        late.append(time.monotonic() - asked)
        me.plays(by_mouse, rng, 1)
    assert sorted(late)[len(late) // 2] < 1.6, late
    assert max(late) < 4, late  # on a machine that is busy
    me.leaves()


def test_people_talk_and_whisper(browser: Browser, server: Server) -> None:
    ada, bob, eve = (Person(browser, server.url) for _ in range(3))
    link = ada.invites("Bebop!", seats=3)
    bob.joins(link, "Bob")
    eve.joins(link, "Eve")
    bob.page.get_by_label("Say something").fill("<b>hello</b>")
    bob.page.keyboard.press("Enter")
    expect(ada.page.get_by_role("log", name="Chat")).to_contain_text("<b>hello</b>")
    bob.page.get_by_label("To whom").select_option(label="Whisper to Eve")
    bob.page.get_by_label("Say something").fill("psst")
    bob.page.keyboard.press("Enter")
    expect(eve.page.get_by_role("log", name="Chat")).to_contain_text("psst")
    assert not any("psst" in str(each) for each in ada.received)
    for person in (ada, bob, eve):
        person.leaves()


def test_a_device_link_transfers_the_seat_once(browser: Browser, server: Server) -> None:
    me, phone, thief = (Person(browser, server.url) for _ in range(3))
    me.opens_a_game_against_bots("Bebop!")
    me.button("Menu").click()
    me.page.get_by_role("button", name="Play on another device").click()
    me.button("Make a link").click()
    link = me.page.locator(".address").inner_text()
    phone.page.goto(link)
    phone.button("Use the link").click()
    phone.wait(lambda: phone.position is not None, "to be back")
    assert phone.received[0]["you"]["seat"] == 0
    phone.wait(lambda: bool(phone.legal), "for my turn")
    phone.plays(by_mouse, random.Random(1), 1)
    thief.page.goto(link)
    thief.button("Use the link").click()
    expect(thief.page.get_by_text("This link has been used already")).to_be_visible()
    assert not any((each.get("you") or {}).get("seat") == 0 for each in thief.received)
    me.leaves()
    phone.leaves()
    thief.context.close()


def test_why_not_names_the_rule_and_opens_it(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Bebop!")
    me.wait(lambda: bool(me.legal), "for my turn")
    assert me.position
    me.reads(me.position["question"])
    stage = me.position["view"]["stages"][0]["spaces"][0]
    me.at("supply-basic").click()
    me.page.locator(f'[data-hex="{stage}"]').click()
    line = me.page.locator(".hand-line")
    expect(line).to_contain_text("part of a stage")
    line.get_by_role("button", name="The rule").click()
    rules = me.page.get_by_role("region", name="Rules")
    rules.get_by_role("button", name="Close").click()
    expect(line.get_by_role("button", name="The rule")).to_be_focused()
    me.page.keyboard.press("Escape")
    expect(line).not_to_contain_text("part of a stage")
    me.leaves()


def test_a_finished_game_can_be_replayed_verified_and_played_again(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Bebop!")
    me.plays(by_mouse, random.Random(8), 3)
    fast_forward(server, me)
    ending = me.page.get_by_role("region", name="The end of the game")
    ending.get_by_role("link", name="Verify this game's dice").click()
    me.button("Work out every draw again").click()
    expect(me.page.get_by_text(re.compile(r"\d+ draws"))).to_be_visible()
    me.page.go_back()
    ending.get_by_role("link", name="Watch it again").click()
    me.page.get_by_role("slider").focus()
    me.page.keyboard.press("Home")
    me.page.keyboard.press("ArrowRight")
    expect(me.page.get_by_role("slider")).to_have_value("1")
    me.page.go_back()
    before = me.page.url
    ending.get_by_role("button", name="Once more").click()
    me.wait(lambda: me.page.url != before, "for the next table")
    expect(me.page.locator("main.table")).to_be_visible()
    me.leaves()


def test_a_game_without_installed_rules_is_shown_as_read_only(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url)
    me.opens_a_game_against_bots("Bebop!")
    code = me.page.url.rpartition("/")[2]
    server.end()
    with sqlite3.connect(server.folder / "tables.db") as tables:
        for place in ("records", "snapshots"):
            newer = f"UPDATE {place} SET body = replace(body, '\"rules\":1', '\"rules\":99') WHERE table_id = ?"
            tables.execute(newer, (code,))
        tables.execute("UPDATE tables SET digest = NULL, digest_seq = 0 WHERE id = ?", (code,))
    tables.close()
    server.start()
    expect(me.page.get_by_role("heading", name="This game has to wait")).to_be_visible()
    me.page.reload()
    expect(me.page.get_by_text("Nothing is lost")).to_be_visible()
    me.leaves()
