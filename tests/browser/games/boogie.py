"""Boogie Beasts by hand: each action with the mouse, the keyboard, or touch."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from playwright.sync_api import Browser, Locator, expect

from jamboree.server.protocol.actions import parse_mask
from tests.server.bench.local import every_action

from ..bench.person import Person
from ..bench.serving import Server

PLEDGES = ("sure", "maybe", "out", "figures", "harmless")
SPOKEN_WORTH = 5  # the initial value of the form
PROMISES, DONE = 2, 0.15  # promises per plane, and the chance to stop laying cards

Move = dict[str, Any]
"""An action; but a promise is one move: to whom, what, and in exchange for what."""
Press = Callable[[Person, Locator], None]
Gesture = Callable[[Person, Move], None]


def opens(person: Person, seats: int, bots: int = 0, game: str = "boogie", **options: Any) -> str:
    """Open a table, begin if bots have every other seat, and return the link to it."""
    seated = {str(seat): "rookie" for seat in range(seats - bots, seats)}
    body = {"game": game, "seats": seats, "name": "Ada", "options": options, "keep": "cookie"}
    table = {**body, "bots": seated, "start": bots == seats - 1}
    opened = person.context.request.post("/api/v1/tables", data=table, headers={"origin": person.url})
    person.page.goto(f"/#/t/{opened.json()['table']}")
    person.wait(lambda: bool(person.received) and (bots < seats - 1 or person.position is not None), "for the table")
    return person.page.url


def view_of(person: Person) -> dict[str, Any]:
    assert person.position
    view: dict[str, Any] = person.position["view"]
    return view


def phase(person: Person) -> str:
    return str(view_of(person)["phase"]) if person.position else ""


def reaches(person: Person, scene: str) -> Callable[[], bool]:
    return lambda: phase(person) == scene


def waits_for(person: Person, *phases: str) -> None:
    person.wait(lambda: phase(person) in phases, f"for {phases}")


def jump_key(jump: dict[str, Any]) -> str:
    return f"{jump['number']}" if jump["solo"] is None else f"s{jump['solo']}"


def chooses(person: Person, rng: random.Random) -> Move | None:
    """Choose a move; None for a player who is ready."""
    view = view_of(person)
    me = view["viewer"]
    if me in view["ready"] or not person.legal:
        return None
    if view["phase"] == "plane" and view["talk"][me]["begun"] < PROMISES and rng.random() < 0.7:
        return a_promise(view, rng)
    plays = [action for action in person.legal if action["type"] == "PlayCard"]
    if plays and rng.random() > DONE:
        return rng.choice(plays)
    return next(action for action in person.legal if action["type"] in ("SayReady", "SayDone"))


def a_promise(view: dict[str, Any], rng: random.Random) -> Move:
    me = view["viewer"]
    to = rng.choice([None, *(seat for seat in range(view["seats"]) if seat != me)])
    asked = None if to is None or rng.random() < 0.5 else a_term(view, to, rng)
    return {"type": "Promise", "to": to, "asked": asked, "term": a_term(view, me, rng)}


def a_term(view: dict[str, Any], seat: int, rng: random.Random) -> dict[str, Any]:
    pledge = rng.choice(PLEDGES)
    worth = rng.randint(SPOKEN_WORTH - 2, SPOKEN_WORTH + 2) if pledge == "figures" else 0
    return {"pledge": pledge, "jump": rng.choice(jumps_for(view, pledge, seat)), "worth": worth}


def jumps_for(view: dict[str, Any], pledge: str, seat: int) -> list[dict[str, Any]]:
    """The jumps that a promise can be about, in the order of their buttons."""
    owners = [seat] if pledge in ("sure", "maybe", "out") else range(view["seats"])
    formations = [{"number": number, "solo": None} for number in view["formations"]]
    return formations + [{"number": 1, "solo": owner} for owner in owners]


def cautions(person: Person, action: Move) -> list[str]:
    """The cautions about a legal action."""
    assert person.position
    assert action in person.legal, f"not legal: {action}"
    index, warnings = every_action(person.groups).index(action), person.position["legal"]["cautions"]
    return [caution["sentence"] for caution in warnings if index in parse_mask(caution["mask"])]


def first_play(person: Person, card: str) -> dict[str, Any]:
    """Choose the first jump a card can go on without a warning."""
    return next(action for action in person.legal if action.get("card") == card and not cautions(person, action))


def acts(person: Person) -> list[Move]:
    return [each["action"] for each in person.sent if each["type"] == "act"]


def answers(person: Person) -> dict[str, str]:
    """By request id: the type of the answer to each action."""
    asked = {each["id"] for each in person.sent if each["type"] == "act"}
    return {each["id"]: each["type"] for each in person.received if each.get("id") in asked}


def acknowledged(person: Person) -> list[Move]:
    """The acknowledged actions, each once, however often it was sent."""
    sent = {each["id"]: each["action"] for each in person.sent if each["type"] == "act"}
    return [action for name, action in sent.items() if answers(person).get(name) == "ack"]


def is_answered(person: Person) -> bool:
    return all(each["id"] in answers(person) for each in person.sent if each["type"] == "act")


def events_heard(person: Person) -> Iterator[tuple[dict[str, Any], str]]:
    """The received events with their sentences, in order."""
    for frame in person.received:
        for step in [*(frame.get("missed") or []), *([frame] if frame["type"] == "update" else [])]:
            yield from zip(step["events"], step["sentences"], strict=True)


def does(person: Person, gesture: Gesture, move: Move) -> None:
    """Make a move by hand, and check that exactly this was sent and acknowledged."""
    before = len(acknowledged(person))
    gesture(person, move)
    steps = steps_of(move)
    person.wait(
        lambda: len(acknowledged(person)) >= before + len(steps) and is_answered(person),
        f"for {move} to be acknowledged",
    )
    assert acknowledged(person)[before:] == steps


def steps_of(move: Move) -> list[Move]:
    """The actions of the rules that a move consists of."""
    if move["type"] != "Promise":
        return [move]
    exchange = [{"type": "AskInExchange", "term": move["asked"]}] if move["asked"] else []
    return [{"type": "PromiseTo", "to": move["to"]}, *exchange, {"type": "Promise", "term": move["term"]}]


def plays(person: Person, gesture: Gesture, rng: random.Random, until: Callable[[], bool]) -> int:
    """Make legal moves until a condition holds, and count them."""
    count = 0
    while not until():
        move = chooses(person, rng)
        if move:
            does(person, gesture, move)
            count += 1
        else:
            person.page.wait_for_timeout(15)
            person.wait(lambda: until() or chooses(person, rng) is not None, "for the others")
    return count


def at_one_table(browser: Browser, server: Server, **options: Any) -> tuple[Person, Person, Person]:
    ada, bob, eve = (Person(browser, server.url) for _ in range(3))
    link = opens(ada, seats=3, **options)
    bob.joins(link, "Bob")
    eve.joins(link, "Eve")
    ada.starts()
    bob.wait(lambda: bob.position is not None, "for the game to begin")
    eve.wait(lambda: eve.position is not None, "for the game to begin")
    return ada, bob, eve


def all_ready(*people: Person) -> None:
    """Everybody says ready for the plane."""
    for person in people:
        waits_for(person, "preparation")
        does(person, by_mouse, {"type": "SayReady"})
    for person in people:
        waits_for(person, "plane")


def performs(person: Person, move: Move, press: Press, lay: Gesture) -> None:
    match move["type"]:
        case "SayReady" if phase(person) == "preparation":
            press(person, button(person, "web.ready-for", jumprun=view_of(person)["jumprun"]))
        case "SayReady":
            press(person, button(person, "web.ready-to-jump"))
        case "WithdrawReady":
            press(person, button(person, "choice.unready"))
        case "SayDone":
            press(person, button(person, "choice.done"))
        case "Promise":
            promises(person, move, press)
        case "PlayCard":
            lays(person, move, press, lay)


def button(person: Person, key: str, **params: object) -> Locator:
    return person.button(person.word(key, "boogie", **params))


def named(person: Person, key: str, within: Locator | None = None) -> Locator:
    """A group of buttons by its label."""
    return (within or person.page).get_by_role("group", name=person.word(key, "boogie"))


def promises(person: Person, move: Move, press: Press) -> None:
    """Fill in the form of a promise, and press “promise”."""
    view = view_of(person)
    others = [None, *(seat for seat in range(view["seats"]) if seat != view["viewer"])]
    # the form, or what opens it: on a phone, or while a deal is offered
    group, fold = named(person, "web.to-whom"), person.page.locator(".fold, .deal .other").filter(visible=True)
    group.or_(fold).filter(visible=True).first.wait_for()
    if fold.is_visible():
        press(person, fold)
    press(person, group.get_by_role("button").nth(others.index(move["to"])))
    says(person, "web.i-promise", view["viewer"], move["term"], press)
    if move["asked"]:
        press(person, person.page.locator(".exchange .toggle"))
        says(person, "web.i-want", move["to"], move["asked"], press)
    press(person, button(person, "web.offer-deal" if move["asked"] else "web.promise"))


def says(person: Person, label: str, seat: int, term: dict[str, Any], press: Press) -> None:
    group = named(person, label)
    pledge = person.word(f"web.pledge.{term['pledge']}", "boogie")
    press(person, group.get_by_role("button", name=pledge, exact=True))
    steps = term["worth"] - SPOKEN_WORTH if term["pledge"] == "figures" else 0
    for _ in range(abs(steps)):
        press(person, group.get_by_role("button", name=person.word("web.more" if steps > 0 else "web.less", "boogie")))
    jumps = named(person, "web.on-which", group).get_by_role("button")
    press(person, jumps.nth(jumps_for(view_of(person), term["pledge"], seat).index(term["jump"])))


def held(person: Person, card: str) -> Locator:
    return person.page.locator(f'[data-card="{card}"]').first


def zone(person: Person, jump: dict[str, Any]) -> Locator:
    return person.page.locator(f'[data-jump="{jump_key(jump)}"]')


def lays(person: Person, move: Move, press: Press, lay: Gesture) -> None:
    """Lay a card; a caution is shown first, and nothing is sent before it is confirmed."""
    doubts, sent = cautions(person, move), len(acts(person))
    lay(person, move)
    if doubts:
        for doubt in doubts:
            expect(person.page.get_by_role("alert").filter(has_text=doubt)).to_be_visible()
        assert len(acts(person)) == sent
        press(person, button(person, "web.lay-it"))


def by_mouse(person: Person, move: Move, click: Callable[[Locator], None] = Locator.click) -> None:
    """Click; figures are dragged to where they go."""
    lay = drags if move.get("card", "")[:1].isdigit() else partial(clicks, click=click)
    performs(person, move, lambda _, target: click(target), lay)


def clicks(person: Person, move: Move, click: Callable[[Locator], None] = Locator.click) -> None:
    click(held(person, move["card"]))
    click(zone(person, move["jump"]))


def drags(person: Person, move: Move) -> None:
    held(person, move["card"]).hover()
    person.page.mouse.down()
    box = zone(person, move["jump"]).bounding_box()
    assert box
    person.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    person.page.mouse.up()


def by_touch(person: Person, move: Move) -> None:
    performs(person, move, lambda _, target: target.tap(), taps)


def taps(person: Person, move: Move) -> None:
    held(person, move["card"]).tap()
    zone(person, move["jump"]).tap()


def by_keys(person: Person, move: Move) -> None:
    performs(person, move, enters, enters_both)


def enters_both(person: Person, move: Move) -> None:
    """Take a card; the focus goes to the jumps by itself."""
    enters(person, held(person, move["card"]))
    assert person.page.evaluate("document.activeElement.matches('[data-jump]')"), "the focus goes to the jumps"
    enters(person, zone(person, move["jump"]))


def enters(person: Person, wanted: Locator) -> None:
    walks_to(person, wanted)
    person.page.keyboard.press("Enter")


WHERE = """wanted => {
  const [now, groups] = [document.activeElement, '.groups, .zones, .setlist, .songs'];
  const near = now?.closest(groups) && now.closest(groups) === wanted.closest(groups);
  return now === wanted ? 'there' : near ? 'ArrowRight' : 'Tab';
}"""


def walks_to(person: Person, wanted: Locator) -> None:
    """Tab from stop to stop; among the cards and among the jumps the arrows lead on."""
    wanted.wait_for()
    for _ in range(150):
        key = wanted.evaluate(WHERE)
        if key == "there":
            return
        person.page.keyboard.press(key)
    raise AssertionError(f"the keyboard does not reach {wanted}")
