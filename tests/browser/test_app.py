"""The installable app: it works offline, and is never older than the server."""

import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from .bench.finished import a_finished_game
from .bench.person import PHONE, Person
from .bench.serving import SITE, Server, a_server

READY = """async () => {
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) await new Promise((heard) => setTimeout(heard, 20));
}"""
READ = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith('jamboree-texts-'));
  return (await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))).flat().length;
}"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a client of its own, which can be replaced."""
    folder = tmp_path_factory.mktemp("app")
    shutil.copytree(SITE.parent, folder / "site")
    with a_server(folder, "tests.browser.bench.serve_site") as server:
        yield server


def visitor(browser: Browser, url: str) -> Person:
    return Person(browser, url, **PHONE, service_workers="allow")


def becomes_an_app(page: Page) -> None:
    """Do at once what the page does after some seconds."""
    page.goto("/")
    page.evaluate("navigator.serviceWorker.register('/worker.js', { updateViaCache: 'none' })")
    page.evaluate(READY)


def build_of(page: Page) -> str:
    return page.locator("meta[name=build]").get_attribute("content") or ""


def caches_of(page: Page) -> set[str]:
    return set(page.evaluate("caches.keys()"))


def replace_client(site: Path, old: str, new: str) -> None:
    """Put another build in the place of one: its name is all that differs."""
    for name in ("index.html", "worker.js", "build.json"):
        path = site / name
        path.write_text(path.read_text().replace(old, new))
        for packed in (".br", ".gz"):
            (site / f"{name}{packed}").unlink(missing_ok=True)


def test_the_app_is_installable_and_caches_itself(browser: Browser, own: Server) -> None:
    me = visitor(browser, own.url)
    me.page.goto("/")
    me.page.evaluate(READY)
    devtools = me.context.new_cdp_session(me.page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["lang"] == "en"
    problems = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {each["errorId"] for each in problems} <= {"in-incognito"}
    me.page.get_by_role("radio", name="NL").check(force=True)
    expect(me.page.locator("link[rel=manifest]")).to_have_attribute("href", "/manifest.nl.webmanifest")
    me.leaves()


def test_rules_and_saved_replays_are_available_offline(browser: Browser, own: Server) -> None:
    me = visitor(browser, own.url)
    table = a_finished_game(own.url, "bebop", 2).table
    becomes_an_app(me.page)
    me.wait(lambda: me.page.evaluate(READ) >= 7, "for the rules and lessons")
    me.page.goto(f"/#/replay/{table}/3")
    me.button("Share").click()
    me.page.get_by_role("switch", name="Keep on this device").click()
    expect(me.page.get_by_role("switch", name="Keep on this device")).to_be_checked()
    own.end()
    try:
        me.page.goto("/#/")
        me.page.reload()
        expect(me.page.get_by_role("heading", name="The server can't be reached")).to_be_visible()
        me.page.get_by_role("link", name=re.compile("^Rules of Boogie")).click()
        expect(me.page.locator("article.rules h2").first).to_be_visible()
        me.page.goto("/#/")
        me.page.get_by_role("link", name=re.compile("^Watch: Bebop")).click()
        expect(me.page.locator(".scrubber .count")).to_contain_text("0/")
        me.button("One step forward").click()
        expect(me.page.locator(".scrubber .count")).to_contain_text("1/")
        me.page.goto(f"/#/replay/{table}/2/seat-1")
        expect(me.page.locator(".scrubber .count")).to_contain_text("2/")
        me.page.goto("/#/learn/boogie")
        expect(me.page.get_by_text("Lessons are played by the real rules")).to_be_visible()
        me.page.goto("/#/")
        expect(me.page.get_by_role("heading", name="The server can't be reached")).to_be_visible()
    finally:
        own.start()
    expect(me.page.get_by_role("heading", name="The server can't be reached")).to_be_hidden()
    me.errors = [each for each in me.errors if "Failed to load resource" not in each]
    me.leaves()


def test_a_new_version_replaces_the_old_one(browser: Browser, own: Server) -> None:
    """Chromium under remote control keeps an old service worker from ending now and then, so a few visitors try."""
    assert any(is_replaced(browser, own) for _ in range(4))


def is_replaced(browser: Browser, own: Server) -> bool:
    """Replace the client while somebody plays; return whether the new service worker took over within half a minute."""
    me = visitor(browser, own.url)
    becomes_an_app(me.page)
    old = build_of(me.page)
    new = old[::-1]
    assert f"jamboree-client-{old}" in caches_of(me.page)
    me.page.get_by_role("region", name="Bebop").locator(".primary").click()
    me.wait(lambda: me.position is not None, "for the game to begin")
    own.end()
    replace_client(own.folder / "site", old, new)
    own.start()
    me.wait(lambda: me.page.locator("meta[name=build]").get_attribute("content") == new, "for the new page")
    me.wait(lambda: caches_of(me.page) >= {f"jamboree-client-{new}"}, "for the new files")
    expect(me.page.locator("main.table")).to_be_visible()
    end = time.monotonic() + 30
    while f"jamboree-client-{old}" in caches_of(me.page) and time.monotonic() < end:
        me.page.wait_for_timeout(200)
    replaced = f"jamboree-client-{old}" not in caches_of(me.page)
    me.leaves()
    return replaced
