"""One connection to a table: messages in, frames out, whatever carries them."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, Protocol

import msgspec

from jamboree.coach import Advised
from jamboree.core.errors import UNREADABLE
from jamboree.core.words import Language

from ..commands import command as commands
from ..commands.hosting import Ready
from ..commands.lessons import BeginLesson, RetryLesson, ShowMove
from ..commands.pausing import PauseGame
from ..commands.seeding import AddSeed
from ..commands.talk import Say
from ..commands.undoing import AnswerUndo, AskUndo, WithdrawUndo
from ..errors import Refused
from ..protocol import frames, requests, wire
from ..protocol.frames import Ack, Error, Hint, Pong, Previewed, WhyNot
from ..protocol.wire import encode, milliseconds
from ..table.attention import heed, hurry, nudge, speak, tell_peek, vote
from ..table.hinting import hint
from ..table.registry import Registry
from ..table.table import Table
from ..watching.sentences import Sentences
from ..watching.showing import seat_of

LONGEST_NAME = 64
NOT_HERE = ("not-kept", "table-stopped")  # refusals: the table can't be read, or has just gone to another server
Answer = asyncio.Future[Any]
Worded = Callable[[Any], frames.ServerMessage]


class Taken(NamedTuple):
    """A message on its way to its answer."""

    message: requests.ClientMessage | None
    answer: Answer | None = None  # what the table does about it
    worded: Worded | None = None
    refusal: Refused | None = None


class Outlet(Protocol):
    """Where frames go. To put one there never waits."""

    @property
    def behind(self) -> bool: ...  # whoever reads there will be told everything anew
    def put(self, frame: bytes) -> None: ...
    def close(self) -> None: ...


class Session:
    """What one connection may do. It begins with hello; after that it is one viewer of one table."""

    def __init__(
        self,
        registry: Registry,
        code: str,
        outlet: Outlet,
        token: str | None = None,
        tokens: Mapping[str, str] | None = None,
    ) -> None:
        self.registry, self.code, self.outlet, self.token = registry, code, outlet, token
        self.tokens = tokens or {}  # of everybody who plays on the device, by person
        self.company: frozenset[str] = frozenset()
        self.opened = 0.0  # when its person was shown the table
        self.person: str | None = None
        self.device = ""
        self.language: Language | None = None
        self.painted = self.whole = self.packed = self.screen = False
        self.table: Table | None = None

    @property
    def behind(self) -> bool:
        return self.outlet.behind

    def deliver(self, frame: bytes) -> None:
        self.outlet.put(wire.to_send(frame, self.packed))

    def hang_up(self) -> None:
        self.table = None
        self.outlet.close()

    async def receive(self, data: bytes | str, arrived: float | None = None) -> type[requests.ClientMessage] | None:
        """Take a message, and answer it or say why not; say what kind was granted."""
        return await self.answer(self.take(data, arrived))

    def take(self, data: bytes | str, arrived: float | None = None) -> Taken:
        """Hand in what a message asks, at once and as of when it arrived."""
        message: requests.ClientMessage | None = None
        try:
            message = _decoded(data)
            return self._hand_in(message, arrived)
        except Refused as refusal:
            return Taken(message, refusal=refusal)

    async def answer(self, taken: Taken) -> type[requests.ClientMessage] | None:
        """Answer a message that was taken, or say why not; say what kind was granted."""
        message = taken.message
        if taken.refusal:
            self._refuse(message, taken.refusal.with_traceback(None))  # it would keep itself by that
            return None
        try:
            if taken.answer and taken.worded:
                self._say(taken.worded(await taken.answer))
            elif isinstance(message, requests.Ping):
                self.deliver(encode(Pong(message.id, milliseconds(self.registry.staff.now()))))
            elif isinstance(message, requests.Hello):
                await self._greet(message)
        except Refused as refusal:
            self._refuse(message, refusal)
            return None
        return type(message) if message else None

    def _refuse(self, message: requests.ClientMessage | None, refusal: Refused) -> None:
        name = getattr(message, "id", None) or refusal.about
        self._say(Error(name, refusal.code, self._said(refusal), refusal.detail))
        if isinstance(message, requests.Hello) and refusal.code in NOT_HERE:
            self.hang_up()  # whoever comes back may find it, and need not wait

    async def end(self) -> None:
        table, self.table = self.table, None
        if table:
            with suppress(Refused):  # the table has stopped meanwhile
                await table.detach(self)

    def _hand_in(self, message: requests.ClientMessage, arrived: float | None) -> Taken:
        table = self.table
        if table is None and not isinstance(message, requests.Hello):
            raise Refused("no-hello", "The first message must be hello.")
        if table is None or isinstance(message, requests.Ping):
            return Taken(message)
        if self.screen and not isinstance(message, requests.AskAnew):
            raise Refused("screen", "A big screen only shows the table. Play on a phone: scan the code, or type it.")
        return Taken(message, *self._ask_table(table, message, arrived))

    def _ask_table(self, table: Table, message: requests.ClientMessage, arrived: float | None) -> tuple[Answer, Worded]:
        """Hand in what a message asks of the table, and say how the answer is worded."""
        if isinstance(message, requests.Hello):
            raise Refused("twice", "Hello has already been said.")
        ask, person = partial(table.submit, arrived=arrived), self.person
        acked = partial(self._acked, table, message.id)
        if command := _command(table, person, message):
            return ask(command), acked
        match message:
            case requests.Say():
                return ask(Say(person, message.text, message.to)), lambda _: acked(None)
            case requests.Speak():
                return speak(table, person, message.phrase), lambda _: acked(None)
            case requests.AskAnew():
                return table.anew(self), acked
            case requests.Here():
                return heed(table, self.company or [person]), acked
            case requests.NotMe():
                return tell_peek(table, person, self._peeked(table)), lambda _: acked(None)
            case requests.Hurry():
                return hurry(table, person), acked
            case requests.Nudge():
                return nudge(table, person, message.person), acked
            case requests.VoteBot():
                return vote(table, person, message.person, message.bot), acked
            case requests.AskHint():
                told = partial(self._hinted, message.id)
                return hint(table, person, self.language, arrived), told
            case requests.AskPreview():
                foresee = commands.Foresee(person, message.action)
                return ask(foresee), lambda seen: self._foreseen(table, message.id, seen)
            case requests.AskWhyNot():
                return ask(commands.Explain(person, message.action)), lambda why: self._explained(message.id, why)
            case _:
                raise AssertionError(f"{type(message).__name__} asks nothing of the table")

    def _acked(self, table: Table, name: str, seq: int | None) -> Ack:
        """Say that something is done, by the number it has for who asked."""
        return Ack(name, table.memory.number(seat_of(table.memory, self.person), seq))

    async def _greet(self, hello: requests.Hello) -> None:
        self.screen = hello.screen
        token = None if hello.screen else self._token(hello)
        table = await self.registry.table(self.code)
        self.language, self.painted, self.whole = hello.language, hello.painted, hello.whole
        self.packed = hello.packed
        await table.attach(self, token, hello.seen)
        self.table, self.opened = table, table.now()

    def _token(self, hello: requests.Hello) -> str | None:
        """Choose as whom to come: on a shared device as the person named, or as nobody of those who play on it."""
        if not hello.shared:
            return hello.token or self.token
        if hello.person is not None and hello.person not in self.tokens:
            raise Refused("wrong-token", "That person does not play on this device.")
        self.company = frozenset(self.tokens)
        return self.tokens[hello.person] if hello.person else None

    def _peeked(self, table: Table) -> float:
        """Say for how long the wrong person may have looked, where there is another."""
        if len(self.company) < 2:
            raise Refused("not-allowed", "Only a device that several people share has a curtain.")
        return table.now() - self.opened

    def _foreseen(self, table: Table, name: str, seen: commands.Foreseen) -> Previewed:
        preview = seen.preview
        told = Sentences(table.memory, self.language).told(preview.events)
        return Previewed(name, preview.events, told, preview.points, preview.chance_follows, seen.undo)

    def _hinted(self, name: str, advised: Advised) -> Hint:
        return Hint(name, advised.moves, advised.chance, advised.error, advised.playouts, advised.soon)

    def _say(self, answer: frames.ServerMessage) -> None:
        """Send an answer; one that is about a choice does not tell by its length which one."""
        frame = encode(answer)
        if self.table and isinstance(answer, Previewed | Hint | WhyNot | Error):
            frame = self.table.veiled(frame, self.person)
        self.deliver(frame)

    def _explained(self, name: str, refusal: Refused | None) -> WhyNot:
        if refusal is None:
            return WhyNot(name, True, "Nothing is against it.", None)
        return WhyNot(name, False, self._said(refusal), refusal.detail)

    def _said(self, refusal: Refused) -> str:
        return Sentences(self.table.memory, self.language).refusal(refusal) if self.table else refusal.sentence


def _command(table: Table, person: str | None, message: requests.ClientMessage) -> commands.Command | None:
    """Give the command that a message is, for somebody; None if it is answered in another way than by a number."""
    match message:
        case requests.Act():
            return commands.Act(person, message.id, message.action)
        case requests.Ready():
            return Ready(person, message.ready)
        case requests.AskPause():
            return PauseGame(person, message.paused, table.steward.pause_spent())
        case requests.TakeBack():
            return AskUndo(person, message.id)
        case requests.Agree():
            return AnswerUndo(person, message.agree)
        case requests.Withdraw():
            return WithdrawUndo(person)
        case requests.AddSeed():
            return AddSeed(person, message.seed)
        case requests.BeginLesson():
            return BeginLesson(person, message.lesson)
        case requests.RetryLesson():
            return RetryLesson(person)
        case requests.ShowMove():
            return ShowMove(person)
    return None


def _decoded(data: bytes | str) -> requests.ClientMessage:
    try:
        message: requests.ClientMessage = wire.decode(data)
    except UNREADABLE as error:
        raise Refused("malformed", f"This is not a message of the protocol: {error}.", None, _name(data)) from None
    return message


def _name(data: bytes | str) -> str | None:
    """Find the client's own name for a message that is none of the protocol."""
    try:
        name = msgspec.json.decode(data)["id"]
    except (*UNREADABLE, TypeError, KeyError):
        return None
    return name if isinstance(name, str) and len(name) <= LONGEST_NAME else None
