"""Shared replays: a link to a moment, an image of it, and a game from a file."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from .bench.finished import a_finished_game
from .bench.person import PHONE, Person
from .bench.serving import Server

DRAWN = """() => {
  const canvas = document.querySelector('figure canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let at = 0; at < data.length; at += 4 * 97) colours.add(data.slice(at, at + 3).join());
  return colours.size;
}"""
MANY = 40  # colours of a board; an empty card has fewer than ten


@pytest.fixture(scope="module")
def table(server: Server) -> str:
    return a_finished_game(server.url, "bpm", 2).table


def test_a_link_leads_to_the_same_moment_in_another_browser(browser: Browser, server: Server, table: str) -> None:
    me, friend = Person(browser, server.url), Person(browser, server.url, **PHONE, locale="nl")
    me.page.goto(f"/#/replay/{table}/7")
    me.page.get_by_label("Whose view").select_option(label="As Guest 2")
    expect(me.page.locator(".scrubber .count")).to_contain_text("7/")
    me.button("To the next points").click()
    count = me.page.locator(".scrubber .count").inner_text()
    assert not count.startswith("7/")
    me.button("Share").click()
    expect(me.page.locator("figure canvas")).to_be_visible()
    assert me.page.evaluate(DRAWN) > MANY
    with me.page.expect_download() as saved:
        me.button("Save the picture").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    me.wait(lambda: me.page.url.endswith(f"/{count.partition('/')[0]}/seat-2"), "for the address")
    friend.page.goto(me.page.url)
    expect(friend.page.locator(".scrubber .count")).to_have_text(count)
    expect(friend.page.locator(".scrubber select")).to_have_value("1")
    me.leaves()
    friend.leaves()


def test_a_game_is_watched_from_a_file_and_a_forged_one_is_not(
    browser: Browser, server: Server, table: str, tmp_path: Path
) -> None:
    me = Person(browser, server.url, **PHONE)
    me.page.goto("/#/journal/watch")
    journal: dict[str, Any] = me.page.evaluate(f"fetch('/api/v1/tables/{table}/journal').then((it) => it.json())")
    file = tmp_path / "game.json"
    forged = {**journal, "header": {**journal["header"], "names": ["Eve", "Mallory"]}}
    for content, sentence in {
        json.dumps(forged): "This record was changed after it was written, so we don't believe it.",
        "{": "This file is not a whole record of a game.",
        " " * 300_000: "This is too large.",
    }.items():
        file.write_text(content)
        me.page.locator("input[type=file]").set_input_files(file)
        expect(me.page.get_by_text(sentence)).to_be_visible()
    file.write_text(json.dumps(journal))
    me.page.locator("input[type=file]").set_input_files(file)
    expect(me.page.locator(".scrubber .count")).to_have_text(f"0/{len(journal['entries'])}")
    me.button("One step forward").click()
    me.page.get_by_label("Whose view").select_option(label="As Ada")
    expect(me.page.locator(".scrubber select")).to_have_value("0")
    expect(me.page.locator(".scrubber .count")).to_contain_text("1/")
    me.errors = [each for each in me.errors if "status of 4" not in each]
    me.leaves()
