"""Kill a browser while somebody plays in a page without a server, again and again, with its profile on a disk.

    python -m tests.browser.bench.kill_alone FOLDER KILLS

Prints for each kill the last acknowledged record, and the one with which the table comes back. `test_alone.py` runs it
in a process of its own, since Playwright runs only once in a process.
"""

import json
import os
import random
import shutil
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from playwright.sync_api import Browser, BrowserContext, Error, sync_playwright

from tests.browser.bench.alone import STATIC, PersonAlone, static_files
from tests.browser.bench.chromium import FLAGS, SHELL
from tests.browser.games.bebop import by_mouse
from tests.debian import found_or_installed

SHORTEST, LONGEST = 0.5, 4.0  # seconds of play before a kill
SETTINGS = """localStorage.setItem('jamboree.settings', '{"firsts":false,"pace":"instant"}');"""


def visitor(playwright: Any, profile: Path, url: str) -> PersonAlone:
    """Somebody with a browser of their own, on a profile."""
    path = found_or_installed(lambda: shutil.which(SHELL) or shutil.which("chromium"), SHELL)

    def new_context(**wishes: Any) -> BrowserContext:
        chromium = playwright.chromium
        context = chromium.launch_persistent_context(str(profile), executable_path=path, args=FLAGS, **wishes)
        return cast("BrowserContext", context)

    me = PersonAlone(cast("Browser", SimpleNamespace(new_context=new_context)), url)
    me.context.add_init_script(SETTINGS)
    return me


def kill(profile: Path) -> None:
    """SIGKILL every process of the browser on a profile."""
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            if f"--user-data-dir={profile}".encode() in (entry / "cmdline").read_bytes():
                os.kill(int(entry.name), signal.SIGKILL)


def main(folder: Path, kills: int) -> None:
    chance, profile, code = random.Random(5), folder / "profile", ""
    with sync_playwright() as playwright, static_files(STATIC) as url:
        for _ in range(kills):
            me = visitor(playwright, profile, url)
            if code:
                me.page.goto(f"./#/t/{code}")
                me.wait(lambda: me.position is not None)  # noqa: B023
            else:
                me.opens_a_game_against_bots("Bebop!")
                code = me.page.url.rpartition("/")[2]
            timer = threading.Timer(chance.uniform(SHORTEST, LONGEST), kill, [profile])
            timer.start()
            with suppress(Error):
                me.plays(by_mouse, chance)
            timer.join()
            acknowledged = [each["seq"] or 0 for each in me.received if each["type"] == "ack"]
            again = visitor(playwright, profile, url)
            again.page.goto(f"./#/t/{code}")
            again.wait(lambda: again.position is not None)  # noqa: B023
            print(json.dumps([max(acknowledged, default=0), again.seq]), flush=True)
            again.context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
