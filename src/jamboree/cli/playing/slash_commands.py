"""What people at a live table ask for beside the game: to begin, bots, a pause, a move taken back, a private word."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

from jamboree.bots import LEVELS, Level
from jamboree.client import Client, Declined, Seat
from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean
from jamboree.server.protocol.bodies import Entry
from jamboree.server.protocol.parts import Seated, TableSeen, UndoAsked, You

from ..language import CATALOGUE
from .lobby import LobbySeen, one_called
from .seating import USUAL

Doing = Coroutine[Any, Any, None]


class SlashCommands:
    """Reads what begins with a slash."""

    def __init__(self, url: str, seat: Seat, lang: str) -> None:
        self.url, self.seat, self.lang = url, seat, lang
        self._levels: list[Level] = []
        self.known: dict[str, Callable[[str], Doing]] = {
            "/say": lambda words: seat.say(words),
            "/whisper": self._whisper,
            "/undo": lambda _: seat.undo(),
            "/withdraw": lambda _: seat.withdraw(),
            "/yes": lambda name: self._answer(name, True),
            "/no": lambda name: self._answer(name, False),
            "/pause": lambda _: seat.pause(True),
            "/resume": lambda _: seat.pause(False),
            "/start": lambda _: self._by_client(self._start),
            "/bot": self._bot,
            "/bots": self._bots,
            "/look": self._look,
            "/begins": self._begins,
        }

    def read(self, text: str) -> Doing:
        """Give what is to be done; what can't be read is explained."""
        word, _, rest = text.partition(" ")
        if word not in self.known:
            raise JamboreeError(CATALOGUE.say(self.lang, "live.unknown", known=", ".join(self.known)))
        return self.known[word](rest.strip())

    def _whisper(self, text: str) -> Doing:
        """Read `NAME words`; a name may have spaces in it."""
        people = self._table().people
        named = [person for person in people if text.lower().startswith(clean(person.name).lower() + " ")]
        if not named:
            names = ", ".join(clean(person.name) for person in people if person.person != self.seat.you.person)
            raise JamboreeError(CATALOGUE.say(self.lang, "live.whom", names=names))
        person = max(named, key=lambda person: len(person.name))
        return self.seat.say(text[len(clean(person.name)) + 1 :].strip(), person.person)

    def _answer(self, text: str, agrees: bool) -> Doing:
        """Answer who would like to take a move back, or to swap before the game, or to sit down for a bot during it."""
        table = self._table()
        if table.status != "gathering":
            asking = [] if table.undo_asked else [*latecomers(table, self.seat.you)]
            if not asking:
                return self.seat.agree(agrees)
            late = one_called(text, asking, self.lang)
            return self._by_client(lambda client, place: client.answer_seat_request(place, late.person, agrees))
        person = self._lobby().asking_called(text).person
        return self._by_client(lambda client, place: client.answer_swap(place, person, agrees))

    def _look(self, text: str) -> Doing:
        look = self._lobby().look_called(text)
        return self._by_client(lambda client, place: client.choose_avatar(place, look))

    def _begins(self, text: str) -> Doing:
        first = self._lobby().seat_called(text)
        return self._by_client(lambda client, place: client.set_up(place, first=first))

    def _lobby(self) -> LobbySeen:
        return LobbySeen(self._table(), self.seat.you, self.seat.occupied_seats(), self.lang)

    def _bot(self, text: str) -> Doing:
        """Read `SEAT LEVEL`; without a level the bot there goes."""
        number, _, level = text.partition(" ")
        if not number.isdecimal() or len(number) > 2 or (level and level not in self.levels()):
            raise self._no_level()
        return self._by_client(lambda client, place: client.seat_bot(place, int(number) - 1, _level(level)))

    async def _start(self, client: Client, place: Entry) -> None:
        try:
            await client.start(place)
        except Declined as refusal:
            if refusal.code != "not-full":
                raise
            raise JamboreeError(CATALOGUE.say(self.lang, "live.not-full")) from None

    def _bots(self, text: str) -> Doing:
        """Give every free seat to a bot of a level, or of the usual one."""
        text = text or next((level for level in self.levels() if level == USUAL), self.levels()[-1])
        if text not in self.levels():
            raise self._no_level()
        free = [seat for seat in range(self._table().seats) if seat not in self.seat.occupied_seats()]

        async def fill(client: Client, place: Entry) -> None:
            for seat in free:
                await client.seat_bot(place, seat, _level(text))

        return self._by_client(fill)

    async def _by_client(self, errand: Callable[[Client, Entry], Doing]) -> None:
        you = self.seat.you
        async with Client(self.url) as client:
            await errand(client, Entry(self._table().table, you.person or "", you.seat, self.seat.token))

    def levels(self) -> Sequence[Level]:
        """List the levels the server offers: it may lack what the strong bots need, whatever is installed here."""
        if not self._levels:
            self._levels = asyncio.run(_levels_at(self.url, self._table().game))
        return self._levels

    def _no_level(self) -> JamboreeError:
        there = self.levels()
        return JamboreeError(CATALOGUE.say(self.lang, "live.bot", level=there[-1], levels=", ".join(there)))

    def _table(self) -> TableSeen:
        if self.seat.table is None:
            raise JamboreeError(CATALOGUE.say(self.lang, "live.lost"))
        return self.seat.table


def _level(text: str) -> Level | None:
    return next((level for level in LEVELS if level == text), None)


def latecomers(table: TableSeen, you: You) -> Iterator[Seated]:
    """List who asks this person, as the host, for the seat of a bot."""
    if table.host == you.person:
        yield from (person for person in table.people if person.asks_seat is not None)


def wishes(table: TableSeen, you: You, lang: str) -> list[str]:
    """Say who would like to sit down for which bot."""
    names = {bot.seat: clean(bot.name) for bot in table.bots}
    asking = [(clean(each.name), names.get(each.asks_seat or 0, "?")) for each in latecomers(table, you)]
    return [CATALOGUE.say(lang, "live.seat.asks", name=name, bot=bot) for name, bot in asking]


def discussed(table: TableSeen, me: str | None, lang: str) -> str:
    """Say who asks to take a move back and whose answers are missing; nothing while nobody asks."""
    asked = table.undo_asked
    if asked is None:
        return ""
    silent = [person for person in table.people if person.person in _silent(asked)]
    name = next((clean(person.name) for person in table.people if person.person == asked.person), "?")
    names = ", ".join(_named(person, lang) for person in silent)
    if me in _silent(asked):
        return CATALOGUE.say(lang, "live.undo.asked", name=name)
    return CATALOGUE.say(lang, "live.undo.mine" if asked.person == me else "live.undo.waiting", name=name, names=names)


def _silent(asked: UndoAsked) -> set[str]:
    return {*asked.needed} - {*asked.agreed, *asked.refused}


def _named(person: Seated, lang: str) -> str:
    name = clean(person.name)
    return name if person.here else CATALOGUE.say(lang, "live.away", name=name)


async def _levels_at(url: str, game: str) -> list[Level]:
    async with Client(url) as client:
        return next(card.bots for card in await client.games() if card.key == game)
