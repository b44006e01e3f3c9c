"""A typed client of the HTTP API: open, join, configure and inspect tables."""

from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, TypeVar

import httpx
import msgspec

from jamboree.bots import Level
from jamboree.core.errors import UNREADABLE, JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.words import Language
from jamboree.games import find
from jamboree.server.protocol.bodies import (
    Credentials,
    GameCard,
    Invite,
    JoinTable,
    LogStep,
    OpenTable,
    Problem,
    SetUpTable,
    TableCard,
)
from jamboree.server.protocol.delta import apply_delta
from jamboree.server.protocol.parts import TableInfo
from jamboree.server.protocol.urls import api

from .errors import Declined, version_mismatch
from .table_connection import TableConnection

T = TypeVar("T")
TIMEOUT = httpx.Timeout(30.0, connect=10.0)  # seconds


class Client:
    def __init__(self, url: str, rules: Callable[[str, int], AnyGame] = find) -> None:
        self.url, self.rules = url.rstrip("/"), rules
        self._http = httpx.AsyncClient(base_url=self.url, timeout=TIMEOUT, trust_env=False)

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def games(self) -> list[GameCard]:
        return await self._get(api("games"), list[GameCard])

    async def tables(self) -> list[TableCard]:
        """List the public tables that wait for players."""
        return await self._get(api("tables"), list[TableCard])

    async def table(self, code: str, token: str | None = None) -> TableInfo:
        return await self._request("GET", api("tables", code), TableInfo, token=token)

    async def invitation(self, table: str) -> str:
        return (await self._get(api("tables", table, "invite"), Invite)).link

    async def log(self, table: str, token: str | None = None, language: Language = "en") -> list[LogStep]:
        """Return every step so far as this viewer witnessed it, in sentences."""
        return await self._request("GET", api("tables", table, "log", language=language), list[LogStep], token=token)

    async def replay(self, table: str) -> AsyncIterator[Any]:
        """Yield the view with everything visible after each step of a finished game, as the server streams them."""
        card = await self.table(table)
        view_type, view = self.rules(card.game, card.rules).info.view, None
        async with self._http.stream("GET", api("tables", table, "replay", changes=True)) as response:
            if response.is_error:
                await response.aread()
                raise _declined(response)
            async for line in response.aiter_lines():
                if line in ("[", "]"):
                    continue
                step = msgspec.json.decode(line.removesuffix(","))
                view = step if view is None else apply_delta(view, step)
                yield msgspec.json.decode(msgspec.json.encode(view), type=view_type)

    async def open(self, game: str, seats: int, name: str, **more: Any) -> Credentials:
        """Open a table and take its first seat."""
        return await self._post(api("tables"), Credentials, OpenTable(game=game, seats=seats, name=name, **more))

    async def join(self, table: str, name: str, seat: int | None = None, watch: bool = False) -> Credentials:
        return await self._post(api("tables", table, "join"), Credentials, JoinTable(name=name, seat=seat, watch=watch))

    async def seat_bot(self, auth: Credentials, seat: int, level: Level | None) -> None:
        """Seat a bot, or remove the one that sits there; for the host."""
        await self._post(api("tables", auth.table, "bots"), type(None), {"seat": seat, "level": level}, auth.token)

    async def choose_avatar(self, auth: Credentials, avatar: int) -> None:
        """Choose a colour, an animal or a token; if another player has it, ask them to swap."""
        await self._post(api("tables", auth.table, "avatar"), type(None), {"avatar": avatar}, auth.token)

    async def answer_swap(self, auth: Credentials, person: str, agrees: bool) -> None:
        """Agree or refuse to swap avatars with a person who asked."""
        await self._post(
            api("tables", auth.table, "avatar", "answer"),
            type(None),
            {"person": person, "agrees": agrees},
            auth.token,
        )

    async def request_seat(self, auth: Credentials, seat: int | None) -> None:
        """Ask the host for the seat of a bot during the game; None withdraws the request."""
        await self._post(api("tables", auth.table, "seat", "request"), type(None), {"seat": seat}, auth.token)

    async def answer_seat_request(self, auth: Credentials, person: str, agrees: bool) -> None:
        """Give a bot's seat to a person who asked for it, or refuse; for the host."""
        await self._post(
            api("tables", auth.table, "seat", "request", "answer"),
            type(None),
            {"person": person, "agrees": agrees},
            auth.token,
        )

    async def set_up(self, auth: Credentials, **changes: Any) -> None:
        """Change the settings of a table before its game; for the host."""
        await self._post(api("tables", auth.table, "setup"), type(None), SetUpTable(**changes), auth.token)

    async def start(self, auth: Credentials) -> None:
        """Start the game; for the host, when every seat is taken."""
        await self._post(api("tables", auth.table, "start"), type(None), token=auth.token)

    async def leave(self, auth: Credentials) -> None:
        await self._post(api("tables", auth.table, "leave"), type(None), token=auth.token)

    async def set_access(self, auth: Credentials, **changes: Any) -> None:
        """Lock or unlock the table, or choose who may watch; for the host."""
        await self._post(api("tables", auth.table, "access"), type(None), changes, auth.token)

    async def ban(self, auth: Credentials, person: str) -> None:
        """Remove a person for good; for the host."""
        await self._post(api("tables", auth.table, "ban"), type(None), {"person": person}, auth.token)

    def connect(self, auth: Credentials, language: Language | None = None) -> TableConnection:
        """Return a connection for the seat that `open` or `join` returned."""
        return TableConnection(self.url, auth.table, auth.token, language, self.rules)

    def watch(self, table: str, language: Language | None = None) -> TableConnection:
        return TableConnection(self.url, table, None, language, self.rules)

    async def _get(self, path: str, response_type: type[T]) -> T:
        return await self._request("GET", path, response_type)

    async def _post(self, path: str, response_type: type[T], body: Any = None, token: str | None = None) -> T:
        return await self._request("POST", path, response_type, body, token)

    async def _request(
        self, method: str, path: str, response_type: type[T], body: Any = None, token: str | None = None
    ) -> T:
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        content = b"" if body is None else msgspec.json.encode(body)
        try:
            response = await self._http.request(method, path, content=content, headers=headers)
        except httpx.TransportError:
            raise JamboreeError(f"No server answers at {self.url}.") from None
        if response.is_error:
            raise _declined(response)
        try:
            return msgspec.json.decode(response.content or b"null", type=response_type)
        except UNREADABLE as error:
            raise version_mismatch(error) from None


def _declined(response: httpx.Response) -> Declined:
    try:
        problem = msgspec.json.decode(response.content, type=Problem)
    except UNREADABLE:
        return Declined("broken", f"The server answered with status {response.status_code} and no reason.")
    return Declined(problem.code, problem.sentence, problem.detail)
