"""Bebop by hand: each action with the mouse, the keyboard, or touch."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator

from ..bench.person import Person

SPECIALS = ("vip", "double", "backstage", "insta", "boot")
ANSWERS = {
    "DeclineClaim": "No second claim",
    "DeclineBooking": "Leave it open",
    "KeepDice": "Keep all dice",
    "Pass": "Pass",
}

TRAY = ("hand-0", "hand-1", "hand-2", *(f"supply-{tile}" for tile in ("basic", *SPECIALS)))
QUEUE = tuple(f"queue-{place}" for place in range(6))
PIECES = {piece: f"{at + 1}" for row in (TRAY, QUEUE) for at, piece in enumerate(row)} | {"bag": "0"}


def piece_and_hex(person: Person, action: dict[str, Any]) -> tuple[str | None, str | None]:
    """Name the piece an action begins with, and the hex it ends on."""
    match action["type"]:
        case "ClaimSeat":
            return f"supply-{action['tile']}", action["hex"]
        case "BookSeat":
            at_once = person.position and person.position["view"]["phase"] == "book this seat"
            return f"hand-{action['die']}", None if at_once else action["hex"]
        case "RerollDie":
            return f"hand-{action['die']}", None
        case "TakeFromQueue":
            return f"queue-{action['place']}", None
        case "DrawFromBag":
            return "bag", None
        case "PerformStage":
            return None, stage_hex(person, action["stage"])
    return None, None


def stage_hex(person: Person, stage: str) -> str:
    assert person.position
    spaces: list[str] = next(each["spaces"] for each in person.position["view"]["stages"] if each["stage"] == stage)
    return spaces[0]


def hex_at(person: Person, name: str) -> Locator:
    return person.page.locator(f'[data-hex="{name}"]')


def by_mouse(person: Person, action: dict[str, Any], click: Callable[[Locator], None] = Locator.click) -> None:
    if action["type"] in ANSWERS:
        click(person.button(ANSWERS[action["type"]]))
        return
    piece, place = piece_and_hex(person, action)
    if piece:
        click(person.at(piece))
    if action.get("face_down"):
        click(person.at("turn-over"))
    if place:
        click(hex_at(person, place))


def by_touch(person: Person, action: dict[str, Any]) -> None:
    """Tap, tap, and confirm, in any language."""
    if action["type"] in ANSWERS:
        person.at("answer").first.tap()
        return
    piece, place = piece_and_hex(person, action)
    if piece:
        person.at(piece).tap()
    if action.get("face_down"):
        person.at("turn-over").tap()
    if place:
        hex_at(person, place).tap()
    person.page.locator(".inspector .primary").tap()


def keys_for(person: Person, action: dict[str, Any]) -> list[str]:
    """The keys of an action for a person who knows them: a piece by its number, a hex by its name."""
    if action["type"] in ANSWERS:
        return ["0"]
    piece, place = piece_and_hex(person, action)
    pieces = [PIECES[piece]] if piece else []
    over = ["-"] if action.get("face_down") else []
    return [*pieces, *over, *([*place, "Enter"] if place else [])]


def by_keys(person: Person, action: dict[str, Any]) -> None:
    for key in keys_for(person, action):
        person.page.keyboard.press(key)


def by_walking(person: Person, action: dict[str, Any]) -> None:
    """Tab to a piece and take it; the focus goes to the board, and Home leads from one target to the next."""
    if action["type"] in ANSWERS:
        tab_to(person, f'button:text-is("{ANSWERS[action["type"]]}")')
        person.page.keyboard.press("Enter")
        return
    piece, place = piece_and_hex(person, action)
    tab_to(person, f'[data-at="{piece}"]' if piece else "[data-hex]")
    if piece:
        person.page.keyboard.press("Enter")
    if action.get("face_down"):
        tab_to(person, '[data-at="turn-over"]')
        person.page.keyboard.press("Enter")
        tab_to(person, "[data-hex]")
    if place:
        walk_to(person, place)
        person.page.keyboard.press("Enter")


def tab_to(person: Person, selector: str) -> None:
    wanted = person.page.locator(selector)
    for _ in range(80):
        if wanted.evaluate_all("found => found.includes(document.activeElement)"):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {selector}")


def walk_to(person: Person, name: str) -> None:
    for _ in range(120):
        if person.page.evaluate("document.activeElement?.dataset?.hex") == name:
            return
        person.page.keyboard.press("Home")
    raise AssertionError(f"the keyboard does not reach hex {name}")
