"""Undo: at once, by consent, or never."""

import asyncio
import random
from typing import Any

import pytest

from jamboree.core.journal import check, read, write
from jamboree.server.live import scheduler
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.persistence import SNAPSHOT_EVERY
from jamboree.server.live.replay import journal_of
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store import Unavailable
from jamboree.server.store.store import Store

from ...bench.local import GAMES, Client, a_registry, play_on, started
from ...bench.undoing import ASK, asked, claimed, one, taken_back, turn, until


async def test_an_unanswered_move_is_undone_at_once(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 3)
        mover = turn(clients)
        before = [client.position for client in clients]
        assert mover.undo is None, "there is nothing to take back yet"
        await mover.act(one(mover, "ClaimSeat"), "claim")
        assert mover.undo == {"rule": "free", "steps": 1}
        assert {client.undo for client in clients if client is not mover} == {None}
        answer = await mover.send(**ASK)
        assert answer == {"type": "ack", "id": "back", "seq": mover.seq}
        assert [client.position for client in clients] == before
        assert {client.received[-1]["type"] for client in clients if client is not mover} == {"welcome"}
        assert mover.undo is None


async def test_all_actions_of_a_move_are_undone_together(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 3)
        start, mover = clients[0].position, turn(clients)
        await mover.act({**one(mover, "ClaimSeat"), "tile": "double"}, "double")
        await mover.act(one(mover, "ClaimSeat"), "claim")
        await mover.act(one(mover, "KeepDice"), "keep")
        assert mover.undo == {"rule": "free", "steps": 3}
        assert (await mover.send(**ASK))["type"] == "ack"
        assert clients[0].position == start
        assert mover.undo is None
        assert (await mover.send(type="undo", id="once more"))["code"] == "no-undo"


async def test_actions_after_a_revelation_are_undone_without_it(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 2)
        mover = await until(clients, "TakeFromQueue")
        booked = mover.position
        await mover.act(one(mover, "TakeFromQueue"), "take")
        assert mover.undo == {"rule": "consent", "steps": 1}, "the booking showed a die of a hidden hand"
        await taken_back(mover, clients, "back")
        assert mover.position == booked


