"""A place at a live table. A lost connection is made again, and what was asked under an id is asked again under it."""

import asyncio
import random
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from itertools import count
from types import TracebackType
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from jamboree.core.errors import UNREADABLE, JamboreeError
from jamboree.core.game import AnyGame, read_action
from jamboree.core.words import Language
from jamboree.games import find
from jamboree.server.protocol import frames, parts, urls, wire
from jamboree.server.protocol.actions import ActionGroup, expanded
from jamboree.server.protocol.delta import apply_verified

from .errors import Declined, Lost, other_version
from .pace import Pace
from .position import Seen, read_position

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 10.0  # seconds before a lost connection is tried again
FINAL = (1008, 1009)  # close codes after which it is of no use to come back
SEED_BYTES = 16
MENDED = ("table-stopped",)  # refusals that a new connection mends
PASSING = (*MENDED, "not-kept")  # refusals of hello that are worth another try
decode = msgspec.json.Decoder(frames.ServerMessage).decode

News = frames.Welcome | frames.TableChanged | frames.Update | frames.ClockChanged | frames.Said | frames.Nudged


class Asked(NamedTuple):
    """Something that waits for its answer."""

    message: dict[str, Any]
    answer: "asyncio.Future[Any]"
    again: bool  # whether it does no harm to ask twice


