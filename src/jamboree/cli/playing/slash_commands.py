"""Slash commands at a live table: chat, undo, pause, bots, avatars."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

from jamboree.bots import LEVELS, Level
from jamboree.client import Client, Declined, TableConnection
from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean
from jamboree.server.protocol.bodies import Credentials
from jamboree.server.protocol.parts import PersonInfo, TableInfo, UndoAsked, You

from ..language import CATALOGUE
from .lobby import LobbyView, person_named
from .seating import DEFAULT_LEVEL

Request = Coroutine[Any, Any, None]


class SlashCommands:
    def __init__(self, url: str, connection: TableConnection, lang: str) -> None:
        self.url = url
        self.connection = connection
        self.lang = lang
        self._levels: list[Level] = []
        self.known: dict[str, Callable[[str], Request]] = {
            "/say": lambda words: connection.say(words),
            "/whisper": self._whisper,
            "/undo": lambda _: connection.undo(),
            "/withdraw": lambda _: connection.withdraw_undo(),
            "/yes": lambda name: self._answer(name, True),
            "/no": lambda name: self._answer(name, False),
            "/pause": lambda _: connection.pause(True),
            "/resume": lambda _: connection.pause(False),
            "/start": lambda _: self._with_client(self._start),
            "/bot": self._bot,
            "/bots": self._bots,
            "/avatar": self._choose_avatar,
            "/begins": self._begins,
        }

    def parse(self, text: str) -> Request:
        """Return the request that a command stands for; an error explains an invalid one."""
        word, _, rest = text.partition(" ")
        if word not in self.known:
            raise JamboreeError(CATALOGUE.say(self.lang, "live.unknown", known=", ".join(self.known)))
        return self.known[word](rest.strip())

    def _whisper(self, text: str) -> Request:
        """Parse `NAME words`; a name may contain spaces."""
        people = self._table().people
        named = [person for person in people if text.lower().startswith(clean(person.name).lower() + " ")]
        if not named:
            names = ", ".join(clean(person.name) for person in people if person.person != self.connection.you.person)
            raise JamboreeError(CATALOGUE.say(self.lang, "live.whom", names=names))
        person = max(named, key=lambda person: len(person.name))
        return self.connection.say(text[len(clean(person.name)) + 1 :].strip(), person.person)

    def _answer(self, text: str, agrees: bool) -> Request:
        """Answer a request: in the lobby to swap avatars, during the game for an undo or, as the host, for a seat."""
        table = self._table()
        if table.status != "gathering":
            asking = [] if table.undo_asked else [*seat_requests(table, self.connection.you)]
            if not asking:
                return self.connection.answer_undo(agrees)
            latecomer = person_named(text, asking, self.lang).person
            return self._with_client(lambda client, auth: client.answer_seat_request(auth, latecomer, agrees))
        person = person_named(text, self._lobby().swap_requests(), self.lang).person
        return self._with_client(lambda client, auth: client.answer_swap(auth, person, agrees))

    def _choose_avatar(self, text: str) -> Request:
        avatar = self._lobby().avatar_named(text)
        return self._with_client(lambda client, auth: client.choose_avatar(auth, avatar))

    def _begins(self, text: str) -> Request:
        first = self._lobby().first_seat(text)
        return self._with_client(lambda client, auth: client.set_up(auth, first=first))

    def _lobby(self) -> LobbyView:
        return LobbyView(self._table(), self.connection.you, self.connection.occupied_seats(), self.lang)

    def _bot(self, text: str) -> Request:
        """Parse `SEAT LEVEL`; without a level the bot at that seat is removed."""
        number, _, level = text.partition(" ")
        if not number.isdecimal() or len(number) > 2 or (level and level not in self.levels()):
            raise self._usage_of_bot()
        return self._with_client(lambda client, auth: client.seat_bot(auth, int(number) - 1, _level(level)))

    async def _start(self, client: Client, auth: Credentials) -> None:
        try:
            await client.start(auth)
        except Declined as refusal:
            if refusal.code != "not-full":
                raise
            raise JamboreeError(CATALOGUE.say(self.lang, "live.not-full")) from None

    def _bots(self, text: str) -> Request:
        """Give every free seat to a bot of a level, by default a regular one."""
        text = text or next((level for level in self.levels() if level == DEFAULT_LEVEL), self.levels()[-1])
        if text not in self.levels():
            raise self._usage_of_bot()
        occupied = self.connection.occupied_seats()
        free = [seat for seat in range(self._table().seats) if seat not in occupied]

        async def fill(client: Client, auth: Credentials) -> None:
            for seat in free:
                await client.seat_bot(auth, seat, _level(text))

        return self._with_client(fill)

    async def _with_client(self, request: Callable[[Client, Credentials], Request]) -> None:
        you = self.connection.you
        async with Client(self.url) as client:
            await request(client, Credentials(self._table().table, you.person or "", you.seat, self.connection.token))

    def levels(self) -> Sequence[Level]:
        """List the levels that the server offers, which may lack those that need numba."""
        if not self._levels:
            self._levels = asyncio.run(_levels_at(self.url, self._table().game))
        return self._levels

    def _usage_of_bot(self) -> JamboreeError:
        levels = self.levels()
        return JamboreeError(CATALOGUE.say(self.lang, "live.bot", level=levels[-1], levels=", ".join(levels)))

    def _table(self) -> TableInfo:
        if self.connection.table is None:
            raise JamboreeError(CATALOGUE.say(self.lang, "live.lost"))
        return self.connection.table


def _level(text: str) -> Level | None:
    return next((level for level in LEVELS if level == text), None)


def seat_requests(table: TableInfo, you: You) -> Iterator[PersonInfo]:
    """Yield the people who ask this person, as the host, for the seat of a bot."""
    if table.host == you.person:
        yield from (person for person in table.people if person.wants_seat is not None)


def seat_request_lines(table: TableInfo, you: You, lang: str) -> list[str]:
    bots = {bot.seat: clean(bot.name) for bot in table.bots}
    requests = [(clean(person.name), bots.get(person.wants_seat or 0, "?")) for person in seat_requests(table, you)]
    return [CATALOGUE.say(lang, "live.seat.asks", name=name, bot=bot) for name, bot in requests]


def undo_vote_line(table: TableInfo, me: str | None, lang: str) -> str:
    """Describe the vote on taking a move back and whose answers are missing; empty if there is none."""
    vote = table.undo_asked
    if vote is None:
        return ""
    missing = [person for person in table.people if person.person in _unanswered(vote)]
    name = next((clean(person.name) for person in table.people if person.person == vote.person), "?")
    names = ", ".join(_name(person, lang) for person in missing)
    if me in _unanswered(vote):
        return CATALOGUE.say(lang, "live.undo.asked", name=name)
    return CATALOGUE.say(lang, "live.undo.mine" if vote.person == me else "live.undo.waiting", name=name, names=names)


def _unanswered(vote: UndoAsked) -> set[str]:
    return {*vote.needed} - {*vote.agreed, *vote.refused}


def _name(person: PersonInfo, lang: str) -> str:
    name = clean(person.name)
    return name if person.connected else CATALOGUE.say(lang, "live.away", name=name)


async def _levels_at(url: str, game: str) -> list[Level]:
    async with Client(url) as client:
        return next(card.bots for card in await client.games() if card.key == game)
