"""Rights at the table, in the browser: the host's lock and bans, by keyboard alone."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.server.bench.online import call

from .bench.person import DESKTOP, PHONE, Person
from .bench.screen_checks import violations
from .bench.serving import Server


def joined(server: Server, code: str, name: str, **more: Any) -> dict[str, Any]:
    port = int(server.url.rsplit(":", 1)[1])
    entry: dict[str, Any] = call(port, "POST", f"/api/v1/tables/{code}/join", {"name": name, **more}, {}).body
    return entry


@pytest.mark.parametrize("device", [DESKTOP, {"viewport": PHONE["viewport"]}], ids=["desktop", "phone"])
def test_a_host_bans_locks_and_readmits_by_keyboard(browser: Browser, server: Server, device: dict[str, Any]) -> None:
    host = Person(browser, server.url, **device)
    code = host.invites("Bebop!", 3).rsplit("/", 1)[1]
    joined(server, code, "Eve", watch=True)
    host.page.get_by_role("button", name="People").press("Enter")
    row = host.page.locator("dialog").get_by_role("listitem").filter(has_text="Eve")
    row.get_by_role("button", name="Ban").press("Enter")
    expect(row.get_by_role("status")).to_contain_text("unless you lock the table")
    host.page.keyboard.press("Enter")  # the focus is on the button that does it
    back = host.page.get_by_role("button", name="Let Eve back in")
    expect(back).to_be_visible()
    assert joined(server, code, "Eve", watch=True)["code"] == "banned"
    lock = host.page.get_by_role("switch", name="Lock the table")
    lock.press("Space")
    expect(lock).to_be_checked()
    visitor = Person(browser, server.url, **device)
    visitor.page.goto(f"/#/t/{code}")
    expect(visitor.page.get_by_role("heading", name="You can't come in")).to_be_visible()
    lock.press("Space")
    expect(lock).not_to_be_checked()
    back.press("Enter")
    expect(back).to_be_hidden()
    assert "person" in joined(server, code, "Eve", watch=True)
    assert host.errors == []
    assert all("403" in error for error in visitor.errors), "being turned away is all that a browser notes"
    visitor.errors.clear()
    for person in (host, visitor):
        person.leaves()


def test_a_latecomer_asks_the_host_for_a_bots_seat(browser: Browser, server: Server) -> None:
    host, late = Person(browser, server.url), Person(browser, server.url, **PHONE)
    host.opens_a_game_against_bots("Bebop!")
    late.page.goto(host.page.url)
    late.button("Ask for a seat").click()
    late.page.get_by_label("What shall we call you?").fill("Cleo")
    late.page.get_by_role("button", name="Ask for this seat").first.click()
    expect(late.page.get_by_text("You have asked the host for")).to_be_visible()
    assert violations(late.page) == []
    expect(host.page.get_by_text("Cleo would like to take")).to_be_visible()
    assert violations(host.page) == []
    host.button("Let them play").click()
    seat = host.at("seat-1")
    expect(seat).to_contain_text("Cleo")
    expect(late.at("seat-1")).to_contain_text("You")
    host.leaves()
    late.leaves()