class Seat:
    """One viewer of one table; without a token one watches. `table` and `position` are what was heard last."""

    def __init__(
        self,
        url: str,
        code: str,
        token: str | None = None,
        language: Language | None = None,
        rules: Callable[[str, int], AnyGame] = find,
    ) -> None:
        scheme, _, rest = url.rstrip("/").partition("://")
        self.address = f"{'wss' if scheme == 'https' else 'ws'}://{rest}{urls.api('tables', code, 'socket')}"
        self.token, self.language, self.rules = token, language, rules
        self.seq: int | None = None
        self.you = parts.You(None, None)
        self.table: parts.TableSeen | None = None
        self.position: Seen | None = None
        self._held: Any = None  # the same as it came over the wire: what comes next is said by what changes
        self._actions: list[Any] = []  # all there can be, by their places
        self._astray = False  # it can't be told any more what has changed
        self.clock: parts.ClockSeen | None = None
        self.clock_at = 0.0  # when that was heard
        self._lost_at: float | None = None  # since when there is no connection
        self._news: asyncio.Queue[News | None] = asyncio.Queue()
        self._asked: dict[str, Asked] = {}
        self._line: ClientConnection | None = None
        self._pause = FIRST_PAUSE
        self._seeded: set[str] = set()  # commitments that a seed was added to
        self._end: JamboreeError | None = None
        self._pace, self._prefix, self._numbers = Pace(), secrets.token_hex(4), count(1)

    async def __aenter__(self) -> "Seat":
        self._welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lost_at = time.monotonic()
        self._staying = asyncio.create_task(self._stay())
        try:
            await self._welcomed
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._staying.cancel()
        with suppress(asyncio.CancelledError):
            await self._staying
        self._give_up(Lost("The seat was left."))

    async def news(self) -> AsyncIterator[News]:
        """Give everything that is heard, until the connection is over for good."""
        while (heard := await self._news.get()) is not None:
            yield heard
        if self._end:
            raise self._end

    async def act(self, action: Any) -> int:
        """Take an action, and wait until it is kept."""
        done: frames.Ack = await self._ask("act", action=msgspec.to_builtins(action))
        return done.seq

    async def preview(self, action: Any) -> frames.Previewed:
        seen: frames.Previewed = await self._ask("preview", action=msgspec.to_builtins(action))
        return seen

    async def why_not(self, action: Any) -> frames.WhyNot:
        reason: frames.WhyNot = await self._ask("why-not", action=msgspec.to_builtins(action))
        return reason

    async def say(self, text: str, to: str | None = None) -> None:
        """Speak to all or to one person. What may have been said already is not said again."""
        await self._ask("say", again=False, text=text, to=to)

    async def pause(self, paused: bool = True) -> None:
        """Pause the game or go on; for the host, and for any player once the time for pauses is used up."""
        await self._ask("pause", paused=paused)

    async def undo(self) -> None:
        """Take the last move back, or ask the others to agree."""
        await self._ask("undo")

    async def withdraw(self) -> None:
        """Stop asking the others to take a move back."""
        await self._ask("withdraw")

    async def agree(self, agree: bool) -> None:
        """Answer who asks to take a move back."""
        await self._ask("agree", agree=agree)

    async def hint(self) -> frames.Hint:
        """Ask what is best here, where the table allows it."""
        hinted: frames.Hint = await self._ask("hint", again=False)
        return hinted

    async def ready(self, ready: bool = True) -> None:
        await self._ask("ready", ready=ready)

    def seconds_left(self) -> float | None:
        """Say how long the clock still runs, if one does."""
        if self.clock is None:
            return None
        gone = time.monotonic() - self.clock_at if self.clock.running else 0.0
        return max(0.0, self.clock.left - gone)

    def lost_for(self) -> float:
        """Say for how many seconds there has been no connection; 0 while there is one."""
        return 0.0 if self._lost_at is None else time.monotonic() - self._lost_at

    def names(self) -> list[str]:
        """Name who sits where; a seat without a name is called by its number."""
        sitting = self.sitting()
        return [sitting.get(seat) or f"Seat {seat + 1}" for seat in range(self.table.seats if self.table else 0)]

    def sitting(self) -> dict[int, str]:
        """Name the people and bots who have a seat, by seat."""
        if self.table is None:
            return {}
        people = {person.seat: person.name for person in self.table.people if person.seat is not None}
        return people | {bot.seat: bot.name for bot in self.table.bots}

    def _message(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Write a message of the protocol, under an id of its own."""
        return {"type": kind, "id": f"{self._prefix}-{next(self._numbers)}", **fields}

    async def _ask(self, kind: str, again: bool = True, **fields: Any) -> Any:
        if self._end:
            raise self._end
        message = self._message(kind, **fields)
        asked = Asked(message, asyncio.get_running_loop().create_future(), again)
        self._asked[message["id"]] = asked
        try:
            if self._line:
                await self._send(self._line, message)
            elif not again:
                raise Lost("There is no connection at the moment.")
            return await asked.answer
        finally:
            self._asked.pop(message["id"], None)

    async def _send(self, line: ClientConnection, message: dict[str, Any]) -> None:
        await self._pace.turn()
        with suppress(ConnectionClosed):  # whoever listens on this line finds out too
            await line.send(wire.encode(message).decode())

    def _connect(self) -> connect:
        shown = {"authorization": f"Bearer {self.token}"} if self.token else {}  # so we count as who we are
        return connect(self.address, additional_headers=shown, compression=None, max_size=None, proxy=None)

    async def _stay(self) -> None:
        """Keep a connection, for as long as there is any use in it."""
        while self._end is None:
            try:
                async with self._connect() as line:
                    await self._converse(line)
            except JamboreeError as refusal:  # the server declined, or plays by rules that are not here
                return self._give_up(refusal)
            except UNREADABLE as error:
                return self._give_up(other_version(error))
            except InvalidStatus as error:
                if error.response.status_code < 500:
                    return self._give_up(Declined("refused", "This table does not exist, or does not let you in."))
            except ConnectionClosed as closed:
                if closed.rcvd and closed.rcvd.code in FINAL:
                    return self._give_up(Declined("closed", f"The server hung up: {closed.rcvd.reason or 'a limit'}."))
            except (OSError, InvalidHandshake, TimeoutError):
                pass
            self._lose()
            await asyncio.sleep(self._pause * random.uniform(0.5, 1.0))
            self._pause = min(self._pause * 2, LONGEST_PAUSE)
        return None

    async def _converse(self, line: ClientConnection) -> None:
        self._pace = Pace()  # a server counts what comes by one connection
        hello = {"type": "hello", "token": self.token, "seen": self.seq, "language": self.language, "packed": True}
        await self._send(line, hello)
        while True:
            message: frames.ServerMessage = decode(_text(await line.recv()))
            was_astray = self._astray
            self._hear(message)
            if self._astray and not was_astray:  # updates on their way until the welcome need no further request
                await self._send(line, self._message("anew"))
            if isinstance(message, frames.Welcome):  # an answer may be among what was dropped
                self._line, self._pause, self._lost_at = line, FIRST_PAUSE, None
                for asked in [asked for asked in self._asked.values() if asked.again]:
                    await self._send(line, asked.message)
            if isinstance(message, frames.Welcome | frames.TableChanged):
                await self._add_luck(line, message.table)

    async def _add_luck(self, line: ClientConnection, table: parts.TableSeen) -> None:
        """Add a seed of our own to the luck of a game that begins; whatever becomes of it, the game goes on."""
        if table.status == "seeding" and self.you.seat is not None and table.commitment not in self._seeded:
            self._seeded.add(table.commitment)
            await self._send(line, self._message("seed", seed=secrets.token_hex(SEED_BYTES)))

    def _hear(self, message: frames.ServerMessage) -> None:
        match message:
            case frames.Ack() | frames.Previewed() | frames.Hint() | frames.WhyNot() | frames.Pong():
                self._answer(message.id, message)
            case frames.Error():
                self._refuse(message)
            case frames.Bye():
                pass  # the connection ends by itself, and is made again
            case _:
                self._take_in(message)
                self._news.put_nowait(message)

    def _take_in(self, message: News) -> None:
        if isinstance(message, frames.Welcome | frames.TableChanged):
            self.table = _with_options(message.table, self.table)
        if isinstance(message, frames.Welcome):
            self.you = message.you
        if isinstance(message, frames.Welcome | frames.Update):
            self.seq = message.seq
            self._move_on(message)
        if isinstance(message, frames.Welcome | frames.Update | frames.ClockChanged):
            self.clock, self.clock_at = message.clock, time.monotonic()
        if isinstance(message, frames.Welcome) and not self._welcomed.done():
            self._welcomed.set_result(None)

    def _move_on(self, message: frames.Welcome | frames.Update) -> None:
        """Take in the next position, or what has changed; if that does not fit, wait to be told anew."""
        if isinstance(message, frames.Welcome) or message.change == frames.NULL:
            held, self._astray = msgspec.json.decode(message.position), False
        else:
            held = apply_verified(self._held, msgspec.json.decode(message.change), message.check)
            self._astray = held is None
        if self._astray:
            return
        self._held, game = held, self.table and self.rules(self.table.game, self.table.rules)
        if game and isinstance(message, frames.Welcome) and message.actions != frames.NULL:
            every = expanded(msgspec.json.decode(message.actions, type=list[ActionGroup]))
            self._actions = [read_action(game, action) for action in every]
        self.position = read_position(wire.encode(held), game, self._actions) if held and game else None

    def _answer(self, name: str, message: Any) -> None:
        asked = self._asked.get(name)
        if asked and not asked.answer.done():
            asked.answer.set_result(message)

    def _refuse(self, error: frames.Error) -> None:
        refusal = Declined(error.code, error.sentence, error.detail)
        if error.id is None and error.code in PASSING:
            raise ConnectionError(error.sentence)
        if error.id is None:
            raise refusal
        asked = self._asked.get(error.id)
        if asked and not asked.answer.done() and not (asked.again and error.code in MENDED):
            asked.answer.set_exception(refusal)

    def _lose(self) -> None:
        """Say of what can't be asked twice that nobody knows."""
        self._line, self._lost_at = None, self._lost_at or time.monotonic()
        for asked in self._asked.values():
            if not asked.again and not asked.answer.done():
                asked.answer.set_exception(Lost("The connection was lost; this may have been done or not."))

    def _give_up(self, error: JamboreeError) -> None:
        self._end = self._end or error
        self._line = None
        for asked in self._asked.values():
            if not asked.answer.done():
                asked.answer.set_exception(error)
        if not self._welcomed.done():
            self._welcomed.set_exception(error)
        self._news.put_nowait(None)


def _text(frame: str | bytes) -> str | bytes:
    return frame if isinstance(frame, str) else wire.decompressed(frame)


def _with_options(table: parts.TableSeen, before: parts.TableSeen | None) -> parts.TableSeen:
    """Keep the options that were told before, where they are left out because they can't have changed."""
    if before is None or table.options is not msgspec.UNSET:
        return table
    return msgspec.structs.replace(table, options=before.options)
