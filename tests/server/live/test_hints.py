"""Hints at a live table: permission, privacy, and records."""

import asyncio
from typing import Any

import msgspec

from jamboree.coach import AdviceText
from jamboree.server.live.bots.pool import BotFailed
from jamboree.server.live.bots.worker import Question
from jamboree.server.live.registry import Registry
from jamboree.server.protocol.terms import HouseRules
from jamboree.server.store.store import Store
from tests.server.bench.fake_time import FakeTime, until
from tests.server.bench.local import EVERY, Client, Thinking, a_registry, started


async def alone(registry: Registry, game: str) -> Client:
    """Seat one person with a bot, and wait for their turn."""
    (ada,) = await started(registry, game, 2, bots={1: "regular"})
    await until(lambda: bool(ada.legal()))
    return ada


class Overheard(Thinking):
    """Records the hint requests."""

    def __init__(self) -> None:
        super().__init__(EVERY)
        self.questions: list[Question] = []

    async def advise(self, question: Question) -> AdviceText:
        self.questions.append(question)
        return await super().advise(question)


async def test_a_hint_has_three_moves_with_reasons(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        ada = await alone(registry, "bebop")
        hinted = await ada.send(type="hint", id="h")
        assert (hinted["type"], hinted["id"]) == ("hint", "h")
        moves = hinted["moves"]
        assert 1 <= len(moves) <= 3
        assert all(move["title"] and move["reason"] for move in moves)
        assert (await ada.send(type="act", id="a", action=moves[0]["action"]))["type"] == "ack"


async def test_the_first_hint_marks_the_game_as_practice(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        ada = await alone(registry, "bebop")
        guest = Client(registry, ada.session.code)
        await guest.hello()
        assert guest.table["practice"] is False
        await ada.send(type="hint", id="h")
        assert ada.table["practice"] is guest.table["practice"] is True
        assert "hint" not in {frame["type"] for frame in guest.received}, "only the asker gets the answer"
        table = registry.tables[ada.session.code]
        await table.enqueue(table.persistence.reload)
        assert registry.tables[ada.session.code].state.roster.practice, "it is kept"


async def test_hints_require_the_hosts_permission_among_people(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        ada, bob = await started(registry, "bebop", 2)
        codes = [(await each.send(type="hint", id="h"))["code"] for each in (ada, bob)]
        assert codes == ["no-hints", "no-hints"]
        assert not ada.table["practice"]
    async with a_registry(store, EVERY) as registry:
        clients = await started(registry, "bebop", 2, house_rules=HouseRules(hints=True))
        assert all(each.table["house_rules"]["hints"] for each in clients), "everybody sees it"
        answers = [(await each.send(type="hint", id="h"))["type"] for each in clients]
        assert sorted(answers) == ["error", "hint"], "the one whose turn it is has a hint"


async def test_the_hint_request_contains_the_seats_view_only(store: Store) -> None:
    thinker = Overheard()
    async with a_registry(store, EVERY, thinker=thinker) as registry:
        ada = await alone(registry, "bpm")
        shown = ada.position["view"]  # afterwards the bot may have sealed its choice
        await ada.send(type="hint", id="h")
        (question,) = thinker.questions
        asked = msgspec.json.decode(msgspec.json.encode(question))
        assert asked["view"]["viewer"] == ada.table["people"][0]["seat"]
        assert asked["view"] == shown
        assert set(asked["hint"]) == {"names", "avatars", "language"}


async def test_hints_are_rate_limited(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        (ada,) = await started(registry, "bpm", 2, bots={1: "regular"})
        assert (await ada.send(type="hint", id="1"))["type"] == "hint"
        assert (await ada.send(type="hint", id="2"))["code"] == "too-fast"
        now.value += 2.0
        assert (await ada.send(type="hint", id="3"))["type"] == "hint"


async def test_a_pending_hint_does_not_block_the_table(store: Store) -> None:
    class Slow(Overheard):
        go = asyncio.Event()

        async def advise(self, question: Question) -> AdviceText:
            await self.go.wait()
            raise BotFailed("it took too long")

    slow = Slow()
    async with a_registry(store, EVERY, thinker=slow) as registry:
        ada = await alone(registry, "bebop")
        taken = ada.session.submit(b'{"type": "hint", "id": "h"}')
        await registry.tables[ada.session.code].inspect()  # it answers others meanwhile
        slow.go.set()
        await ada.session.answer(taken)
        last: Any = ada.received[-1]
        assert (last["type"], last["code"]) == ("error", "no-advice")


async def test_spectators_get_no_hint(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        ada = await alone(registry, "bebop")
        guest = Client(registry, ada.session.code)
        await guest.hello()
        assert (await guest.send(type="hint", id="h"))["code"] == "players-only"
