"""Several people on one device: its connection shows one person's view or the public one, never both."""

from typing import Any

import pytest

from jamboree.server.live.commands.host import Mute
from jamboree.server.live.commands.joining import Ticket
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.registry import Registry
from jamboree.server.live.session import Session
from jamboree.server.store.store import Store

from ..bench.fake_time import FakeTime, settled
from ..bench.local import EVERY, Client, a_registry, gathered
from ..bench.online import Online, Player, online

TABLES = "/api/v1/tables"


class Device:
    """A browser that keeps the cookies of several people."""

    def __init__(self, server: Online) -> None:
        self.server, self.cookies, self.people, self.code = server, dict[str, str](), list[str](), ""

    @property
    def headers(self) -> dict[str, str]:
        origin = f"http://127.0.0.1:{self.server.port}"
        return {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), "origin": origin}

    async def open(self, game: str, names: list[str], seats: int, **more: Any) -> None:
        body = {"game": game, "seats": seats, "name": names[0], "keep": "cookie", **more}
        await self._enter(TABLES, body)
        for name in names[1:]:
            await self._enter(f"{TABLES}/{self.code}/join", {"name": name, "keep": "cookie", "beside": True})

    async def post(self, what: str, person: str) -> Any:
        return await self.server.post(f"{TABLES}/{self.code}/{what}", **self.headers, **{"jamboree-as": person})

    async def look(self, what: str = "", person: str = "nobody") -> Any:
        answer = await self.server.get(f"{TABLES}/{self.code}{what}", **self.headers, **{"jamboree-as": person})
        assert answer.status == 200, answer
        return answer.body

    def socket(self) -> Any:
        return self.server.socket(self.code, **self.headers)

    async def _enter(self, path: str, body: dict[str, Any]) -> None:
        answer = await self.server.post(path, body, **self.headers)
        assert answer.status == 201, answer
        name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
        assert name not in self.cookies, "nobody's cookie is overwritten"
        self.cookies[name], self.code = value, answer.body["table"]
        self.people.append(answer.body["person"])


async def come(socket: Any, person: str | None) -> tuple[Player, Any]:
    player = Player(socket)
    await player.send(type="hello", shared=True, person=person, language="en")
    return player, await player.until("welcome", "error")


@pytest.mark.parametrize(("game", "options"), [("bpm", {}), ("boogie", {}), ("bebop", {"hidden_hands": True})])
async def test_a_closed_curtain_shows_the_spectators_view(store: Store, game: str, options: dict[str, Any]) -> None:
    async with online(store, games=EVERY) as server:
        device = Device(server)
        await device.open(game, ["Ada", "Bob", "Cleo"], 3, options=options)
        assert (await device.post("start", "p1")).status == 204
        async with device.socket() as closed, server.socket(device.code) as passing, device.socket() as own:
            _, nobody = await come(closed, None)
            stranger = Player(passing)
            await stranger.send(type="hello", language="en")
            public = await stranger.until("welcome")
            assert nobody["position"] == public["position"]
            assert nobody["you"] == {"person": None, "seat": None}
            _, all_public = await come(own, "p2")
            assert all_public["you"] == {"person": "p2", "seat": 1}
            assert all_public["position"]["view"] != public["position"]["view"], "there is something to hide"
            log = (await server.get(f"{TABLES}/{device.code}/log?language=en")).body
            assert await device.look("/log?language=en") == log


async def test_every_person_of_a_shared_device_sees_only_their_own_view(store: Store) -> None:
    """Non-interference: a person's frames must not depend on the other people of the device."""
    async with online(store, games=EVERY) as server:
        device = Device(server)
        await device.open("bpm", ["Ada", "Bob", "Cleo"], 3)
        await device.post("start", "p1")
        for person, cookie in zip(device.people, device.cookies.values(), strict=True):
            async with device.socket() as shared, server.socket(device.code) as alone:
                _, all_public = await come(shared, person)
                single = Player(alone)
                await single.send(type="hello", token=cookie, language="en")
                assert (await single.until("welcome"))["position"] == all_public["position"]


async def test_everyone_on_a_shared_device_counts_as_connected(store: Store) -> None:
    async with online(store) as server:
        device = Device(server)
        await device.open("high-card", ["Ada", "Bob"], 2)
        async with device.socket() as socket:
            _, welcome = await come(socket, None)
            assert [each["connected"] for each in welcome["table"]["people"]] == [True, True]
            assert welcome["table"]["guests"] == 0
        assert (await device.look())["device"] == ["p1", "p2"]


