"""Uploaded journals: valid ones are replayed, others are refused in a sentence."""

import asyncio
import random
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jamboree.core.journal import Journal, read, steps, write
from jamboree.server import offload as offloads
from jamboree.server.protocol.delta import apply_delta
from jamboree.server.service import journals
from jamboree.server.service.journals import MAX_JOURNAL
from jamboree.server.store.store import Store

from ..bench.local import Client, play_on
from ..bench.online import Answer, Online, online
from .test_bad_input import FOREIGN, everything

WATCH = "/api/v1/journals/watch"


async def finished(server: Online, game: str = "high-card") -> str:
    places = await server.seated(game, 2)
    clients = [Client(server.registry, place["table"], place["token"]) for place in places]
    for client in clients:
        await client.hello()
    await play_on(clients, random.Random(3))
    return str(places[0]["table"])


async def written(server: Online, code: str) -> bytes:
    return write(msgspec.convert((await server.get(f"/api/v1/tables/{code}/journal")).body, Journal)).encode()


async def sent(server: Online, body: bytes, query: str = "", **headers: str) -> Answer:
    return await server.post(f"{WATCH}{query}", body, **headers)


def forged(journal: bytes, change: Any) -> bytes:
    """Change a journal, and seal it again as if nothing had happened."""
    document = msgspec.json.decode(journal)
    change(document)
    again = msgspec.convert(document, Journal)
    again.seal = again.expected_seal()
    return write(again).encode()


def unrolled(changes: list[Any]) -> list[Any]:
    views = changes[:1]
    for change in changes[1:]:
        views.append(apply_delta(views[-1], change))
    return views


async def test_a_tables_journal_is_watched_like_its_replay(store: Store, tmp_path: Path) -> None:
    async with online(store, seed=4) as server:
        code = await finished(server)
        journal, path, before = (
            await written(server, code),
            f"/api/v1/tables/{code}",
            everything(tmp_path / "tables.db"),
        )
        for seat in ("", "?seat=0", "?seat=1"):
            answer = (await sent(server, journal, seat)).body
            assert unrolled(answer["views"]) == (await server.get(f"{path}/replay{seat}")).body
            assert (answer["game"], answer["seats"], answer["paintings"]) == ("high-card", 2, [])
            assert answer["names"] == read(journal).header.names
            assert answer["outcome"]["scores"]
        log = [step["sentences"] for step in (await server.get(f"{path}/log?seat=1")).body]
        assert [step["sentences"] for step in answer["log"]] == log
        painted = (await sent(server, journal, "?painted=true&language=nl")).body["paintings"]
        assert painted == (await server.get(f"{path}/paintings?language=nl")).body
        assert everything(tmp_path / "tables.db") == before, "nothing of it is kept"


async def test_an_unfinished_game_is_watched_to_its_last_step(store: Store) -> None:
    async with online(store, seed=4) as server:
        journal = read(await written(server, await finished(server)))
        game = server.registry.games["high-card"]
        short = msgspec.structs.replace(journal, entries=journal.entries[:2], about=None)
        states = [step.state.clone() for step in steps(short, game)]
        short.close(states[-1])
        answer = (await sent(server, write(short).encode())).body
        assert (len(answer["views"]), len(answer["log"]), answer["outcome"]) == (3, 2, None)


async def test_names_are_cleaned_as_at_a_table(store: Store) -> None:
    async with online(store, seed=4) as server:
        journal = await written(server, await finished(server))
        odd = forged(journal, lambda it: it["header"].update(names=["\u202eAda" + "!" * 900, "\u200b"]))
        assert (await sent(server, odd)).body["names"] == ["Ada" + "!" * 17, "2"]


def more_steps(it: Any) -> None:
    it["entries"] = [{"actor": 0, "action": {}, "picks": []}] * (journals.MAX_STEPS + 1)


def taken_back_for_ever(it: Any) -> None:
    it["entries"] = [{"actor": 0, "action": {}, "picks": [], "undo": 0}] * (journals.MAX_UNDOS + 1)


FORGED: dict[str, tuple[str, str, Any]] = {
    "another action": (
        "unsound-journal",
        "This journal is not sound at step 1",
        lambda it: it["entries"][0].update(action={"type": "Lay", "slot": 9}),
    ),
    "no action of the game": (
        "unsound-journal",
        "This journal is not sound at step 1",
        lambda it: it["entries"][0].update(action={"type": "Castle"}),
    ),
    "nobody's action": ("unsound-journal", "not sound", lambda it: it["entries"][0].update(actor=77)),
    "the clock's": ("unsound-journal", "not sound", lambda it: it["entries"][0].update(actor="clock")),
    "other luck": ("unsound-journal", "set-up is not sound", lambda it: it["setup"].clear()),
    "more luck": ("unsound-journal", "not sound", lambda it: it["setup"].append(it["setup"][0])),
    "a step less": ("unsound-journal", "another position", lambda it: it["entries"].pop()),
    "another result": (
        "unsound-journal",
        "ended in another way",
        lambda it: it["about"]["result"].update(scores=[99, 0], winners=[0]),
    ),
    "taken back to nowhere": (
        "unsound-journal",
        "takes back what can't be taken back",
        lambda it: it["entries"].append({"actor": 0, "action": {}, "picks": [], "undo": 1 << 60}),
    ),
    "more steps than a game": ("unsound-journal", "more steps", more_steps),
    "taken back for ever": ("unsound-journal", "more steps", taken_back_for_ever),
    "another game": ("unknown-game", "There is no such game", lambda it: it["header"].update(game="chess")),
    "other rules": ("other-rules", "does not have", lambda it: it["header"].update(rules=99)),
    "too many seats": ("unsound-journal", "names 2 players for 99 seats", lambda it: it["header"].update(seats=99)),
    "no seats at all": ("unsound-journal", "", lambda it: it["header"].update(seats=-1, names=[])),
    "illegal options": ("unsound-journal", "set-up", lambda it: it["header"].update(options={"timed": 7})),
    "large options": ("bad-options", "at most", lambda it: it["header"].update(options={"x": "y" * 70_000})),
}


