"""A drawn position read back into a view; what can be worked out from it is not written, and worked out here."""

from collections.abc import Iterator

from jamboree.core.errors import JamboreeError
from jamboree.core.geometry import mask_of

from .actions import PLEDGES, Term
from .components import CARDS, CHARACTERS, JUMPCARDS, NUMBER
from .events import Honesty
from .jumps import Jump, layout
from .notation import ALL, HIDDEN_CARD, HIDDEN_CHARACTER, LATE, NOTHING
from .state import JumpReport
from .views import Draft, Hand, JumpSeen, Jury, Laid, LateCard, Memory, Promised, Talk, View, jump_seen


class BadPosition(JamboreeError):
    """A text that is no drawn position."""


class Page:
    """The lines of a drawn position by their heads."""

    def __init__(self, text: str) -> None:
        heads = [line.partition(":") for line in text.splitlines() if line.strip()]
        self.lines = {head.strip(): rest.strip() for head, _, rest in heads}

    def __getitem__(self, head: str) -> str:
        if head not in self.lines:
            raise BadPosition(f"a position has a line {head!r}, and this text has none")
        return self.lines[head]

    def numbers(self, head: str) -> list[int]:
        return _numbers(self[head])

    def seats(self, head: str) -> list[int]:
        return [number - 1 for number in self.numbers(head)]


def parse(text: str) -> View:
    page = Page(text)
    try:
        return _view(page)
    except (ValueError, KeyError, IndexError) as error:
        raise BadPosition(f"this position can't be read: {error}") from None


def _view(page: Page) -> View:
    seats = int(page["seats"])
    plane, jump = (0, 0) if page["time"] == "untimed" else page.numbers("time")
    jumprun, phase = page["jumprun"].split()
    rows = [_row(page[f"seat {seat + 1}"]) for seat in range(seats)]
    return View(
        viewer=_viewer(page["viewer"]), seats=seats, plane_seconds=plane, jump_seconds=jump,
        promising=page["promises"] == "on", phase=phase, jumprun=int(jumprun), jumpmaster=int(page["jumpmaster"]) - 1,
        ready=page.seats("ready"), withdrawn=[int(row["withdrew"]) for row in rows], late=page.seats("late"),
        points=[_numbers(points) for points in page["points"].split("/") if points], hands=[_hand(row) for row in rows],
        plays=[_play(mark) for mark in page["plays"].split()], deck=int(page["deck"]), discard=_counts(page["discard"]),
        memory=_memory(page, rows), talk=[_talk(row["talk"]) for row in rows],
        promises=[_promise(mark, None) for mark in _items(page["promised"])],
        jury=_jury(page, seats), honesty=[Honesty(*_numbers(row["honesty"])) for row in rows],
    )  # fmt: skip


def _viewer(mark: str) -> int | str | None:
    if mark == "spectator":
        return None
    return mark if mark == ALL else int(mark) - 1


def _row(text: str) -> dict[str, str]:
    """Split a player's line into its parts by their first words."""
    parts = (part.strip().partition(" ") for part in text.split(";"))
    return {word: rest.strip() for word, _, rest in parts}


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(";") if item.strip()]


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split()]


def _counts(text: str) -> list[int]:
    found = {card: int(count) for card, count in (mark.split(":") for mark in text.split())}
    return [found.get(card, 0) for card in JUMPCARDS]


def _memory(page: Page, rows: list[dict[str, str]]) -> Memory:
    own = None if page["own then"] == NOTHING else _counts(page["own then"])
    return Memory(_counts(page["last deck"]), page.numbers("held then"), own, [_counts(row["shown"]) for row in rows])


def _hand(row: dict[str, str]) -> Hand:
    if "hidden" in row:
        jumpcards, hidden = _numbers(row["hidden"])
        return Hand(jumpcards, hidden, None)
    cards = [CARDS[NUMBER[card]] for card in row["hand"].split()]
    characters = sum(card in CHARACTERS for card in cards)
    return Hand(len(cards) - characters, characters, cards)


def read_jump_mark(mark: str) -> Jump:
    return Jump(1, int(mark[1:]) - 1) if mark.startswith("s") else Jump(int(mark))


def read_term(mark: str) -> Term:
    pledge, _, jump = mark.partition("@")
    named = next(known for known in PLEDGES if pledge.startswith(known))
    return Term(named, read_jump_mark(jump), int(pledge.removeprefix(named) or 0))


def _play(mark: str) -> Laid:
    where, _, face = mark.partition(":")
    seat, _, jump = where.partition("@")
    late, face = face.endswith(LATE), face.removesuffix(LATE)
    card = None if face in (HIDDEN_CARD, HIDDEN_CHARACTER) else CARDS[NUMBER[face]]
    return Laid(int(seat) - 1, read_jump_mark(jump), face == HIDDEN_CHARACTER or face in CHARACTERS, late, card)


def _to(mark: str) -> int | None:
    return None if mark == ALL else int(mark) - 1


def _talk(text: str) -> Talk | None:
    if text == NOTHING:
        return None
    begun, _, draft = text.partition(" >")
    if not draft:
        return Talk(int(begun), None)
    to, _, asked = draft.partition(" for ")
    return Talk(int(begun), Draft(_to(to), read_term(asked) if asked else None))


def _promise(mark: str, verdict: str | None) -> Promised:
    who, _, what = mark.partition(" ")
    seat, _, to = who.partition(">")
    term, _, asked = what.partition(" for ")
    return Promised(int(seat) - 1, _to(to), read_term(term), read_term(asked) if asked else None, verdict)


def _jury(page: Page, seats: int) -> Jury:
    late = page.seats("jury late")
    late_cards = [_late_card(mark) for mark in page["jury late cards"].split()]
    jumps = list(_jumps(page, seats, mask_of(late)))
    judged = [mark.rpartition(" = ") for mark in _items(page["jury promises"])]
    return Jury(late, late_cards, jumps, [_promise(mark, verdict) for mark, _, verdict in judged])


def _late_card(mark: str) -> LateCard:
    laid = _play(mark)
    return LateCard(laid.seat, laid.jump, laid.card)


def _jumps(page: Page, seats: int, late: int) -> Iterator[JumpSeen]:
    """Judge each jump again from its cards and its roll."""
    for head, rest in page.lines.items():
        if head.startswith("jury jump "):
            jump = layout(seats).index[read_jump_mark(head.removeprefix("jury jump "))]
            characters, jumpcards, eyes = rest.split("|")
            marks = [mark.split(":") for mark in (jumpcards + " " + characters).split()]
            cards = tuple((int(seat) - 1) << 4 | NUMBER[card] for seat, card in marks)
            yield jump_seen(seats, JumpReport(jump, cards, tuple(_numbers(eyes))), late)
