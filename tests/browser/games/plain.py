"""The plain table UI in a browser: the steps of a person for an action."""

from typing import Any

from playwright.sync_api import Locator, Page

from ..bench.person import Person

OPEN = """async (body) => {
  const answer = await fetch('/api/v1/tables', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ keep: 'cookie', ...body }),
  });
  return (await answer.json()).table;
}"""
FEW = 9


def opens(person: Person, game: str, seats: int, query: str = "", **options: Any) -> str:
    """Sit down against bots, without the first page."""
    person.page.goto(f"/{query}")
    bots = dict.fromkeys(range(1, seats), "regular")
    body = {"game": game, "seats": seats, "name": "Ada", "bots": bots, "start": True, "options": options}
    code = str(person.page.evaluate(OPEN, body))
    person.page.goto(f"/{query}#/t/{code}")
    person.wait(lambda: bool(person.position and person.position.get("painting")), "for a painting")
    return code


def labels(person: Person, action: dict[str, Any]) -> tuple[str, str]:
    """Find out how the menu calls an action: its kind, and its target; actions that read the same are one to it."""
    assert person.position
    index = person.legal.index(action)
    for group in person.position["painting"]["menu"]:
        if index in group["indices"]:
            return group["title"], group["targets"][group["indices"].index(index)]
    return labels(person, person.legal[person.position["painting"]["menu"][0]["indices"][0]])


def button(page: Page, name: str) -> Locator:
    return page.locator(".moves > ul").get_by_role("button", name=name, exact=True)


def path(person: Person, action: dict[str, Any]) -> list[Locator]:
    """List the buttons to press for an action: one, or first its kind."""
    assert person.position
    menu = person.position["painting"]["menu"]
    title, target = labels(person, action)
    group = next(group for group in menu if group["title"] == title)
    whole = button(person.page, f"{title} {target}".strip())
    if sum(len(each["targets"]) for each in menu) <= FEW or len(group["targets"]) == 1:
        return [whole]
    kind = person.page.locator(".moves > ul button:has(.muted)").filter(has_text=title).first
    return [kind, button(person.page, target or title)]


def by_mouse(person: Person, action: dict[str, Any]) -> None:
    before = len(person.sent)
    for each in path(person, action):
        each.click()
    confirmed(person, before)


def by_touch(person: Person, action: dict[str, Any]) -> None:
    for each in path(person, action):
        each.tap()
    confirm = person.page.locator(".inspector .primary")
    confirm.tap()


def by_keys(person: Person, action: dict[str, Any]) -> None:
    before = len(person.sent)
    for each in path(person, action):
        each.focus()
        person.page.keyboard.press("Enter")
    confirmed(person, before, by_key=True)


def confirmed(person: Person, before: int, by_key: bool = False) -> None:
    """A move with a warning waits for its button; others are sent at once."""
    confirm = person.page.locator(".inspector .primary")
    person.wait(lambda: is_sent(person, before) or confirm.count() > 0, "for the move")
    if not is_sent(person, before):
        confirm.press("Enter") if by_key else confirm.click()


def is_sent(person: Person, before: int) -> bool:
    return any(message["type"] == "act" for message in person.sent[before:])
