"""In the lobby, people choose avatars and who begins; afterwards the table shows it."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from .bench.person import PHONE, Person
from .bench.screen_checks import violations
from .bench.serving import Server


def test_two_people_swap_their_pieces_and_one_of_them_begins(browser: Browser, server: Server) -> None:
    ada, bob = Person(browser, server.url), Person(browser, server.url, **PHONE)
    link = ada.invites("Bebop!", seats=2)
    bob.joins(link, "Bob")
    bob.page.get_by_role("button", name="pink").click()
    bob.wait(lambda: bob.received[-1]["table"]["avatars"][:2] == [0, 3], "for pink")
    bob.page.get_by_role("button", name="white, Guest has it: ask to swap").click()
    assert violations(bob.page) == []
    ada.page.get_by_role("button", name="Swap", exact=True).click()
    bob.wait(lambda: bob.received[-1]["table"]["avatars"][:2] == [3, 0], "for white")
    ada.page.get_by_role("radiogroup", name="Who begins").get_by_text("Bob").click()
    bob.wait(lambda: bob.received[-1]["table"]["first"] == 1, "for the right to begin")
    expect(ada.page.get_by_text("Who went to a concert most recently?")).to_be_visible()
    ada.starts()
    bob.wait(lambda: bool(bob.legal), "for Bob's turn")
    welcome = next(each for each in reversed(bob.received) if each["type"] == "welcome")
    assert welcome["position"]["actors"] == [welcome["you"]["seat"]]
    bob.page.locator("use[href='#seat-white']").first.wait_for(state="attached")
    assert bob.errors == ada.errors == []
    ada.leaves()
    bob.leaves()


@pytest.mark.parametrize("device", [{}, {**PHONE, "viewport": {"width": 360, "height": 740}}], ids=["desktop", "phone"])
def test_headings_stand_apart_and_the_code_can_be_read_out(
    browser: Browser, server: Server, device: dict[str, Any]
) -> None:
    ada = Person(browser, server.url, **device)
    ada.invites("Bebop!", seats=4)
    heading = ada.page.get_by_role("heading", name="Choose your piece")
    seats = ada.page.get_by_role("region", name="Players").get_by_role("listitem").all()
    above, below = seats[-1].bounding_box(), heading.bounding_box()
    assert above and below and below["y"] - (above["y"] + above["height"]) >= 12
    code = ada.page.locator(".invite b")
    size, weight = code.evaluate("b => [getComputedStyle(b).fontSize, getComputedStyle(b).fontWeight]")
    assert float(size.removesuffix("px")) >= 22 and int(weight) >= 700
    line = code.evaluate("b => b.getClientRects().length === 1 && b.scrollWidth <= b.clientWidth")
    assert line, "the code is whole, on one line"
    ada.leaves()
