"""Take the README's pictures: `python -m tests.browser.pictures FOLDER`."""

import random
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from .bench.chromium import a_browser
from .bench.person import DESKTOP, PHONE, Gesture, Person
from .bench.serving import a_server
from .games.bebop import by_mouse
from .games.boogie import by_mouse as by_mouse_in_the_sky
from .games.bpm import by_mouse as by_mouse_in_the_club

READY = re.compile("ready", re.IGNORECASE)
TABLES: dict[str, tuple[str, Gesture, int]] = {
    "bebop": ("Bebop!", by_mouse, 24),
    "bpm": ("BPMs per minute", by_mouse_in_the_club, 14),
    "boogie": ("Boogie Beasts", by_mouse_in_the_sky, 0),
}


def take_home(browser: Browser, url: str, folder: Path) -> None:
    me = Person(browser, url)
    me.page.goto("/")
    me.page.get_by_role("region", name="Boogie Beasts").wait_for()
    me.page.wait_for_timeout(500)
    me.page.screenshot(path=folder / "home.png")
    me.leaves()


def take_table(browser: Browser, url: str, target: Path, key: str, options: dict[str, Any]) -> None:
    title, gesture, moves = TABLES[key]
    me = Person(browser, url, **options)
    me.opens_a_game_against_bots(title)
    me.plays(gesture, random.Random(3), moves)
    me.wait(lambda: bool(me.legal) or me.is_over, "for my turn")
    if key == "boogie":
        me.page.get_by_role("button", name=READY).first.click()
        me.wait(lambda: me.position is not None and me.position["view"]["phase"] == "plane", "for the plane")
    me.page.wait_for_timeout(700)
    me.page.screenshot(path=target)
    me.leaves()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, a_server(Path(data)) as server, a_browser() as browser:
        take_home(browser, server.url, folder)
        for key in TABLES:
            take_table(browser, server.url, folder / f"{key}.png", key, DESKTOP)
        phone = {"viewport": PHONE["viewport"]}  # played by mouse, to have the same game
        take_table(browser, server.url, folder / "bebop-phone.png", "bebop", phone)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