async def test_a_repeated_request_is_idempotent_and_keeps_undone_moves_acknowledged(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, _ = await claimed(registry)
        action = mover.received[-1]["id"]
        first = await mover.send(**ASK)
        seq = mover.seq
        assert await mover.send(**ASK) == first
        again = await mover.act(one(mover, "ClaimSeat"), action)
        assert again["type"] == "ack"
        assert again["seq"] < seq, "the move was made, and then taken back"
        assert mover.seq == seq


async def test_after_moves_of_others_all_of_them_must_agree(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, others = await asked(registry)
        position = registry.tables[mover.session.code].state.course[-2]
        assert (await mover.send(**ASK))["type"] == "ack"
        names = sorted(str(client.session.person) for client in others)
        wish = {"person": mover.session.person, "agreed": [], "refused": [], "needed": names}
        assert others[0].table["undo_asked"] == wish
        assert (await mover.send(type="answer-undo", id="a", agrees=True))["code"] == "not-asked"
        assert (await others[0].send(type="answer-undo", id="a", agrees=True))["type"] == "ack"
        assert mover.table["undo_asked"]["agreed"] == [others[0].session.person]
        assert (await others[0].send(type="answer-undo", id="b", agrees=True))["type"] == "ack", (
            "agreeing twice is agreeing"
        )
        assert mover.legal() == []
        await others[1].send(type="answer-undo", id="a", agrees=True)
        assert mover.table["undo_asked"] is None
        assert mover.legal()
        state = registry.tables[mover.session.code].state
        assert position not in state.course
        assert (await others[1].send(type="answer-undo", id="b", agrees=True))["code"] == "not-asked"


async def test_one_refusal_ends_the_request(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, others = await asked(registry)
        await mover.send(**ASK)
        assert (await others[0].send(**ASK))["code"] in ("undo-asked", "no-undo")
        position = mover.position
        await others[0].send(type="answer-undo", id="a", agrees=False)
        assert mover.table["undo_asked"] is None
        against = others[0].session.person
        assert mover.table["undo_failed"] == {"person": mover.session.person, "reason": "refused", "refused": [against]}
        assert mover.position == position
        assert (await others[1].send(type="answer-undo", id="a", agrees=True))["code"] == "not-asked"


async def test_a_withdrawn_request_is_shown_until_the_next_request_or_move(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, others = await asked(registry)
        await mover.send(**ASK)
        await mover.send(type="withdraw-undo", id="w")
        assert others[0].table["undo_failed"] == {"person": mover.session.person, "reason": "withdrawn", "refused": []}
        await mover.send(type="undo", id="again")
        assert others[0].table["undo_failed"] is None
        await mover.send(type="withdraw-undo", id="w2")
        await turn(others).act(random.Random(1).choice(turn(others).legal()), "on")
        assert (await registry.tables[mover.session.code].inspect()).undo_failed is None


async def test_a_new_move_ends_the_request(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, others = await asked(registry)
        await mover.send(**ASK)
        await turn(others).act(random.Random(1).choice(turn(others).legal()), "on")
        assert mover.table["undo_asked"] is None
        assert (await others[1].send(type="answer-undo", id="a", agrees=True))["code"] == "not-asked"


async def test_an_unanswered_request_expires(store: Store) -> None:
    ahead = [0.0]
    async with a_registry(store, now=lambda: ahead[0]) as registry:
        mover, others = await asked(registry)
        await mover.send(**ASK)
        table = registry.tables[mover.session.code]
        ahead[0] = scheduler.UNDO_PATIENCE - 1
        assert (await table.inspect()).undo_asked
        ahead[0] = scheduler.UNDO_PATIENCE + 1
        assert (await table.inspect()).undo_asked is None
        assert others[0].table["undo_asked"] is None
        assert others[0].table["undo_failed"]["reason"] == "late"


async def test_an_open_pick_requires_consent_and_the_next_pick_is_new(store: Store) -> None:
    async with a_registry(store, seed=5) as registry:
        clients = await started(registry, "bebop", 3)
        mover = await until(clients, "BookSeat")
        booking, drawn = one(mover, "BookSeat"), []
        for number in range(4):
            await mover.act(booking, f"book {number}")
            assert mover.undo == {"rule": "free", "steps": 1}
            foreseen = await mover.send(type="preview", id="p", action={"type": "DrawFromBag"})
            assert foreseen["undo"] == "consent"
            await mover.act({"type": "DrawFromBag"}, f"draw {number}")
            assert mover.undo == {"rule": "consent", "steps": 2}
            drawn.append(mover.received[-2]["events"][0]["die"])
            await taken_back(mover, clients, f"back {number}")
        assert [die for die in drawn if die != drawn[0]], "the bag has not been seen into"


async def test_spectators_cannot_undo(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, _ = await claimed(registry)
        subscriber = Client(registry, mover.session.code)
        await subscriber.hello()
        assert subscriber.undo is None
        assert (await subscriber.send(**ASK))["code"] == "players-only"
        assert (await subscriber.send(type="answer-undo", id="a", agrees=True))["code"] == "not-asked"


async def test_a_reconnecting_player_does_not_receive_undone_steps(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 3)
        away = Client(registry, clients[0].session.code)
        await away.hello()
        seen = away.seq
        await away.session.end()
        mover = turn(clients)
        await mover.act(one(mover, "ClaimSeat"), "claim")
        await mover.send(**ASK)
        back = Client(registry, clients[0].session.code)
        assert (await back.hello(seen))["missed"] is None
        assert back.position["view"] == away.position["view"]


async def test_a_finished_game_cannot_be_undone(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry)
        await play_on(clients, random.Random(1))
        assert {client.undo for client in clients} == {None}
        assert (await clients[0].send(**ASK))["code"] == "no-undo"


async def played_with_undos(registry: Any, seed: int, most: int = 10_000) -> list[Client]:
    """Play Bebop to the end, and take back whatever can be now and then."""
    clients, rng = await started(registry, "bebop", 3), random.Random(seed)
    for number in range(most):
        able = [client for client in clients if client.legal()]
        if not able:
            break
        client = rng.choice(able)
        assert (await client.act(rng.choice(client.legal()), f"{number}"))["type"] == "ack"
        client = rng.choice(clients)
        if rng.random() < 0.1 and client.undo and client.undo["rule"] != "never":
            await client.send(type="undo", id=f"back {number}")
            for other in clients:
                if other.table["undo_asked"] and other is not client:
                    await other.send(type="answer-undo", id=f"agree {number}", agrees=True)
    return clients


@pytest.mark.parametrize("seed", range(2))
async def test_a_journal_with_undone_steps_replays_to_the_same_end(store: Store, seed: int) -> None:
    async with a_registry(store) as registry:
        clients = await played_with_undos(registry, seed)
        code = clients[0].session.code
        end = registry.tables[code].state.hash
        await registry.tables[code].inspect()  # comes after the replay
    journal = journal_of(await store.history(code))
    assert journal.state == end
    assert sum(entry.undo is not None for entry in journal.entries) > 3
    assert check(read(write(journal).encode()), GAMES["bebop"])
    replay = await store.replay(code)
    assert replay


@pytest.mark.parametrize("moves", [SNAPSHOT_EVERY - 6, SNAPSHOT_EVERY + 2, 2 * SNAPSHOT_EVERY + 5])
async def test_undo_state_survives_a_restart(store: Store, moves: int) -> None:
    async with a_registry(store) as registry:
        clients = await played_with_undos(registry, 2, moves)
        before = [(client.seq, client.position, client.undo) for client in clients]
        code, tokens = clients[0].session.code, [client.token for client in clients]
        course = registry.tables[code].state.course
    async with a_registry(store) as registry:
        again = [Client(registry, code, token) for token in tokens]
        for client in again:
            await client.hello()
        assert [(client.seq, client.position, client.undo) for client in again] == before
        assert registry.tables[code].state.course == course
        assert (await play_on(again, random.Random(3))) > 10


async def test_a_move_before_a_snapshot_can_be_undone(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 3)
        code, rng = clients[0].session.code, random.Random(4)
        table = registry.tables[code]
        mover = begun = None
        while table.state.seq < SNAPSHOT_EVERY or turn(clients) is mover:  # the snapshot lies within a move
            client = turn(clients)
            if client.position["view"]["phase"] == "turn":
                mover, begun = client, client.position
            await client.act(rng.choice(client.legal()), f"{table.state.seq}")
        assert mover
        assert (await store.load(code)).snapshot
    async with a_registry(store) as registry:
        back = [Client(registry, code, client.token) for client in clients]
        for client in back:
            await client.hello()
        again = back[clients.index(mover)]
        await taken_back(again, back, "back")
        assert again.position == begun
    async with a_registry(store) as registry:
        after = Client(registry, code, mover.token)
        await after.hello()
        assert after.position == begun


async def test_an_unstored_undo_has_no_effect(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_registry(store) as registry:
        mover, _ = await claimed(registry)
        position = mover.position

        async def fail(*_: Any) -> None:
            raise Unavailable("the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(store, "append", fail)
            assert (await mover.send(**ASK))["code"] == "not-saved"
        with monkeypatch.context() as patch:
            patch.setattr(store, "history", fail)
            assert (await mover.send(**ASK))["code"] == "not-saved"
        assert mover.position == position
        assert (await mover.send(**ASK))["type"] == "ack"


async def test_bots_do_not_vote(store: Store) -> None:
    async with a_registry(store) as registry:
        code, ada = await registry.open(OpenTable(game="bebop", seats=3, name="Ada", bots={1: "rookie", 2: "rookie"}))
        table = await registry.table(code)
        await table.ask(Start(), ada.person)
        alone = Client(registry, code, ada.token)
        await alone.hello()
        async with asyncio.timeout(20):
            while not alone.undo or alone.undo["steps"] < 3:
                if alone.legal():
                    await alone.act(alone.legal()[0], f"{alone.seq}")
                await asyncio.sleep(0)
        await until_it_is_the_turn_of(alone)
        assert alone.undo["rule"] == "consent"
        steps, actions = alone.undo["steps"], len(table.state.course)
        assert (await alone.send(**ASK))["type"] == "ack"
        assert alone.table["undo_asked"] is None
        assert len(table.state.course) == actions - steps
        assert alone.legal(), "it is their turn as it was before"


async def until_it_is_the_turn_of(client: Client) -> None:
    async with asyncio.timeout(20):
        while not client.legal():
            await asyncio.sleep(0)
