"""A drawn position read back into a view; what can be worked out from it is not written, and worked out here."""

import re
from collections.abc import Iterator, Sequence

from jamboree.core.game import Eye
from jamboree.core.geometry import mask_of
from jamboree.core.kit.drawing import BadDrawing, Drawing, check, numbered, numbers, one_of, read_seat, read_viewer

from ..box.components import BOX, CARDS, CHARACTERS, COPIES, FEWEST, JUMPCARDS, MOST, NUMBER
from ..box.jumps import Jump, layout
from ..rules.actions import PLEDGES, Term, action_space
from ..rules.events import Honesty
from ..rules.state import PHASES, VERDICTS, JumpReport
from ..visibility.views import Draft, Hand, JumpSeen, Jury, Laid, LateCard, Memory, Promised, Talk, View, jump_seen
from .notation import ALL, HIDDEN_CARD, HIDDEN_CHARACTER, LATE, NOTHING, jump_mark

TERM = re.compile(rf"({'|'.join(PLEDGES)})(\d*)@(\w+)", re.ASCII)
JURY_JUMP = "jury jump "


def parse(text: str) -> View:
    page = Drawing(text)
    view = Reader(page).view()
    page.finish()
    return view


def counts(text: str) -> list[int]:
    """Read how many jumpcards there are of each kind."""
    found: dict[str, int] = {}
    for mark in text.split():
        card, _, count = mark.partition(":")
        one_of(card, JUMPCARDS, "a jumpcard")
        check(card not in found, f"{card!r} is counted twice")
        found[card] = numbered(count, f"the number of cards {card!r}", range(COPIES[NUMBER[card]] + 1))
    return [found.get(card, 0) for card in JUMPCARDS]


def items(text: str) -> list[str]:
    return [item.strip() for item in text.split(";") if item.strip()]


def read_jump_mark(mark: str, seats: int = MOST) -> Jump:
    jumps = {jump_mark(jump): jump for jump in layout(seats).jumps}
    check(mark in jumps, f"{mark!r} is not a jump of a table for {seats}")
    return jumps[mark]


def read_term(mark: str, seats: int = MOST) -> Term:
    found = TERM.fullmatch(mark)
    if found is None:
        raise BadDrawing(f"{mark!r} is nothing to promise")
    named = next(pledge for pledge in PLEDGES if pledge == found[1])
    term = Term(named, read_jump_mark(found[3], seats), numbered(found[2] or "0", "the worth of figures"))
    check(term in action_space(seats).term_number, f"{mark!r} is nothing to promise")
    return term


