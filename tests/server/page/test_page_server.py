"""Tables without a server: whole games, requests, shared devices, and what a page refuses."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jamboree.server.live.clock import Tempo
from jamboree.server.page.disk import Disk, DiskFailed, Guard, MemoryDisk
from jamboree.server.page.server import PageServer

from .client import PageClient, ask, opened

AT_ONCE = Tempo(thinking=(0.0, 0.0), forced=(0.0, 0.0), by_the_clock=False)
ROOT = Path(__file__).parents[3]


def test_all_games_are_played_without_threads_processes_and_packages() -> None:
    played = subprocess.run(
        [sys.executable, "-m", "tests.server.page.play_alone"], cwd=ROOT, capture_output=True, timeout=300, check=True
    )
    results = json.loads(played.stdout)
    assert results.keys() == {"bebop", "bpm", "boogie"}
    for game, result in results.items():
        assert result["steps"] > result["moves"] > 15, game
        assert result["bots"] == ["rookie", "regular"], "levels that search are not offered where nothing can search"


class WatchedDisk(MemoryDisk):
    """Remembers what was on disk after every transaction."""

    def __init__(self) -> None:
        super().__init__()
        self.states: list[dict[str, bytes]] = []

    async def write(self, rows: Any, guard: Guard | None = None) -> None:
        await super().write(rows, guard)
        self.states.append(dict(self.rows))


@pytest.mark.parametrize(("game", "seats"), [("bebop", 2), ("bpm", 2), ("boogie", 3)])
async def test_a_page_that_is_closed_at_any_moment_loses_nothing_acknowledged(game: str, seats: int) -> None:
    disk = WatchedDisk()
    acknowledged: list[tuple[int, int]] = []  # transactions so far, and the record acknowledged after them
    async with PageServer(disk, AT_ONCE) as server:
        client = await PageClient(server, await opened(server, game, seats)).open()

        def hear(frame: bytes | None, hear: Any = client.hear) -> None:
            known = set(client.answers)
            hear(frame)
            for name in client.answers.keys() - known:
                acknowledged.append((len(disk.states), client.answers[name].get("seq") or 0))

        server._connections[client.number]._post = hear
        await client.play_on(random.Random(3), most=12)
    assert len(acknowledged) >= 12
    for transactions, seq in acknowledged:
        again = MemoryDisk()
        again.rows = dict(disk.states[transactions - 1])
        async with PageServer(again, AT_ONCE) as server:
            table = await server.registry.table(client.code)
            assert table.state.number(0, table.state.seq) >= seq


class FullDisk(MemoryDisk):
    is_full = False

    async def write(self, rows: Any, guard: Guard | None = None) -> None:
        if self.is_full:
            raise DiskFailed("QuotaExceededError")
        await super().write(rows, guard)


async def test_a_move_that_cannot_be_kept_is_not_played() -> None:
    disk = FullDisk()
    async with PageServer(disk, AT_ONCE) as server:
        client = await PageClient(server, await opened(server, "bpm", 2)).open()
        await client.until(lambda: client.legal)
        before, disk.is_full = len(disk.rows), True
        answer = await client.ask("act", action=client.legal[0])
        assert (answer["type"], answer["code"]) == ("error", "not-saved")
        assert await ask(server, "POST", f"tables/{client.code}/leave") in ("not-saved", "table-stopped")
        disk.is_full = False
        await client.until(lambda: client.legal)
        assert len(disk.rows) == before
        while (await client.ask("act", action=client.legal[0]))["type"] != "ack":
            await client.until(lambda: client.legal)


async def test_a_second_page_at_the_same_table_acknowledges_nothing_that_is_lost() -> None:
    disk = MemoryDisk()
    async with PageServer(disk, AT_ONCE) as first:
        code = await opened(first, "bebop", 2)
        mine = await PageClient(first, code).open()
        await mine.play_on(random.Random(1), most=2)
        async with PageServer(disk, AT_ONCE) as second:
            other = await PageClient(second, code).open()
            await mine.until(lambda: mine.legal)
            assert (await mine.ask("act", action=mine.legal[0]))["type"] == "ack"
            await other.until(lambda: other.legal)
            answer = await other.ask("act", action=other.legal[0])
            assert (answer["type"], answer["code"]) == ("error", "not-saved")
            await other.until(lambda: other.legal)
            while (await other.ask("act", action=other.legal[0]))["type"] != "ack":
                await other.until(lambda: other.legal)


async def test_a_game_goes_on_after_the_page_was_closed() -> None:
    disk = MemoryDisk()
    async with PageServer(disk, AT_ONCE) as server:
        code = await opened(server, "boogie", 3)
        await (await PageClient(server, code).open()).play_on(random.Random(5), most=20)
    async with PageServer(disk, AT_ONCE) as server:
        assert (await ask(server, "GET", f"tables/{code}"))["you"]["seat"] == 0
        client = await PageClient(server, code).open()
        await client.play_on(random.Random(5))
        journal = await ask(server, "GET", f"tables/{code}/journal")
        watched = await ask(server, "POST", "journals/watch", journal)
        assert len(watched["views"]) == len(await ask(server, "GET", f"tables/{code}/replay"))
        assert len(await ask(server, "GET", f"tables/{code}/log")) > 50
        assert (await ask(server, "GET", f"tables/{code}/fairness"))["secret"]


async def test_several_people_share_a_page() -> None:
    async with PageServer(MemoryDisk(), AT_ONCE) as server:
        body = {"game": "bpm", "seats": 2, "name": "Ann"}
        code = (await ask(server, "POST", "tables", body))["table"]
        bob = await ask(server, "POST", f"tables/{code}/join", {"name": "Bob", "seat": 1, "beside": True})
        assert (await ask(server, "GET", f"tables/{code}"))["device"] == ["p1", bob["person"]]
        as_bob = await server.request("POST", f"tables/{code}/name", {}, bob["person"], b'{"name": "Bobby"}')
        assert as_bob.ok
        nobody = await server.request("POST", f"tables/{code}/name", {}, "nobody", b'{"name": "Eve"}')
        assert json.loads(nobody.body)["code"] == "no-token"
        names = [each["name"] for each in (await ask(server, "GET", f"tables/{code}"))["people"]]
        assert names == ["Ann", "Bobby"]


async def test_what_needs_other_people_says_so() -> None:
    async with PageServer(MemoryDisk(), AT_ONCE) as server:
        code = await opened(server, "bebop", 2)
        assert await ask(server, "POST", "parties", {"game": "bebop"}) == "needs-server"
        assert await ask(server, "GET", f"tables/{code}/invite") == "needs-server"
        assert await ask(server, "POST", f"tables/{code}/links") == "needs-server"
        assert await ask(server, "GET", "tables/lnothere") == "unknown-table"
        assert await ask(server, "POST", "tables", {"game": "chess", "seats": 2, "name": "Ann"}) == "unknown-game"
        assert await ask(server, "POST", "tables", {"seats": "many"}) == "malformed"


async def test_a_person_is_erased() -> None:
    disk = MemoryDisk()
    async with PageServer(disk, AT_ONCE) as server:
        code = await opened(server, "bebop", 2, name="Annabel")
        client = await PageClient(server, code).open()
        await client.ask("say", text="Annabel was here")
        await client.play_on(random.Random(1), most=3)
        assert await ask(server, "POST", f"tables/{code}/forget-me") is None
        assert not any(b"Annabel" in row for row in disk.rows.values())


async def test_lessons_hints_and_rules_work() -> None:
    async with PageServer(MemoryDisk(), AT_ONCE) as server:
        for card in await ask(server, "GET", "games"):
            key = card["key"]
            assert (await ask(server, "GET", f"games/{key}/rules", language="nl"))["markdown"]
            assert (await ask(server, "GET", f"games/{key}/lessons"))["lessons"]
            lesson = await ask(server, "POST", f"games/{key}/lessons", {"name": "Ann"})
            assert (await PageClient(server, lesson["table"], 7).open()).position
            await server.hang_up(7)
        client = await PageClient(server, await opened(server, "bebop", 2)).open()
        await client.until(lambda: client.legal)
        hint = await client.ask("hint")
        assert hint["type"] == "hint" and hint["moves"]


async def test_a_closed_connection_is_reported() -> None:
    async with PageServer(MemoryDisk(), AT_ONCE) as server:
        heard: list[bytes | None] = []
        await server.connect(1, "lnotthere", heard.append)
        assert heard == [None]


def test_a_disk_is_an_interface() -> None:
    with pytest.raises(TypeError):
        Disk()  # type: ignore[abstract]


async def test_reviews_need_a_server() -> None:
    async with PageServer(MemoryDisk(), AT_ONCE) as server:
        client = await PageClient(server, await opened(server, "bpm", 2)).open()
        await client.play_on(random.Random(1))
        assert await ask(server, "POST", f"tables/{client.code}/analysis", {}) == "needs-server"
        assert (await ask(server, "GET", f"tables/{client.code}/analysis"))["state"] == "none"


async def test_messages_are_submitted_in_the_order_of_their_arrival() -> None:
    """Those that arrive after hello was answered wait for those that arrived before."""
    async with PageServer(MemoryDisk(), AT_ONCE) as server:
        client = PageClient(server, await opened(server, "bebop", 2))
        await server.connect(1, client.code, client.hear)
        server.receive(1, json.dumps({"type": "hello", "language": "en"}))
        for number in range(8):
            client.send("say", text=f"line {number}")
        await client.until(lambda: len(client.answers) > 0)
        client.send("say", text="line 8")
        await client.until(lambda: len(client.answers) == 9)
        talk = (await server.registry.table(client.code)).state.talk
        said = [json.loads(line)["text"] for line in talk.last(len(talk))]
        assert [text for text in said if text.startswith("line")] == [f"line {number}" for number in range(9)]
