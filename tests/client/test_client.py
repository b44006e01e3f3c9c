"""The reference client against a real server, also over failing connections."""

import asyncio
import itertools
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.server import ServerConnection, serve

from jamboree.bots import RandomBot
from jamboree.client import Client, ConnectionLost, Declined, TableConnection, play, rate_limiter, table_connection
from jamboree.core.errors import JamboreeError
from jamboree.games import all_games
from jamboree.server.errors import Refused
from jamboree.server.live.records import Acted, read
from jamboree.server.live.table import Table
from jamboree.server.protocol.bodies import Credentials
from jamboree.server.protocol.frames import Chat, Update
from jamboree.server.store.store import Store
from tests.contract.toy import Lay, View
from tests.server.bench.local import GAMES
from tests.server.bench.online import HOST, Online, online

from .proxy import Proxy, proxied

ROOT = Path(__file__).parents[2]


def rules(key: str, version: int) -> Any:
    return GAMES[key]


@pytest.fixture(autouse=True)
def _fast_reconnects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_connection, "FIRST_RETRY_DELAY", 0.02)


def client_of(server: Online | Proxy) -> Client:
    return Client(f"http://{HOST}:{server.port}", rules)


def seat_through(proxy: Proxy, entry: Credentials) -> TableConnection:
    return TableConnection(proxy.url, entry.table, entry.token, None, rules)


async def two_entries(client: Client) -> list[Any]:
    host = await client.open("high-card", 2, "Ada")
    return [host, await client.join(host.table, "Bob")]


class First:
    def choose(self, view: Any, offers: Sequence[Any]) -> Any:
        assert isinstance(view, View)
        return offers[0].action


@pytest.mark.parametrize("body", [b"{", b"[" * 50_000, b'"\xff\xfe"', b"1"], ids=["cut", "deep", "no text", "odd"])
async def test_an_unreadable_response_is_reported_in_a_sentence(body: bytes) -> None:
    for status, answer in ((200, "another version"), (500, "no reason")):
        transport = httpx.MockTransport(lambda request, status=status: httpx.Response(status, content=body))
        async with Client("http://here") as client:
            client._http = httpx.AsyncClient(base_url="http://here", transport=transport)
            with pytest.raises(Declined, match=answer):
                await client.table("abcdef")