async def test_a_forged_journal_is_refused(store: Store) -> None:
    async with online(store, seed=4) as server:
        journal = await written(server, await finished(server))
        for case, (code, words, change) in FORGED.items():
            answer = await sent(server, forged(journal, change))
            assert (answer.status, answer.body["code"]) == (422, code), (case, answer)
            assert words in answer.body["sentence"], case


async def test_a_file_that_is_not_a_journal_is_refused(store: Store) -> None:
    async with online(store, seed=4) as server:
        journal = await written(server, await finished(server))
        changed = journal.replace(b'"Ada"', b'"Eve"')
        for body, code in {
            b"": "no-journal",
            b"{": "no-journal",
            b"\xff\xfe": "no-journal",
            b"[" * 100_000: "no-journal",
            b"{}": "no-journal",
            journal[:-40]: "no-journal",
            journal.replace(b'"version":1', b'"version":2'): "no-journal",
            changed: "changed-journal",
        }.items():
            answer = await sent(server, body)
            assert (answer.status, answer.body["code"]) == (422, code), answer
            assert answer.body["sentence"].startswith("This ")
        assert changed != journal


async def test_an_oversized_file_is_refused_unread(store: Store) -> None:
    async with online(store, seed=4) as server:
        answer = await sent(server, b" " * (MAX_JOURNAL + 1))
        assert (answer.status, answer.body["code"]) == (413, "too-big")
        fits = await sent(server, (await written(server, await finished(server))).ljust(MAX_JOURNAL))
        assert fits.status == 200, "as large as one may be"


async def test_a_foreign_origin_is_refused(store: Store) -> None:
    async with online(store, seed=4) as server:
        answer = await sent(server, b"{}", origin=FOREIGN)
        assert (answer.status, answer.body["code"]) == (403, "foreign-origin")


async def test_unknown_seats_are_refused(store: Store) -> None:
    async with online(store, seed=4) as server:
        journal = await written(server, await finished(server))
        for seat in (2, -1):
            assert (await sent(server, journal, f"?seat={seat}")).body["code"] == "no-seat"


async def test_an_endless_replay_is_stopped(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journals, "MAX_SECONDS", 0.0)
    async with online(store, seed=4) as server:
        answer = await sent(server, await written(server, await finished(server)))
        assert (answer.body["code"], answer.body["sentence"]) == (
            "unsound-journal",
            "It takes too long to replay this journal.",
        )


@pytest.mark.parametrize("game", ["high-card", "bebop"])
async def test_malformed_values_do_not_crash_the_server(store: Store, game: str) -> None:
    rng = random.Random(18)
    async with online(store, seed=4) as server:
        journal = await written(server, await finished(server, game))
        for _ in range(40):
            broken = forged(journal, lambda it: spoil(it, rng))
            answer = await sent(server, broken)
            assert answer.status in (200, 422), answer


def spoil(document: Any, rng: random.Random) -> None:
    """Put something else in the place of a value of one entry."""
    entry = rng.choice(document["entries"])
    odd: Any = rng.choice([-1, 0, 7, 1 << 40, "", "x", "a1", None, [], {}, True])
    if rng.random() < 0.3 and entry["picks"]:
        rng.choice(entry["picks"]).update(value=str(odd))
    elif entry["action"]:
        entry["action"][rng.choice(list(entry["action"]))] = odd
    else:
        entry["actor"] = rng.choice([0, 1, 2, 9])


async def test_a_slow_journal_does_not_delay_new_tables(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async with online(store, seed=4) as server:
        journal, go_on, watch = (
            await written(server, await finished(server)),
            threading.Event(),
            journals._watched,
        )

        def dawdle(*about: Any) -> bytes:
            assert go_on.wait(60)
            return watch(*about)

        monkeypatch.setattr(offloads, "SLOW_AFTER", 0.05)
        monkeypatch.setattr(journals, "_watched", dawdle)
        watching = asyncio.create_task(sent(server, journal))
        async with asyncio.timeout(60):
            while not server.registry.offload._slow:
                await asyncio.sleep(0.01)
        opened = await server.post("/api/v1/tables", {"game": "high-card", "seats": 2, "name": "Ada"})
        go_on.set()
        assert (opened.status, (await watching).status) == (201, 200)
