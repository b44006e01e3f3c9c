"""Where tables are opened and joined: the HTTP API, typed."""

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
    Entry,
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
from jamboree.server.protocol.parts import TableSeen
from jamboree.server.protocol.urls import api

from .errors import Declined, other_version
from .seat import Seat

T = TypeVar("T")
PATIENCE = httpx.Timeout(30.0, connect=10.0)  # seconds for an answer, and for anybody to be there


class Client:
    def __init__(self, url: str, rules: Callable[[str, int], AnyGame] = find) -> None:
        self.url, self.rules = url.rstrip("/"), rules
        self._http = httpx.AsyncClient(base_url=self.url, timeout=PATIENCE, trust_env=False)

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def games(self) -> list[GameCard]:
        return await self._get(api("games"), list[GameCard])

    async def tables(self) -> list[TableCard]:
        """List the tables that look for players."""
        return await self._get(api("tables"), list[TableCard])

    async def look(self, table: str, token: str | None = None) -> TableSeen:
        return await self._ask("GET", api("tables", table), TableSeen, token=token)

    async def invitation(self, table: str) -> str:
        return (await self._get(api("tables", table, "invite"), Invite)).link

    async def log(self, table: str, token: str | None = None, language: Language = "en") -> list[LogStep]:
        """Tell the whole game so far, as this viewer witnessed it."""
        return await self._ask("GET", api("tables", table, "log", language=language), list[LogStep], token=token)

    async def replay(self, table: str) -> AsyncIterator[Any]:
        """Give the all-seeing view after every step of a finished game, as they come in."""
        seen = await self.look(table)
        kind, view = self.rules(seen.game, seen.rules).info.view, None
        async with self._http.stream("GET", api("tables", table, "replay", changes=True)) as answer:
            if answer.is_error:
                await answer.aread()
                raise _declined(answer)
            async for line in answer.aiter_lines():
                if line in ("[", "]"):
                    continue
                step = msgspec.json.decode(line.removesuffix(","))
                view = step if view is None else apply_delta(view, step)
                yield msgspec.json.decode(msgspec.json.encode(view), type=kind)

    async def open(self, game: str, seats: int, name: str, **more: Any) -> Entry:
        """Open a table, and take its first seat."""
        return await self._post(api("tables"), Entry, OpenTable(game=game, seats=seats, name=name, **more))

    async def join(self, table: str, name: str, seat: int | None = None, watch: bool = False) -> Entry:
        return await self._post(api("tables", table, "join"), Entry, JoinTable(name=name, seat=seat, watch=watch))

    async def seat_bot(self, place: Entry, seat: int, level: Level | None) -> None:
        """Give a seat to a bot, or send it away; for the host."""
        await self._post(api("tables", place.table, "bots"), type(None), {"seat": seat, "level": level}, place.token)

    async def take_look(self, place: Entry, look: int) -> None:
        """Choose a colour, an animal or a token; one that somebody else has is asked for."""
        await self._post(api("tables", place.table, "look"), type(None), {"look": look}, place.token)

    async def answer_look(self, place: Entry, person: str, agrees: bool) -> None:
        """Exchange looks with somebody who has asked for yours, or keep it."""
        await self._post(
            api("tables", place.table, "look", "answer"), type(None), {"person": person, "agrees": agrees}, place.token
        )

    async def ask_seat(self, place: Entry, seat: int | None) -> None:
        """Ask the host for the seat of a bot during the game; None: no more."""
        await self._post(api("tables", place.table, "seat", "ask"), type(None), {"seat": seat}, place.token)

    async def answer_seat(self, place: Entry, person: str, agrees: bool) -> None:
        """Let somebody who has asked sit down for a bot, or not; for the host."""
        await self._post(
            api("tables", place.table, "seat", "answer"), type(None), {"person": person, "agrees": agrees}, place.token
        )

    async def set_up(self, place: Entry, **changes: Any) -> None:
        """Change a table before its game; for the host."""
        await self._post(api("tables", place.table, "setup"), type(None), SetUpTable(**changes), place.token)

    async def start(self, place: Entry) -> None:
        """Begin the game; for the host, when every seat is taken."""
        await self._post(api("tables", place.table, "start"), type(None), token=place.token)

    async def leave(self, place: Entry) -> None:
        await self._post(api("tables", place.table, "leave"), type(None), token=place.token)

    async def set_access(self, place: Entry, **changes: Any) -> None:
        """Lock or unlock the table, or choose who may watch; for the host."""
        await self._post(api("tables", place.table, "access"), type(None), changes, place.token)

    async def ban(self, place: Entry, person: str) -> None:
        """Show somebody out for good; for the host."""
        await self._post(api("tables", place.table, "ban"), type(None), {"person": person}, place.token)

    def sit(self, place: Entry, language: Language | None = None) -> Seat:
        """Go to the table with what opening or joining it gave."""
        return Seat(self.url, place.table, place.token, language, self.rules)

    def watch(self, table: str, language: Language | None = None) -> Seat:
        return Seat(self.url, table, None, language, self.rules)

    async def _get(self, path: str, kind: type[T]) -> T:
        return await self._ask("GET", path, kind)

    async def _post(self, path: str, kind: type[T], body: Any = None, token: str | None = None) -> T:
        return await self._ask("POST", path, kind, body, token)

    async def _ask(self, method: str, path: str, kind: type[T], body: Any = None, token: str | None = None) -> T:
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        content = b"" if body is None else msgspec.json.encode(body)
        try:
            answer = await self._http.request(method, path, content=content, headers=headers)
        except httpx.TransportError:
            raise JamboreeError(f"No server answers at {self.url}.") from None
        if answer.is_error:
            raise _declined(answer)
        try:
            return msgspec.json.decode(answer.content or b"null", type=kind)
        except UNREADABLE as error:
            raise other_version(error) from None


def _declined(answer: httpx.Response) -> Declined:
    try:
        problem = msgspec.json.decode(answer.content, type=Problem)
    except UNREADABLE:
        return Declined("broken", f"The server answers {answer.status_code}, and does not say why.")
    return Declined(problem.code, problem.sentence, problem.detail)
