"""A WebSocket client for one table: it reconnects with exponential backoff and resends idempotent requests by id."""

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

from .errors import ConnectionLost, Declined, version_mismatch
from .position import DecodedPosition, read_position
from .rate_limiter import RateLimiter

FIRST_RETRY_DELAY, MAX_RETRY_DELAY = 0.25, 10.0  # seconds
FINAL_CLOSE_CODES = (1008, 1009)  # after these, reconnecting is pointless
SEED_BYTES = 16
RETRIED_ON_RECONNECT = ("table-stopped",)  # errors after which a request is sent again on the next connection
TRANSIENT_HELLO_ERRORS = (*RETRIED_ON_RECONNECT, "not-saved")  # errors of a hello after which the client reconnects
decode = msgspec.json.Decoder(frames.ServerMessage).decode

News = frames.Welcome | frames.TableChanged | frames.Update | frames.ClockChanged | frames.Chat | frames.Nudged


class PendingRequest(NamedTuple):
    message: dict[str, Any]
    response: "asyncio.Future[Any]"
    idempotent: bool  # the server answers a repeated id without acting twice


class TableConnection:
    """One viewer of one table, a spectator without a token; `table` and `position` are the latest state received."""

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
        self.token = token
        self.language = language
        self.rules = rules
        self.seq: int | None = None
        self.you = parts.You(None, None)
        self.table: parts.TableInfo | None = None
        self.position: DecodedPosition | None = None
        self._base: Any = None  # the position as it came over the wire, to which the next delta applies
        self._actions: list[Any] = []  # all actions of the game; legal ones are indices into this list
        self._out_of_sync = False  # deltas no longer fit the base position, until the next whole position
        self.clock: parts.ClockInfo | None = None
        self.clock_received_at = 0.0
        self._offline_since: float | None = None
        self._news: asyncio.Queue[News | None] = asyncio.Queue()
        self._pending: dict[str, PendingRequest] = {}
        self._connection: ClientConnection | None = None  # None until the server's welcome
        self._retry_delay = FIRST_RETRY_DELAY
        self._seeded: set[str] = set()  # commitments to which this client has contributed a seed
        self._final_error: JamboreeError | None = None
        self._rate_limiter = RateLimiter()
        self._id_prefix, self._ids = secrets.token_hex(4), count(1)

    async def __aenter__(self) -> "TableConnection":
        self._welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._offline_since = time.monotonic()
        self._task = asyncio.create_task(self._run())
        try:
            await self._welcomed
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self._close(ConnectionLost("This client has left the table."))

    async def news(self) -> AsyncIterator[News]:
        """Yield the server's messages across reconnects; raise the final error once the client gives up."""
        while (message := await self._news.get()) is not None:
            yield message
        if self._final_error:
            raise self._final_error

    async def act(self, action: Any) -> int:
        """Take an action; return its sequence number once the server has stored it."""
        ack: frames.Ack = await self._request("act", action=msgspec.to_builtins(action))
        return ack.seq

    async def preview(self, action: Any) -> frames.Previewed:
        preview: frames.Previewed = await self._request("preview", action=msgspec.to_builtins(action))
        return preview

    async def why_not(self, action: Any) -> frames.WhyNot:
        reason: frames.WhyNot = await self._request("why-not", action=msgspec.to_builtins(action))
        return reason

    async def say(self, text: str, to: str | None = None) -> None:
        """Send a chat line to everybody or to one person, at most once."""
        await self._request("say", idempotent=False, text=text, to=to)

    async def pause(self, paused: bool = True) -> None:
        """Pause or resume the game; for the host, and for any player once the time for pauses is used up."""
        await self._request("pause", paused=paused)

    async def undo(self) -> None:
        """Take the last move back, or ask the others to agree."""
        await self._request("undo")

    async def withdraw_undo(self) -> None:
        """Withdraw the request to take a move back."""
        await self._request("withdraw-undo")

    async def answer_undo(self, agrees: bool) -> None:
        """Vote on a request to take a move back."""
        await self._request("answer-undo", agrees=agrees)

    async def hint(self) -> frames.Hint:
        """Return the best moves, if the table allows hints."""
        hint: frames.Hint = await self._request("hint", idempotent=False)
        return hint

    async def ready(self, ready: bool = True) -> None:
        await self._request("ready", ready=ready)

    def seconds_left(self) -> float | None:
        """Return the seconds left on the clock; None if there is no clock."""
        if self.clock is None:
            return None
        elapsed = time.monotonic() - self.clock_received_at if self.clock.running else 0.0
        return max(0.0, self.clock.left - elapsed)

    def seconds_offline(self) -> float:
        """Return for how long there has been no connection; 0 while there is one."""
        return 0.0 if self._offline_since is None else time.monotonic() - self._offline_since

    def names(self) -> list[str]:
        """Return a name for every seat; a free one is called by its number."""
        occupied = self.occupied_seats()
        return [occupied.get(seat) or f"Seat {seat + 1}" for seat in range(self.table.seats if self.table else 0)]

    def occupied_seats(self) -> dict[int, str]:
        """Return the names of the people and bots who have a seat, by seat."""
        if self.table is None:
            return {}
        people = {person.seat: person.name for person in self.table.people if person.seat is not None}
        return people | {bot.seat: bot.name for bot in self.table.bots}

    def _message(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Return a message of the protocol with an id of its own."""
        return {"type": kind, "id": f"{self._id_prefix}-{next(self._ids)}", **fields}

    async def _request(self, kind: str, idempotent: bool = True, **fields: Any) -> Any:
        if self._final_error:
            raise self._final_error
        message = self._message(kind, **fields)
        request = PendingRequest(message, asyncio.get_running_loop().create_future(), idempotent)
        self._pending[message["id"]] = request
        try:
            if self._connection:
                await self._send(self._connection, message)
            elif not idempotent:
                raise ConnectionLost("There is no connection at the moment.")
            return await request.response
        finally:
            self._pending.pop(message["id"], None)

    async def _send(self, connection: ClientConnection, message: dict[str, Any]) -> None:
        await self._rate_limiter.acquire()
        with suppress(ConnectionClosed):  # the receive loop notices it too
            await connection.send(wire.encode(message).decode())

    def _connect(self) -> connect:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}  # for the limits per person
        return connect(self.address, additional_headers=headers, compression=None, max_size=None, proxy=None)

    async def _run(self) -> None:
        """Connect and reconnect until a final error."""
        while self._final_error is None:
            try:
                async with self._connect() as connection:
                    await self._receive_loop(connection)
            except JamboreeError as refusal:  # the server declined, or the game or its rules version is unknown here
                return self._close(refusal)
            except UNREADABLE as error:
                return self._close(version_mismatch(error))
            except InvalidStatus as error:
                if error.response.status_code < 500:
                    return self._close(Declined("refused", "This table does not exist, or does not let you in."))
            except ConnectionClosed as closed:
                if closed.rcvd and closed.rcvd.code in FINAL_CLOSE_CODES:
                    reason = closed.rcvd.reason or "a limit"
                    return self._close(Declined("closed", f"The server closed the connection: {reason}."))
            except (OSError, InvalidHandshake, TimeoutError):
                pass
            self._disconnected()
            await asyncio.sleep(self._retry_delay * random.uniform(0.5, 1.0))
            self._retry_delay = min(self._retry_delay * 2, MAX_RETRY_DELAY)
        return None

    async def _receive_loop(self, connection: ClientConnection) -> None:
        self._rate_limiter = RateLimiter()  # the server's limit is per connection
        hello = {"type": "hello", "token": self.token, "seen": self.seq, "language": self.language, "packed": True}
        await self._send(connection, hello)
        while True:
            message: frames.ServerMessage = decode(_text(await connection.recv()))
            was_out_of_sync = self._out_of_sync
            self._dispatch(message)
            if self._out_of_sync and not was_out_of_sync:  # one resync request covers the updates already on their way
                await self._send(connection, self._message("resync"))
            if isinstance(message, frames.Welcome):
                self._connection = connection
                self._retry_delay = FIRST_RETRY_DELAY
                self._offline_since = None
                for request in [request for request in self._pending.values() if request.idempotent]:
                    await self._send(connection, request.message)
            if isinstance(message, frames.Welcome | frames.TableChanged):
                await self._contribute_seed(connection, message.table)

    async def _contribute_seed(self, connection: ClientConnection, table: parts.TableInfo) -> None:
        """Contribute a seed to the randomness of a game that starts; the answer does not matter."""
        if table.status == "seeding" and self.you.seat is not None and table.commitment not in self._seeded:
            self._seeded.add(table.commitment)
            await self._send(connection, self._message("seed", seed=secrets.token_hex(SEED_BYTES)))

    def _dispatch(self, message: frames.ServerMessage) -> None:
        match message:
            case frames.Ack() | frames.Previewed() | frames.Hint() | frames.WhyNot() | frames.Pong():
                self._resolve(message.id, message)
            case frames.Error():
                self._reject(message)
            case frames.Bye():
                pass  # the server closes the connection next, and the client reconnects
            case _:
                self._apply(message)
                self._news.put_nowait(message)

    def _apply(self, message: News) -> None:
        if isinstance(message, frames.Welcome | frames.TableChanged):
            self.table = _with_options(message.table, self.table)
        if isinstance(message, frames.Welcome):
            self.you = message.you
        if isinstance(message, frames.Welcome | frames.Update):
            self.seq = message.seq
            self._apply_position(message)
        if isinstance(message, frames.Welcome | frames.Update | frames.ClockChanged):
            self.clock, self.clock_received_at = message.clock, time.monotonic()
        if isinstance(message, frames.Welcome) and not self._welcomed.done():
            self._welcomed.set_result(None)

    def _apply_position(self, message: frames.Welcome | frames.Update) -> None:
        """Replace the base position or apply a delta to it; a checksum mismatch marks this client as out of sync."""
        if isinstance(message, frames.Welcome) or message.change == frames.NULL:
            base, self._out_of_sync = msgspec.json.decode(message.position), False
        else:
            base = apply_verified(self._base, msgspec.json.decode(message.change), message.check)
            self._out_of_sync = base is None
        if self._out_of_sync:
            return
        self._base, game = base, self.table and self.rules(self.table.game, self.table.rules)
        if game and isinstance(message, frames.Welcome) and message.actions != frames.NULL:
            actions = expanded(msgspec.json.decode(message.actions, type=list[ActionGroup]))
            self._actions = [read_action(game, action) for action in actions]
        self.position = read_position(wire.encode(base), game, self._actions) if base and game else None

    def _resolve(self, request_id: str, message: Any) -> None:
        request = self._pending.get(request_id)
        if request and not request.response.done():
            request.response.set_result(message)

    def _reject(self, error: frames.Error) -> None:
        refusal = Declined(error.code, error.sentence, error.detail)
        if error.id is None and error.code in TRANSIENT_HELLO_ERRORS:
            raise ConnectionError(error.sentence)
        if error.id is None:
            raise refusal
        request = self._pending.get(error.id)
        is_retried = request and request.idempotent and error.code in RETRIED_ON_RECONNECT
        if request and not request.response.done() and not is_retried:
            request.response.set_exception(refusal)

    def _disconnected(self) -> None:
        """Fail the requests that can't be resent: the server may have carried them out."""
        self._connection, self._offline_since = None, self._offline_since or time.monotonic()
        for request in self._pending.values():
            if not request.idempotent and not request.response.done():
                lost = ConnectionLost("The connection was lost before the answer came; this may have been done or not.")
                request.response.set_exception(lost)

    def _close(self, error: JamboreeError) -> None:
        """Stop for good and fail every pending request with the error."""
        self._final_error = self._final_error or error
        self._connection = None
        for request in self._pending.values():
            if not request.response.done():
                request.response.set_exception(error)
        if not self._welcomed.done():
            self._welcomed.set_exception(error)
        self._news.put_nowait(None)


def _text(frame: str | bytes) -> str | bytes:
    return frame if isinstance(frame, str) else wire.decompressed(frame)


def _with_options(table: parts.TableInfo, previous: parts.TableInfo | None) -> parts.TableInfo:
    """Carry the options over from the previous state if the server left them out as unchanged."""
    if previous is None or table.options is not msgspec.UNSET:
        return table
    return msgspec.structs.replace(table, options=previous.options)