async def test_a_person_of_another_device_is_refused(store: Store) -> None:
    async with online(store) as server:
        device = Device(server)
        await device.open("high-card", ["Ada", "Bob"], 3)
        await server.post(f"{TABLES}/{device.code}/join", {"name": "Cleo"})
        async with device.socket() as socket:
            _, refusal = await come(socket, "p3")
            assert refusal["code"] == "wrong-token"
        answer = await device.post("leave", "p3")
        assert (answer.status, answer.body["code"]) == (403, "wrong-token")
        answer = await device.post("leave", "nobody")
        assert answer.body["code"] == "no-token"


async def test_locking_a_table_keeps_a_closed_curtain_connected(store: Store) -> None:
    async with online(store) as server:
        device = Device(server)
        await device.open("high-card", ["Ada", "Bob"], 2)
        await device.post("start", "p1")
        async with device.socket() as socket:
            await come(socket, None)
            body = {"locked": True, "spectators": "nobody"}
            headers = {**device.headers, "jamboree-as": "p1"}
            assert (await server.post(f"{TABLES}/{device.code}/access", body, **headers)).status == 204
            async with device.socket() as again:
                assert (await come(again, None))[1]["type"] == "welcome"
            await Player(socket).send(type="ping", id="still")
            assert (await Player(socket).until("pong", "error"))["type"] == "pong"


def line(registry: Registry, code: str, tickets: list[Ticket]) -> Client:
    """Connect the device that some people share."""
    client = Client(registry, code)
    client.session = Session(registry, code, client, None, {ticket.person: ticket.token for ticket in tickets})  # type: ignore[arg-type]
    return client


async def test_a_starting_game_shows_no_hand_on_a_shared_device(store: Store) -> None:
    async with a_registry(store, games=EVERY) as registry:
        code, people = await gathered(registry, "bpm", 3)
        device = line(registry, code, people)
        await device.hello(shared=True, person="p1")
        table = await registry.table(code)
        before = len(device.received)
        await table.ask(Start(), "p1")
        await device.session.receive(b'{"type": "seed", "id": "luck", "seed": "00"}')
        await settled(table)
        assert table.state.position is not None, "it has begun"
        assert all(frame.get("position") is None for frame in device.received[before:])
        assert device.closed


async def test_bots_do_not_play_for_people_behind_a_closed_curtain(store: Store) -> None:
    time = FakeTime()
    async with a_registry(store, now=time) as registry:
        code, people = await gathered(registry, "high-card", 2)
        device = line(registry, code, people)
        await device.hello(shared=True)
        table = await registry.table(code)
        await table.ask(Start(), "p1")
        await settled(table)
        await time.goes_by(registry, 600)
        assert all(not each["bot_plays"] for each in device.table["people"])


async def test_an_accidental_peek_is_announced(store: Store) -> None:
    time = FakeTime()
    async with a_registry(store, now=time) as registry:
        code, people = await gathered(registry, "high-card", 2)
        table = await registry.table(code)
        await table.ask(Start(), "p1")
        await settled(table)
        elsewhere, device = Client(registry, table.code), line(registry, code, people)
        await elsewhere.hello()
        await device.hello(shared=True, person="p2")
        time.value += 3.2
        assert (await device.send(type="report-peek", id="oh"))["type"] == "ack"
        message = elsewhere.received[-1]["message"]
        assert (message["person"], message["phrase"]) == ("p2", "curtain.3")
        assert (await elsewhere.send(type="report-peek", id="oh"))["code"] == "not-allowed"


async def test_announcements_of_peeks_are_rate_limited(store: Store) -> None:
    """They count as phrases, need a device with several people, and are refused to muted ones."""
    async with a_registry(store) as registry:
        code, people = await gathered(registry, "high-card", 2)
        table = await registry.table(code)
        device, alone = line(registry, code, people), line(registry, code, people[1:])
        await device.hello(shared=True, person="p2")
        await alone.hello(shared=True, person="p2")
        assert (await alone.send(type="report-peek", id="alone"))["code"] == "not-allowed"
        answers = [await device.send(type="report-peek", id=f"{number}") for number in range(5)]
        assert [answer.get("code") for answer in answers] == [None] * 4 + ["too-fast"]
        await table.ask(Mute("p1", True), "p1")
        muted = line(registry, code, people)
        await muted.hello(shared=True, person="p1")
        assert (await muted.send(type="report-peek", id="muted"))["code"] == "muted"
