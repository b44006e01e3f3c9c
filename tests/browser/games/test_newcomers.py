"""First-time help: each tip is shown once, and the log explains itself on the board."""

from playwright.sync_api import Browser, expect

from ..bench.person import PHONE, Person
from ..bench.screen_checks import violations
from ..bench.serving import Server
from . import bebop
from .boogie import opens

ON_TOP = """(entry) => {
  const { left, top, width, height } = entry.getBoundingClientRect();
  return entry.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


def test_new_elements_are_explained_once_and_log_lines_on_request(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, new=True)
    me.opens_a_game_against_bots("Bebop!")
    me.wait(lambda: bool(me.legal), "for my turn")
    claim = next(each for each in me.legal if each.get("tile") == "double" and not each["face_down"])
    bebop.by_mouse(me, claim)
    note = me.page.get_by_role("complementary", name="New to you")
    expect(note).to_contain_text("Double Claim: its player may claim a second seat at once.")
    expect(me.page.locator(f'[data-ring="hex-{claim["hex"]}"]')).to_have_count(1)
    assert violations(me.page) == []
    note.get_by_role("button", name="Hide this").click()
    expect(note).to_have_count(0)
    me.page.reload()
    line = me.page.locator(".log .line").filter(has_text=f"You claim {claim['hex']}")
    line.focus()
    me.page.keyboard.press("Enter")
    explanation = me.page.get_by_role("complementary", name="What happened there")
    expect(explanation).to_contain_text(f"You claim {claim['hex']}")
    expect(me.page.locator(f'[data-ring="hex-{claim["hex"]}"]')).to_have_count(1)
    assert "Double Claim: its" not in me.page.locator("main").inner_text()
    me.page.keyboard.press("Escape")
    expect(explanation).to_have_count(0)
    me.leaves()


def test_a_note_is_below_an_open_menu(browser: Browser, server: Server) -> None:
    me = Person(browser, server.url, new=True, **PHONE)
    opens(me, 3, 2, "bpm")
    note = me.page.get_by_role("complementary", name="New to you")
    expect(note).to_be_visible()
    me.button("Menu").tap()
    entries = me.page.locator(".menu li button")
    expect(entries.first).to_be_visible()
    assert all(entries.evaluate_all(f"all => all.map({ON_TOP})"))
    me.page.keyboard.press("Escape")
    expect(entries).to_have_count(0)
    expect(note).to_be_visible()
    me.leaves()
