"""Links from other sites, opened by a logged-in person: none acts on that person's behalf (CSRF)."""

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from .bench.person import Person
from .bench.serving import Server

ELSEWHERE = "http://elsewhere.example"
SAFE = ("GET", "HEAD")
LINKS = {
    "leave": "#/learn/..%2ftables%2f{code}%2fleave%3f",
    "leave, by a fragment": "#/learn/..%2ftables%2f{code}%2fleave%23",
    "leave, with backslashes": "#/learn/..%5ctables%5c{code}%5cleave%3f",
    "leave, with encoded dots": "#/learn/%2e%2e%2ftables%2f{code}%2fleave%3f",
    "leave, twice encoded": "#/learn/%252e%252e%252ftables%252f{code}%252fleave%253f",
    "leave, from below": "#/learn/bebop%2f..%2f..%2ftables%2f{code}%2fleave%3f",
    "have the name erased": "#/learn/..%2ftables%2f{code}%2fforget-me%3f",
    "sign other devices out": "#/learn/..%2ftables%2f{code}%2fsign-out%3f",
    "start the game": "#/learn/..%2ftables%2f{code}%2fstart%3f",
    "open a rematch": "#/learn/..%2ftables%2f{code}%2frematch%3fstart=true%26x=",
    "by the rules": "#/rules/..%2ftables%2f{code}%2fleave%3f",
    "by a code": "#/t/{code}%2fleave%3f",
    "by a link for another device": "#/t/{code}%2fleave%3f/link/secret",
    "by a replay": "#/replay/{code}%2fleave%3f",
    "by an analysis": "#/analysis/{code}%2fanalysis%3f",
    "by a screen": "#/tv/{code}%2fleave%3f",
    "a name of every object": "#/learn/constructor",
    "leave, before a second course": "#/learn/..%2ftables%2f{code}%2fleave%3f/strategy",
    "leave, as a second course": "#/learn/bebop/..%2f..%2f..%2ftables%2f{code}%2fleave%3f",
    "a second course of every object": "#/learn/constructor/strategy",
}
NOWHERE = [
    "#/constructor/x",
    "#/__proto__/x",
    "#/toString",
    "#/hasOwnProperty/a/b",
    "#/t",
    "#/t/..",
    "#/t/__proto__/link",
    "#/learn",
    "#/learn/..",
    "#/rules/BEBOP%20",
    "#/learn/constructor",
    "#/learn/nothing-of-ours",
    "#/learn/nothing-of-ours/strategy",
    "#/learn/bebop/constructor",
    "#/learn/bebop/strategy/x",
    "#/%",
    "#/t/%E0%A4",
    "#/fairness/a.b",
    "#/nowhere",
    "#/admin/x",
    "#/journal/other",
    "#/t/abcdef/link/a%2fb",
    "#/rules/bebop/../x",
]


def follows(context: BrowserContext, url: str) -> tuple[Page, list[str]]:
    """Follow a link on a page of another site, in a browser that is logged in; give what was sent that is not safe."""
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.url.startswith(url.partition("#")[0]) and request.method not in SAFE:
            sent.append(f"{request.method} {request.url}")

    context.route(
        f"{ELSEWHERE}/*",
        lambda route: route.fulfill(body=f"<a href='{url}'>free tokens</a>", headers={"content-type": "text/html"}),
    )
    page = context.new_page()
    page.on("request", note)
    page.goto(f"{ELSEWHERE}/")
    page.get_by_role("link").click()
    page.wait_for_url(f"{url.partition('#')[0]}**")
    page.wait_for_load_state("networkidle")
    return page, sent


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS.keys())
def test_a_cross_site_link_changes_nothing(browser: Browser, server: Server, link: str) -> None:
    host, guest = Person(browser, server.url), Person(browser, server.url)
    address = host.invites("Bebop!", seats=2)
    code = address.rpartition("/")[2]
    guest.joins(address, "Bob")
    before = guest.context.request.get(f"/api/v1/tables/{code}").json()
    for person in (host, guest):  # the host could start the game, too
        page, sent = follows(person.context, f"{server.url}/{link.format(code=code)}")
        assert sent == []
        page.close()
    after = guest.context.request.get(f"/api/v1/tables/{code}").json()
    assert (after["you"], after["people"], after["status"]) == (before["you"], before["people"], "gathering")
    assert [each["seat"] for each in after["people"]] == [0, 1]
    for person in (host, guest):
        person.leaves()


def test_a_forged_device_link_requires_confirmation(browser: Browser, server: Server) -> None:
    stranger, victim = Person(browser, server.url), Person(browser, server.url)
    code = stranger.invites("Bebop!", seats=2).rpartition("/")[2]
    made = stranger.context.request.post(f"/api/v1/tables/{code}/links", headers={"origin": server.url}).json()
    page, sent = follows(victim.context, made["address"])
    expect(page.get_by_role("heading", name="Play with this link?")).to_be_visible()
    page.get_by_role("button", name="Don't use it").click()
    page.wait_for_load_state("networkidle")
    assert sent == []
    assert victim.context.request.get(f"/api/v1/tables/{code}").json()["you"]["person"] is None
    assert victim.context.cookies() == []
    page.close()
    stranger.leaves()
    victim.context.close()


@pytest.mark.parametrize("link", NOWHERE)
def test_an_unknown_address_shows_an_error(browser: Browser, server: Server, link: str) -> None:
    me = Person(browser, server.url)
    me.page.goto(f"/{link}")
    expect(me.page.get_by_role("heading", level=1)).to_have_text("There is nothing here")
    me.page.get_by_role("link", name="Home").click()
    expect(me.page.get_by_role("region", name="Bebop!")).to_be_visible()
    me.leaves()
