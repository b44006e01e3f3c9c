"""Lessons at a private table: the real rules, stored like any table."""

import asyncio
from typing import Any

import pytest

from jamboree.core.learning import COURSES, CourseKind, course_of
from jamboree.server.errors import Refused
from jamboree.server.live.records import Acted, read
from jamboree.server.live.recovery import recover
from jamboree.server.live.registry import Registry
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store.store import Store

from ...bench.local import EVERY, Client, a_registry
from ...bench.online import online
from ...http.test_http import bearer

OURS = ("bebop", "bpm", "boogie")
PATIENCE = 400  # looks at a table that waits for the others


async def learner(registry: Registry, game: str, lesson: int = 0, course: CourseKind = "basics") -> Client:
    code, ticket = await registry.learn(game, "Ada", lesson, course)
    client = Client(registry, code, ticket.token, "en")
    await client.hello()
    return client


async def settled(client: Client) -> dict[str, Any]:
    """Wait until the others have done their part."""
    for _ in range(PATIENCE):
        if client.table["lesson"]["stage"] != "watching":
            break
        await asyncio.sleep(0.05)
    seen: dict[str, Any] = client.table["lesson"]
    return seen


async def shown_then_made(client: Client, registry: Registry) -> None:
    """Have the move shown, take it back, and make it oneself."""
    at = client.table["lesson"]
    assert (await client.send(type="show-move", id=f"show {client.seq}"))["type"] == "ack"
    assert client.table["lesson"]["stage"] == "shown"
    made = read((await registry.store.history(client.session.code))[-1])
    assert isinstance(made, Acted)
    assert (await client.send(type="retry", id=f"retry {client.seq}"))["type"] == "ack"
    assert client.table["lesson"] == {**at, "stage": "asking"}
    answer = await client.act(made.action, f"act {client.seq}")
    assert answer["type"] == "ack", answer


@pytest.mark.parametrize("kind", COURSES)
@pytest.mark.parametrize("game", OURS)
async def test_a_whole_course_is_played_by_the_real_rules(store: Store, game: str, kind: CourseKind) -> None:
    course = course_of(EVERY[game], kind)
    assert course
    async with a_registry(store, EVERY) as registry:
        client = await learner(registry, game, course=kind)
        assert client.table["lesson"]["course"] == kind
        for number in range(len(course.lessons)):
            if number:
                await client.send(type="lesson", id=f"next {number}", lesson=number)
            assert (client.table["lesson"]["lesson"], client.table["lesson"]["stage"]) == (number, "asking")
            while (await settled(client))["stage"] != "right":
                await shown_then_made(client, registry)
        assert client.table["lesson"]["done"] == [*range(len(course.lessons))]
        assert client.table["status"] == "playing"
        again = await recover(store, client.session.code, registry.games, registry.offload)
        assert again.snapshot() == registry.tables[client.session.code].state.snapshot()


