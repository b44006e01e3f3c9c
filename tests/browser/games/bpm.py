"""BPMs Per Minute by hand: each action with the mouse, the keyboard, or touch."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import Locator

from ..bench.person import Gesture, Person
from .bebop import tab_to
from .boogie import enters

MODES = {"SwapDancers": "swap", "SendOnBreak": "break", "PlaceToken": "place"}
AT_ONCE = ("DiscardSongs", "FinishSong", "Decline")  # they have a button of their own, which needs no confirming


def done(hand: Gesture) -> Gesture:
    """Check that a gesture sends exactly the intended action, and that the server acknowledges it."""

    def does(person: Person, action: dict[str, Any]) -> None:
        before = len(acknowledged(person))
        hand(person, action)
        person.wait(lambda: len(acknowledged(person)) > before, f"for {action}")
        assert acknowledged(person)[-1] == action

    return does


def acknowledged(person: Person) -> list[dict[str, Any]]:
    """List the actions of a person that the server has acknowledged."""
    acknowledged = {each["id"] for each in person.received if each["type"] == "ack"}
    return [each["action"] for each in person.sent if each["type"] == "act" and each["id"] in acknowledged]


def once(hand: Gesture) -> Gesture:
    """Let a sealed choice be: bots may seal theirs, and the round go on, before a second thought is done."""

    def does(person: Person, action: dict[str, Any]) -> None:
        hand(person, action)
        person.wait(lambda: not has_sealed(person), "for the bots to seal")

    return does


def has_sealed(person: Person) -> bool:
    assert person.position
    view = person.position["view"]
    return bool(view["sealed"][view["viewer"]]["done"])


def have_others_sealed(person: Person) -> bool:
    assert person.position
    view = person.position["view"]
    return all(sealed["done"] for seat, sealed in enumerate(view["sealed"]) if seat != view["viewer"])


def buttons(person: Person, action: dict[str, Any]) -> Iterator[str]:
    """Name one after another the buttons an action begins with, or is."""
    match action["type"]:
        case "DiscardSongs":
            yield from discarding(person, {action["first"], action["second"]})
        case "CueSong":
            yield f"{labelled(person, 'table.hand')} li:nth-child({action['slot'] + 1}) button"
        case "ChooseHype":
            yield f"{labelled(person, 'question.hype')} button:nth-child({action['place'] + 1})"
        case "FinishSong":
            yield saying(person, "web.do.FinishSong")
        case "Decline":
            yield saying(person, "choice.leave-sealed" if has_sealed(person) else "web.do.Decline")
        case kind if len({each["type"] for each in person.legal} & set(MODES)) > 1:
            yield f'.mode:has-text("{person.word(f"web.mode.{MODES[kind]}", "bpm")}")'


def labelled(person: Person, key: str) -> str:
    return f'[aria-label="{person.word(key, "bpm")}"]'


def saying(person: Person, key: str) -> str:
    return f'button:text-is("{person.word(key, "bpm")}")'


def discarding(person: Person, wanted: set[int]) -> Iterator[str]:
    """Take songs along that were to stay at home, leave the wanted ones there, and seal it."""
    hand = labelled(person, "table.hand")
    songs = person.page.locator(f"{hand} > button")
    pressed = songs.evaluate_all("songs => songs.map((song) => song.ariaPressed === 'true')")
    at_home = {slot for slot, home in enumerate(pressed) if home}
    for slot in (*(at_home - wanted), *(wanted - at_home)):
        yield f"{hand} > button:nth-child({slot + 1})"
    yield saying(person, "web.do.DiscardSongs")


def cells(action: dict[str, Any]) -> list[str]:
    return [action[field] for field in ("cell", "other") if field in action]


def with_a(press: Callable[[Locator], None], confirms: bool = False) -> Gesture:
    """Press everything an action needs, and at the end the button that confirms it."""

    def hand(person: Person, action: dict[str, Any]) -> None:
        for button in buttons(person, action):
            press(person.page.locator(button))
        for cell in cells(action):
            press(person.at(f"cell-{cell}"))
        if confirms and action["type"] not in AT_ONCE:
            press(person.page.get_by_role("region", name=person.word("table.inspector")).locator(".primary"))

    return done(hand)


by_mouse = with_a(lambda thing: thing.click())
by_touch = with_a(lambda thing: thing.tap(), confirms=True)


@done
def by_keys(person: Person, action: dict[str, Any]) -> None:
    """Tab to buttons and to the floor, and walk over it with the arrows."""
    for button in buttons(person, action):
        enters(person, person.page.locator(button))
    for cell in cells(action):
        tab_to(person, "[role=gridcell]")
        walk_to(person, cell)
        person.page.keyboard.press("Enter")


def walk_to(person: Person, cell: str) -> None:
    here = person.page.evaluate("document.activeElement.dataset.at").removeprefix("cell-")
    right, down = ord(cell[0]) - ord(here[0]), int(cell[1:]) - int(here[1:])
    steps = ["ArrowRight" if right > 0 else "ArrowLeft"] * abs(right) + ["ArrowDown" if down > 0 else "ArrowUp"] * abs(
        down
    )
    for step in steps:
        person.page.keyboard.press(step)
    assert person.page.evaluate("document.activeElement.dataset.at") == f"cell-{cell}"


@done
def by_dragging(person: Person, action: dict[str, Any]) -> None:
    """Drag a dancer onto the other, from either end."""
    ends = [middle(person.at(f"cell-{cell}")) for cell in cells(action)]
    start, end = ends if len(person.sent) % 2 else reversed(ends)
    person.page.mouse.move(*start)
    person.page.mouse.down()
    person.page.mouse.move(*end, steps=5)
    person.page.mouse.up()


def middle(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drags_or_clicks(person: Person, action: dict[str, Any]) -> None:
    (by_dragging if action["type"] == "SwapDancers" else by_mouse)(person, action)


def without_crates(message: Any) -> str:
    """Write down what was sent without the crate: that holds every song, and is open to all."""
    if isinstance(message, dict) and isinstance(message.get("position"), dict):
        position = message["position"]
        message = {**message, "position": {**position, "view": {**position["view"], "crate": ""}}}
    if isinstance(message, dict) and isinstance(message.get("table"), dict):
        message = {**message, "table": {**message["table"], "options": {}}}
    return json.dumps(message, ensure_ascii=False)