class Reader:
    """Reads a page, for a table of so many seats and for one viewer."""

    def __init__(self, page: Drawing) -> None:
        self.page = page
        self.seats = numbered(page["seats"], "the number of seats", range(FEWEST, MOST + 1))
        self.viewer = read_viewer(page["viewer"], self.seats)
        self.rows = [self._row(page[f"seat {seat + 1}"]) for seat in range(self.seats)]

    def view(self) -> View:
        page, rows = self.page, self.rows
        plane, jump = (0, 0) if page["time"] == "untimed" else numbers(page["time"].split(), 2, "time")
        check(plane > 0 or page["time"] == "untimed", "a plane without time is 'untimed'")
        jumprun, _, phase = page["jumprun"].partition(" ")
        return View(
            viewer=str(self.viewer) if isinstance(self.viewer, Eye) else self.viewer,
            seats=self.seats, plane_seconds=plane, jump_seconds=jump,
            promising=one_of(page["promises"], ("on", "off"), "on or off") == "on",
            formations=list(layout(self.seats).formations), jumpruns=BOX.jumpruns, limits=BOX.limits,
            phase=one_of(phase, PHASES, "a phase"),
            jumprun=numbered(jumprun, "the jumprun", range(1, BOX.jumpruns + 1)),
            jumpmaster=self._seat(page["jumpmaster"]), ready=self._seats("ready"), late=self._seats("late"),
            withdrawn=[numbered(row["withdrew"], "withdrew", range(BOX.limits.withdrawals + 1)) for row in rows],
            points=self._points(page["points"]), hands=[self._hand(seat) for seat in range(self.seats)],
            plays=[self._play(mark) for mark in page["plays"].split()], deck=numbered(page["deck"], "the deck"),
            discard=counts(page["discard"]), memory=self._memory(),
            talk=[self._talk(seat) for seat in range(self.seats)],
            promises=[self._promise(mark, None) for mark in items(page["promised"])],
            jury=self._jury(), honesty=[Honesty(*numbers(row["honesty"].split(), 3, "honesty")) for row in rows],
        )  # fmt: skip

    def _sees(self, seat: int) -> bool:
        return self.viewer in (Eye.ALL, seat)

    def _row(self, text: str) -> dict[str, str]:
        """Split a player's line into its parts by their first words."""
        parts = [part.strip().partition(" ") for part in text.split(";")]
        row = {name: rest.strip() for name, _, rest in parts}
        cards = "hidden" if "hidden" in row else "hand"
        wanted = [cards, "withdrew", "honesty", "shown", "talk"]
        check([name for name, _, _ in parts] == wanted, f"a player's line has the parts {', '.join(wanted)}")
        return row

    def _seat(self, mark: str) -> int:
        return read_seat(mark, self.seats)

    def _seats(self, head: str) -> list[int]:
        found = [self._seat(mark) for mark in self.page[head].split()]
        check(found == sorted(set(found)), f"{head!r} names players in their order, each once")
        return found

    def _points(self, text: str) -> list[list[int]]:
        rows = [numbers(row.split(), self.seats, "points") for row in text.split("/")] if text else []
        check(len(rows) <= BOX.jumpruns, "there are more points than jumpruns")
        return rows

    def _memory(self) -> Memory:
        page, known = self.page, isinstance(self.viewer, int)
        own = None if page["own then"] == NOTHING else counts(page["own then"])
        check((own is not None) == known, "'own then' is what a player held, and nobody else knows")
        held = numbers(page["held then"].split(), self.seats, "held then")
        return Memory(counts(page["last deck"]), held, own, [counts(row["shown"]) for row in self.rows])

    def _hand(self, seat: int) -> Hand:
        row = self.rows[seat]
        check(("hand" in row) == self._sees(seat), f"the hand of player {seat + 1} is seen by its owner alone")
        if "hidden" in row:
            jumpcards, hidden = numbers(row["hidden"].split(), 2, "hidden")
            return Hand(jumpcards, hidden, None)
        cards = [one_of(card, CARDS, "a card") for card in row["hand"].split()]
        most = dict(zip(CARDS, (*COPIES, *BOX.characters.values()), strict=True))
        check(all(cards.count(card) <= most[card] for card in cards), "a hand has more cards than there are of a kind")
        characters = sum(card in CHARACTERS for card in cards)
        return Hand(len(cards) - characters, characters, cards)

    def _play(self, mark: str) -> Laid:
        where, _, face = mark.partition(":")
        late, face = face.endswith(LATE), face.removesuffix(LATE)
        laid = self._laid(where, face, late)
        check((laid.card is not None) == self._sees(laid.seat), f"{mark!r}: only the player who laid it sees a face")
        return laid

    def _laid(self, where: str, face: str, late: bool) -> Laid:
        owner, _, place = where.partition("@")
        seat, jump = self._seat(owner), read_jump_mark(place, self.seats)
        hidden = face in (HIDDEN_CARD, HIDDEN_CHARACTER)
        card = None if hidden else one_of(face, CARDS, "a card")
        character = face == HIDDEN_CHARACTER or card in CHARACTERS
        check(not character or jump.solo in (None, seat), f"{where!r}: that solo is another player's")
        return Laid(seat, jump, character, late, card)

    def _to(self, mark: str, seat: int) -> int | None:
        to = None if mark == ALL else self._seat(mark)
        check(to != seat, "nobody promises anything to themselves")
        return to

    def _term(self, mark: str, seat: int) -> Term:
        term, table = read_term(mark, self.seats), action_space(self.seats)
        check(bool(table.own_terms[seat] >> table.term_number[term] & 1), f"{mark!r}: that solo is another player's")
        return term

    def _asked(self, mark: str, to: int | None) -> Term | None:
        if not mark:
            return None
        if to is None:
            raise BadDrawing("an exchange is between two")
        return self._term(mark, to)

    def _talk(self, seat: int) -> Talk | None:
        text = self.rows[seat]["talk"]
        check((text != NOTHING) == self._sees(seat), f"the talk of player {seat + 1} is known to that player alone")
        if text == NOTHING:
            return None
        begun, _, draft = text.partition(" >")
        count = numbered(begun, "the number of promises begun", range(BOX.limits.promises + 1))
        if not draft:
            return Talk(count, None)
        mark, _, asked = draft.partition(" for ")
        to = self._to(mark, seat)
        return Talk(count, Draft(to, self._asked(asked, to)))

    def _promise(self, mark: str, verdict: str | None) -> Promised:
        who, _, what = mark.partition(" ")
        maker, _, other = who.partition(">")
        mine, _, asked = what.partition(" for ")
        seat = self._seat(maker)
        to = self._to(other, seat)
        return Promised(seat, to, self._term(mine, seat), self._asked(asked, to), verdict)

    def _jury(self) -> Jury:
        late = self._seats("jury late")
        late_cards = [self._late_card(mark) for mark in self.page["jury late cards"].split()]
        jumps = list(self._jumps(mask_of(late)))
        judged = [mark.rpartition(" = ") for mark in items(self.page["jury promises"])]
        promises = [self._promise(mark, one_of(verdict, VERDICTS, "a verdict")) for mark, _, verdict in judged]
        return Jury(late, late_cards, jumps, promises)

    def _late_card(self, mark: str) -> LateCard:
        where, _, face = mark.partition(":")
        one_of(face, (*JUMPCARDS, HIDDEN_CHARACTER), "a late card")
        laid = self._laid(where, face, late=True)
        return LateCard(laid.seat, laid.jump, laid.card)

    def _jumps(self, late: int) -> Iterator[JumpSeen]:
        """Judge each jump again from its cards and its roll."""
        for head in [head for head in self.page.lines if head.startswith(JURY_JUMP)]:
            jump = layout(self.seats).index[read_jump_mark(head.removeprefix(JURY_JUMP), self.seats)]
            parts = self.page[head].split("|")
            check(len(parts) == 3, f"{head!r} has three parts: characters, jumpcards, dice")
            eyes = tuple(numbered(mark, "a die", range(1, BOX.dice + 1)) for mark in parts[2].split())
            cards = (*self._codes(parts[1], JUMPCARDS), *self._codes(parts[0], CHARACTERS))
            seen = jump_seen(self.seats, JumpReport(jump, cards, eyes), late)
            check(len(eyes) == (seen.dice if seen.jumpers else 0), f"{head!r} has a die for each figure of a jump")
            yield seen

    def _codes(self, text: str, kinds: Sequence[str]) -> Iterator[int]:
        for mark in text.split():
            seat, _, card = mark.partition(":")
            yield self._seat(seat) << 4 | NUMBER[one_of(card, kinds, "a card that belongs here")]