async def test_a_wrong_move_stays_until_it_is_undone(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        client = await learner(registry, "bebop", 3)
        before = client.position
        await client.act({"type": "BookSeat", "die": 0, "hex": "b7"}, "wrong")
        assert client.table["lesson"] == {
            "lesson": 3,
            "step": 0,
            "stage": "wrong",
            "say": "alone",
            "done": [],
            "course": "basics",
        }
        assert any(event["type"] == "SeatBooked" for event in client.events)
        refused = await client.act({"type": "TakeFromQueue", "place": 0}, "on")
        assert (refused["type"], refused["code"]) == ("error", "in-lesson")
        await client.send(type="retry", id="back")
        assert (client.position, client.table["lesson"]["stage"]) == (before, "asking")
        await client.send(type="retry", id="back again")
        assert client.table["lesson"]["stage"] == "asking"


async def test_an_illegal_move_is_explained_by_the_rules(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        client = await learner(registry, "bebop", 0)
        refused = await client.act({"type": "ClaimSeat", "tile": "basic", "hex": "e5"}, "no")
        assert refused["type"] == "error" and "VIP" in refused["sentence"]
        assert client.table["lesson"]["stage"] == "asking"


async def test_a_lesson_continues_after_a_restart(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        client = await learner(registry, "bpm", 4)
        await client.act({"type": "SwapDancers", "cell": "b3", "other": "c3"}, "move")
        assert client.table["lesson"]["step"] == 1
        await client.act({"type": "FinishSong"}, "wrong")
        code, token = client.session.code, client.token
    async with a_registry(store, EVERY) as registry:
        back = Client(registry, code, token, "en")
        await back.hello()
        assert (back.table["lesson"]["step"], back.table["lesson"]["stage"]) == (1, "wrong")
        await back.send(type="retry", id="back")
        assert (await back.act({"type": "PlaceToken", "cell": "c3"}, "place"))["type"] == "ack"
        assert back.table["lesson"]["stage"] == "right"


async def test_a_restart_during_the_moves_of_others_is_harmless(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        client = await learner(registry, "bebop", 1)
        await client.act({"type": "RerollDie", "die": 0}, "roll")
        assert client.table["lesson"]["stage"] == "watching"
        code, token = client.session.code, client.token
    async with a_registry(store, EVERY) as registry:
        back = Client(registry, code, token, "en")
        await back.hello()
        assert (await settled(back))["stage"] == "right"


async def test_a_snapshot_contains_the_lesson(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        client = await learner(registry, "bebop", 10)
        for number in range(20):
            await client.act({"type": "BookSeat", "die": 1, "hex": "b5"}, f"wrong {number}")
            await client.send(type="retry", id=f"back {number}")
        code, token, before = client.session.code, client.token, client.position
        assert (await store.load(code)).snapshot
    async with a_registry(store, EVERY) as registry:
        back = Client(registry, code, token, "en")
        await back.hello()
        assert (back.position, back.table["lesson"]["lesson"]) == (before, 10)


async def test_lessons_have_no_clocks_and_no_searching_bots(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        client = await learner(registry, "boogie", 4)
        scheduler = registry.tables[client.session.code].scheduler
        assert client.received[0]["clock"] is None and not scheduler.running
        assert client.undo is None
        await client.send(type="undo", id="undo")
        assert client.received[-1]["code"] == "no-undo"


async def test_a_lesson_is_private(store: Store) -> None:
    async with online(store, games=EVERY) as server:
        opened = await server.post("/api/v1/games/boogie/lessons", {"name": "Ada"})
        assert opened.status == 201
        code = opened.body["table"]
        assert (await server.get("/api/v1/tables?status=playing")).body == []
        assert (await server.get(f"/api/v1/tables/{code}")).status == 403
        assert (await server.post(f"/api/v1/tables/{code}/join", {"name": "Eve"})).status == 403
        assert (await server.get(f"/api/v1/tables/{code}/journal")).status == 409
        mine = await server.get(f"/api/v1/tables/{code}", authorization=bearer(opened.body))
        assert mine.body["lesson"]["stage"] == "asking"
        hidden = str(mine.body)
        assert "position" not in hidden and "hand" not in hidden


async def test_the_coachs_texts_are_sent_in_every_language(store: Store) -> None:
    async with online(store, games=EVERY) as server:
        english = (await server.get("/api/v1/games/bebop/lessons")).body
        dutch = (await server.get("/api/v1/games/bebop/lessons?language=nl")).body
        assert (english["coach"], dutch["coach"]) == ("Opal, box office", "Opal, van de kassa")
        assert len(english["lessons"]) == len(dutch["lessons"]) == 12
        assert "picks" not in str(english) and "seat 2" not in str(english)
        none = await server.get("/api/v1/games/high-card/lessons")
        assert (none.status, none.body["code"]) == (409, "no-lesson")
        late = await server.post("/api/v1/games/bebop/lessons", {"name": "Ada", "lesson": 99})
        assert late.body["code"] == "no-lesson"


async def test_a_game_without_lessons_has_none(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        with pytest.raises(Refused, match="no lessons"):
            await registry.learn("high-card", "Ada", 0)
        code, ticket = await registry.open(
            OpenTable(game="bebop", seats=2, name="Ada", listed=False, bots={1: "rookie"})
        )
        client = Client(registry, code, ticket.token)
        await client.hello()
        assert client.table["lesson"] is None
        for kind, more in (("lesson", {"lesson": 0}), ("retry", {}), ("show-move", {})):
            assert (await client.send(type=kind, id=kind, **more))["code"] == "no-lesson"


async def test_a_table_for_lessons_cannot_be_opened_to_others(store: Store) -> None:
    async with online(store, games=EVERY) as server:
        ticket = (await server.post("/api/v1/games/boogie/lessons", {"name": "Ada"})).body
        table = f"/api/v1/tables/{ticket['table']}"
        for wish in ({"locked": False}, {"spectators": "everybody"}, {"latecomers": True}):
            answer = await server.post(f"{table}/access", wish, authorization=bearer(ticket))
            assert (answer.status, answer.body["code"]) == (409, "in-lesson")
        assert (await server.post(f"{table}/join", {"name": "Eve"})).body["code"] == "locked"


@pytest.mark.parametrize("game", OURS)
async def test_the_log_of_a_lesson_begins_with_its_position(store: Store, game: str) -> None:
    """It contains no demonstrated or mistaken moves, and nothing of the previous lesson."""
    async with online(store, games=EVERY) as server:
        ticket = (await server.post(f"/api/v1/games/{game}/lessons", {"name": "Ada"})).body
        client = Client(server.registry, ticket["table"], ticket["token"], "en")
        await client.hello()

        async def log() -> list[int]:
            answer = await server.get(f"/api/v1/tables/{ticket['table']}/log", authorization=bearer(ticket))
            return [step["actor"] for step in answer.body if step["sentences"]]

        await client.send(type="show-move", id="show")
        assert (await log()).count(0) == 1, "it lies there"
        await client.send(type="retry", id="retry")
        assert await log() == []
        await shown_then_made(client, server.registry)
        assert (await log()).count(0) == 1, "made once"
        await client.send(type="lesson", id="next", lesson=1)
        assert await log() == []