@pytest.mark.parametrize("frame", ["{", "[" * 50_000, "1"], ids=["cut", "deep", "odd"])
async def test_an_unreadable_frame_ends_the_connection(frame: str) -> None:
    async def respond(connection: ServerConnection) -> None:
        await connection.send(frame)
        await connection.wait_closed()

    async with serve(respond, HOST, 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        with pytest.raises(Declined, match="another version"):
            async with asyncio.timeout(10), TableConnection(f"http://{HOST}:{port}", "abcdef"):
                pass


@pytest.mark.parametrize("table", ["../parties?", "..", "abc/../../games", "a\\b", ""])
async def test_a_table_code_cannot_reach_another_route(table: str) -> None:
    """A code may come from another person, as in `jamboree play --table`."""
    asked: list[httpx.Request] = []

    def note(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(204)

    async with Client("http://here") as client:
        client._http = httpx.AsyncClient(base_url="http://here", transport=httpx.MockTransport(note))
        entry = Credentials(table, "p1", 0, "token")
        attempts: list[Callable[[], Awaitable[Any]]] = [
            lambda: client.table(table),
            lambda: client.log(table),
            lambda: client.invitation(table),
            lambda: client.join(table, "Eve"),
            lambda: client.leave(entry),
            lambda: client.start(entry),
            lambda: client.ban(entry, "p2"),
        ]
        for attempt in attempts:
            with pytest.raises(JamboreeError, match="part of an address"):
                await attempt()
        with pytest.raises(JamboreeError, match="part of an address"):
            client.connect(entry)
    assert asked == []


async def acted(store: Store, table: str) -> list[Acted]:
    records = [read(stored) for stored in await store.history(table)]
    return [record for record in records if isinstance(record, Acted)]


async def test_two_players_play_to_the_end_and_a_spectator_watches(store: Store) -> None:
    async with online(store) as server, client_of(server) as client:
        entries = await two_entries(client)
        assert (await client.table(entries[0].table)).status == "gathering"
        async with (
            client.connect(entries[0]) as ada,
            client.connect(entries[1]) as bob,
            client.watch(entries[0].table, "en") as eve,
        ):
            await client.start(entries[0])
            await asyncio.wait_for(asyncio.gather(play(ada, First()), play(bob, RandomBot(1)), play(eve, First())), 30)
            assert ada.position and bob.position and eve.position
            assert ada.position.outcome == bob.position.outcome == eve.position.outcome is not None
            assert (ada.you.seat, bob.you.seat, eve.you.seat) == (0, 1, None)
            assert ada.names() == ["Ada", "Bob"]


async def test_a_client_follows_whole_games_and_resyncs_after_a_checksum_mismatch(store: Store) -> None:
    async with online(store, games=all_games()) as server, Client(f"http://{HOST}:{server.port}") as client:
        host = await client.open("bebop", 2, "Ada", options={"hidden_hands": True})
        guest = await client.join(host.table, "Bob")
        async with client.connect(host) as ada, client.connect(guest) as bob:
            await client.start(host)
            await asyncio.wait_for(asyncio.gather(play(ada, RandomBot(3)), play(bob, RandomBot(4))), 60)
            assert ada.position and ada.position.outcome
        assert "jamboree_resyncs_total 0" in await server.metrics()
        host = await client.open("bebop", 2, "Ada", options={"hidden_hands": True})
        guest = await client.join(host.table, "Bob")
        async with client.connect(host) as ada, client.connect(guest) as bob:
            await client.start(host)
            await wait_for_news(ada, lambda: ada.position is not None)
            ada._base = {**ada._base, "question": "something else"}
            await asyncio.wait_for(asyncio.gather(play(ada, RandomBot(3)), play(bob, RandomBot(4))), 60)
            assert ada.position and bob.position and ada.position.outcome == bob.position.outcome is not None
        assert "jamboree_resyncs_total 1" in await server.metrics()


async def wait_for_news(connection: TableConnection, until: Callable[[], bool]) -> None:
    async for _ in connection.news():
        if until():
            return


async def test_games_tables_and_invitations_are_typed(store: Store) -> None:
    async with online(store) as server, client_of(server) as client:
        assert {game.key for game in await client.games()} == set(GAMES)
        host = await client.open("high-card", 2, "Ada")
        assert [card.table for card in await client.tables()] == [host.table]
        assert (await client.invitation(host.table)).endswith(f"/#/t/{host.table}")
        await client.leave(host)
        assert (await client.table(host.table)).status == "closed"


async def test_refusals_have_codes_and_sentences(store: Store) -> None:
    async with online(store) as server, client_of(server) as client:
        entries = await two_entries(client)
        with pytest.raises(Declined, match="Only the host") as refused:
            await client.start(entries[1])
        assert refused.value.code == "host-only"
        await client.start(entries[0])
        async with client.connect(entries[0], "nl") as ada:
            with pytest.raises(Declined, match="nl: You can't lay that now") as refused:
                await ada.act(Lay(9))
            assert refused.value.code == "illegal"
            assert refused.value.detail and refused.value.detail["rule"] == "lay"
            assert (await ada.why_not(Lay(0))).allowed
            assert (await ada.preview(Lay(0))).events
            await ada.act(Lay(0))
            assert not (await ada.why_not(Lay(0))).allowed


async def test_a_rejected_connection_fails_immediately(store: Store) -> None:
    async with online(store) as server, client_of(server) as client:
        host = await client.open("high-card", 2, "Ada")
        with pytest.raises(Declined) as refused:
            async with TableConnection(client.url, host.table, "wrong", None, rules):
                pass
        assert refused.value.code == "wrong-token"
        with pytest.raises(Declined) as refused:
            async with TableConnection(client.url, "nowhere", None, None, rules):
                pass
        assert refused.value.code == "refused"
    with pytest.raises(JamboreeError, match="No server answers"):
        await Client(f"http://{HOST}:1").games()


async def test_a_client_reconnects_without_missing_events(store: Store) -> None:
    async with online(store) as server, proxied(server.port) as proxy, client_of(server) as client:
        entries = await two_entries(client)
        await client.start(entries[0])
        async with (
            seat_through(proxy, entries[0]) as ada,
            client.connect(entries[1]) as bob,
        ):
            received: list[Any] = []

            async def listen() -> None:
                async for news in ada.news():
                    received.append(news)

            listening = asyncio.create_task(listen())
            await ada.act(Lay(0))
            proxy.cut()
            seq = await bob.act(Lay(0))
            while ada.seq != seq:
                await asyncio.sleep(0.01)
            assert proxy.accepted == 2
            missed = [
                step.seq for news in received if news.__class__.__name__ == "Welcome" for step in news.missed or []
            ]
            assert missed == [seq]
            listening.cancel()


async def test_a_move_is_executed_once_even_if_its_ack_is_lost(store: Store) -> None:
    async with online(store) as server, proxied(server.port) as proxy, client_of(server) as client:
        entries = await two_entries(client)
        await client.start(entries[0])
        async with seat_through(proxy, entries[0]) as ada:
            proxy.drops_responses = True
            moving = asyncio.create_task(ada.act(Lay(0)))
            while not await acted(store, entries[0].table):
                await asyncio.sleep(0.01)
            assert not moving.done()
            proxy.drops_responses = False
            proxy.cut()
            assert await asyncio.wait_for(moving, 10) == (await store.load(entries[0].table)).seq
            assert len(await acted(store, entries[0].table)) == 1


async def test_a_chat_line_is_sent_at_most_once(store: Store) -> None:
    async with online(store) as server, proxied(server.port) as proxy, client_of(server) as client:
        entries = await two_entries(client)
        async with (
            client.connect(entries[1]) as bob,
            seat_through(proxy, entries[0]) as ada,
        ):
            proxy.drops_responses = True
            saying = asyncio.create_task(ada.say("Hello!"))
            async for news in bob.news():
                if isinstance(news, Chat):
                    assert news.message.text == "Hello!"
                    break
            proxy.cut()
            with pytest.raises(ConnectionLost):
                await saying
            proxy.drops_responses = False
            await ada.ready()
        table = await server.registry.table(entries[0].table)
        assert len(table.state.talk) == 1


async def test_clients_reconnect_to_a_restarted_server(store: Store) -> None:
    async with proxied(0) as proxy, AsyncExitStack() as at_the_table:
        async with online(store) as server, client_of(server) as client:
            proxy.target = server.port
            entries = await two_entries(client)
            await client.start(entries[0])
            ada = seat_through(proxy, entries[0])
            await at_the_table.enter_async_context(ada)
            first = await ada.act(Lay(0))
        async with online(store) as server, client_of(server) as client, client.connect(entries[1]) as bob:
            proxy.target = server.port
            await bob.act(Lay(0))
            assert await asyncio.wait_for(ada.act(Lay(0)), 20) > first + 1


async def test_a_client_retries_while_the_store_is_unavailable(store: Store) -> None:
    async with online(store) as server, client_of(server) as client:
        entries = await two_entries(client)
        asked, find = itertools.count(1), server.registry.table

        async def table(code: str) -> Table:
            if next(asked) in (1, 3):  # at the handshake, and at hello
                raise Refused("not-saved", "The tables can't be read at the moment.")
            return await find(code)

        server.registry.table = table  # type: ignore[method-assign]
        async with asyncio.timeout(20), client.connect(entries[0]) as ada:
            assert ada.table
        assert next(asked) == 6


async def test_a_client_respects_the_rate_limits(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        now[0] += seconds

    now = [0.0]
    monkeypatch.setattr("jamboree.client.rate_limiter.time.monotonic", lambda: now[0])
    monkeypatch.setattr("jamboree.client.rate_limiter.asyncio.sleep", sleep)
    limiter = rate_limiter.RateLimiter()
    for _ in range(3 * rate_limiter.MAX_MESSAGES):
        await limiter.acquire()
    assert now[0] == pytest.approx(2 * rate_limiter.WINDOW)


async def test_updates_carry_sentences_for_clients_with_a_language(store: Store) -> None:
    async with online(store) as server, client_of(server) as client:
        entries = await two_entries(client)
        await client.start(entries[0])
        async with client.connect(entries[0], "nl") as ada, client.connect(entries[1]) as bob:
            await bob.act(Lay(0))
            async for news in ada.news():
                if isinstance(news, Update):
                    assert len(news.sentences) == len(news.events) == 1
                    break


async def test_the_bot_of_the_documentation_plays_a_whole_game(store: Store) -> None:
    async with online(store, games=all_games()) as server, Client(f"http://{HOST}:{server.port}") as client:
        host = await client.open("bpm", 2, "Ada")
        script = ROOT / "docs" / "examples" / "outside_bot.py"
        command = [str(script), client.url, host.table, "Robbie"]
        bot = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=subprocess.PIPE)
        while len((await client.table(host.table)).people) < 2:
            await asyncio.sleep(0.05)
        await client.start(host)
        async with client.connect(host) as ada:
            await play(ada, RandomBot(3))
        out, _ = await bot.communicate()
        assert bot.returncode == 0
        assert out.decode().startswith("winners: ")


async def test_bots_are_seated_and_the_clock_is_known(store: Store) -> None:
    async with online(store) as server, client_of(server) as client:
        host = await client.open("bebop", 2, "Ada", seconds=30)
        await client.seat_bot(host, 1, "rookie")
        async with client.connect(host) as ada:
            await client.start(host)
            acted = set[int]()
            async for news in ada.news():
                if isinstance(news, Update):
                    acted |= {event["seat"] for event in news.events if "seat" in event}
                if ada.position and ada.position.offers:
                    left = ada.seconds_left()
                    assert left is not None and 25 < left <= 30
                    await ada.act(ada.position.offers[0].action)
                if acted == {0, 1}:
                    break
            assert ada.names()[1] not in ("", "Seat 2")


async def test_every_client_contributes_a_seed_without_delaying_the_start(store: Store) -> None:
    async with online(store) as server, client_of(server) as client:
        entries = await two_entries(client)
        async with client.connect(entries[0]) as ada, client.connect(entries[1]):
            began = asyncio.get_running_loop().time()
            await client.start(entries[0])
            async for _ in ada.news():
                if ada.position:
                    break
            assert asyncio.get_running_loop().time() - began < 4
        seeds = (await server.registry.table(entries[0].table)).state.luck.seeds
        assert [len(seed) for seed in seeds] == [32, 32]
        assert seeds[0] != seeds[1]


async def test_a_finished_game_can_be_replayed_view_by_view(store: Store) -> None:
    async with online(store) as server, client_of(server) as client:
        entries = await two_entries(client)
        with pytest.raises(Declined, match="once it is over"):
            await anext(client.replay(entries[0].table))
        await client.start(entries[0])
        async with client.connect(entries[0]) as ada, client.connect(entries[1]) as bob:
            await asyncio.gather(play(ada, First()), play(bob, First()))
        views = [view async for view in client.replay(entries[0].table)]
        assert len(views) == len(await acted(store, entries[0].table)) + 1
        assert all(isinstance(view, View) for view in views)
        assert views[0].points == [0, 0]
        assert max(views[-1].points) > 0
