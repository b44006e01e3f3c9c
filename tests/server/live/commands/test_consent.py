"""Undo needs explicit consent, also of absent players."""

from typing import Any

import pytest

from jamboree.server.errors import Refused
from jamboree.server.live import scheduler
from jamboree.server.live.clock import Tempo
from jamboree.server.live.commands import undo
from jamboree.server.live.commands.joining import Leave
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.commands.undo import last_move
from jamboree.server.live.registry import Registry
from jamboree.server.live.roster import UndoRequest
from jamboree.server.protocol.terms import Consent
from jamboree.server.store.store import Store

from ...bench.fake_time import FakeTime
from ...bench.local import Client, a_registry, gathered, started
from ...bench.undoing import ASK, asked, one, turn

THOUGHTFUL = Tempo(thinking=(0.5, 0.5), forced=(0.5, 0.5))


async def agrees(client: Client, agree: bool = True) -> str:
    return str((await client.send(type="answer-undo", id="a", agrees=agree))["type"])


async def back(client: Client) -> Client:
    """Reconnect an absent player."""
    again = Client(client.session.registry, client.session.code, client.token)
    await again.hello()
    return again


async def test_an_absent_player_has_not_agreed(store: Store) -> None:
    """A phone that sleeps is no consent, neither to a move of the asker nor to one of its owner."""
    async with a_registry(store) as registry:
        mover, (here, away) = await asked(registry)
        absent = away.session.person
        await away.session.end()
        position = mover.position
        assert (await mover.send(**ASK))["type"] == "ack"
        assert await agrees(here) == "ack"
        assert mover.position == position, "one has agreed, and one is away"
        wish = mover.table["undo_asked"]
        assert {*wish["needed"]} - {*wish["agreed"]} == {absent}
        assert [each["person"] for each in mover.table["people"] if not each["connected"]] == [absent]


async def asked_with_somebody_away(registry: Registry) -> tuple[Client, Client, Client]:
    """Disconnect a player who is not to move, so that no bot plays for them."""
    mover, others = await asked(registry)
    next_up = turn(others)
    away = next(client for client in others if client is not next_up)
    await away.session.end()
    assert (await mover.send(**ASK))["type"] == "ack"
    assert await agrees(next_up) == "ack"
    return mover, next_up, away


async def test_a_request_waits_for_absent_players(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, now=now) as registry:
        mover, _, away = await asked_with_somebody_away(registry)
        await now.goes_by(registry, scheduler.UNDO_PATIENCE + 1)
        assert mover.table["undo_asked"], "it waits for those who are away"
        again = await back(away)
        assert again.table["undo_asked"]["person"] == mover.session.person
        await now.goes_by(registry, scheduler.UNDO_PATIENCE - 1)
        assert await agrees(again) == "ack"
        assert mover.table["undo_asked"] is None
        assert mover.legal()


async def test_a_request_expires_after_a_silent_player_returned(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, now=now) as registry:
        mover, _, away = await asked_with_somebody_away(registry)
        await now.goes_by(registry, 200.0)
        await back(away)
        position = mover.position
        await now.goes_by(registry, scheduler.UNDO_PATIENCE + 1)
        assert mover.table["undo_asked"] is None
        assert mover.position["view"] == position["view"]


async def test_a_request_survives_a_restart(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, agreed, away = await asked_with_somebody_away(registry)
        code = mover.session.code
    async with a_registry(store) as registry:
        again = [Client(registry, code, client.token) for client in (mover, agreed, away)]
        for client in again:
            await client.hello()
        assert again[0].table["undo_asked"]["agreed"] == [agreed.session.person]
        assert await agrees(again[2]) == "ack"
        assert again[0].table["undo_asked"] is None
        assert again[0].legal()


async def test_an_agreed_undo_is_carried_out_after_a_kill(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last vote is stored before the undo; a server that dies in between completes it after the restart."""
    async with a_registry(store) as registry:
        mover, others = await asked(registry)
        code = mover.session.code
        await mover.send(**ASK)
        await agrees(others[0])

        def dies(*_: Any) -> None:
            raise Refused("not-saved", "The server was killed.")

        monkeypatch.setattr(undo.CarryOutUndo, "decide", dies)
        await agrees(others[1])
        assert mover.legal() == []
    monkeypatch.undo()
    async with a_registry(store) as registry:
        again = Client(registry, code, mover.token)
        await again.hello()
        assert again.table["undo_asked"] is None
        assert again.legal()


async def test_a_request_can_be_withdrawn(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, others = await asked(registry)
        assert (await mover.send(type="withdraw-undo", id="w"))["code"] == "not-asked"
        await mover.send(**ASK)
        assert (await others[0].send(type="withdraw-undo", id="w"))["code"] == "not-asked"
        assert (await mover.send(type="withdraw-undo", id="w"))["type"] == "ack"
        assert others[0].table["undo_asked"] is None
        assert (await others[0].send(type="answer-undo", id="a", agrees=True))["code"] == "not-asked"


async def test_a_player_who_left_does_not_vote(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, others = await asked(registry)
        await mover.send(**ASK)
        await agrees(others[0])
        assert others[1].session.person
        await registry.tables[mover.session.code].ask(Leave(), others[1].session.person)
        assert mover.table["undo_asked"] is None
        assert mover.legal()


async def test_leaving_withdraws_the_request(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, others = await asked(registry)
        await mover.send(**ASK)
        assert mover.session.person
        await registry.tables[mover.session.code].ask(Leave(), mover.session.person)
        assert others[0].table["undo_asked"] is None


async def majority(registry: Registry, seats: int = 4) -> tuple[Client, list[Client]]:
    """Ask at a table where the host chose that a majority decides."""
    code, tickets = await gathered(registry, "bebop", seats)
    await registry.arrange(code, tickets[0].person, {"consent": Consent.MAJORITY})
    await registry.tables[code].ask(Start(), tickets[0].person)
    clients = [Client(registry, code, ticket.token) for ticket in tickets]
    for client in clients:
        await client.hello()
    mover = turn(clients)
    await mover.act(one(mover, "ClaimSeat"), "claim")
    await mover.act(one(mover, "KeepDice"), "keep")
    await turn(clients).act(one(turn(clients), "ClaimSeat"), "answer")
    return mover, [client for client in clients if client is not mover]


async def test_the_host_can_choose_majority_consent(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, (bob, cleo, dirk) = await majority(registry)
        assert mover.table["consent"] == "majority"
        await dirk.session.end()
        await mover.send(**ASK)
        await agrees(bob)
        assert mover.legal() == [], "one of three is no majority"
        await agrees(cleo)
        assert mover.legal()


async def test_an_absent_player_counts_as_a_refusal_in_a_majority(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, now=now) as registry:
        mover, (bob, cleo, dirk) = await majority(registry)
        for client in (cleo, dirk):
            await client.session.end()
        course = registry.tables[mover.session.code].state.course[:]
        await mover.send(**ASK)
        await agrees(bob)
        assert mover.table["undo_asked"]
        await now.goes_by(registry, scheduler.UNDO_PATIENCE + 1)
        assert mover.table["undo_asked"] is None
        assert registry.tables[mover.session.code].state.course[: len(course)] == course, "nothing was taken back"


VERDICTS = [
    # agreed, refused, all, everybody, majority
    (0, 0, 1, None, None),
    (1, 0, 1, True, True),
    (0, 1, 1, False, False),
    (1, 0, 2, None, None),
    (1, 1, 2, False, False),
    (2, 0, 3, None, True),
    (1, 1, 3, False, None),
    (2, 1, 3, False, True),
    (0, 2, 3, False, False),
    (2, 0, 4, None, None),
    (0, 2, 4, False, False),
    (0, 0, 0, True, True),
]


@pytest.mark.parametrize(("agreed", "refused", "count", "everybody", "most"), VERDICTS)
def test_verdicts_of_votes(agreed: int, refused: int, count: int, everybody: bool | None, most: bool | None) -> None:
    voters = [f"p{at}" for at in range(count)]
    wish = UndoRequest("me", "x", voters[:agreed], voters[agreed : agreed + refused])
    assert wish.verdict(voters, Consent.EVERYBODY) is everybody
    assert wish.verdict(voters, Consent.MAJORITY) is most


async def test_bots_wait_for_votes_with_a_time_limit(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, now=now, tempo=THOUGHTFUL) as registry:
        clients = await started(registry, "bebop", 3, bots={2: "rookie"})
        await now.goes_by(registry, 1.0)
        asking = await until_the_bot_is_up(now, registry, clients)
        course = len(registry.tables[asking.session.code].state.course)
        other = next(client for client in clients if client is not asking)
        assert asking.table["undo_asked"]
        await other.session.end()
        await now.goes_by(registry, scheduler.UNDO_PATIENCE - 2)
        assert len(registry.tables[asking.session.code].state.course) == course, "the bot waits"
        for _ in range(3):
            await now.goes_by(registry, 1.0)
        assert len(registry.tables[asking.session.code].state.course) > course, "and then goes on"
        assert asking.table["undo_asked"] is None, "which ends the question"


async def test_bots_wait_once_per_move_for_repeated_requests(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, now=now, tempo=THOUGHTFUL) as registry:
        clients = await started(registry, "bebop", 3, bots={2: "rookie"})
        await now.goes_by(registry, 1.0)
        asking = await until_the_bot_is_up(now, registry, clients)
        course = len(registry.tables[asking.session.code].state.course)
        for name in ("once more", "and again"):
            assert (await asking.send(type="withdraw-undo", id="w"))["type"] == "ack"
            assert (await asking.send(type="undo", id=name))["type"] == "ack"
        for _ in range(3):
            await now.goes_by(registry, 1.0)
        assert len(registry.tables[asking.session.code].state.course) > course, "the bot has moved"


async def test_a_refused_request_is_remembered_after_a_restart(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, others = await asked(registry)
        await mover.send(**ASK)
        assert await agrees(others[0], False) == "ack"
        code = mover.session.code
    async with a_registry(store) as registry:
        again = Client(registry, code, mover.token)
        await again.hello()
        assert (await again.send(**ASK | {"id": "again"}))["code"] == "undo-refused"


async def test_a_refused_request_can_be_repeated_only_after_a_new_move(store: Store) -> None:
    async with a_registry(store) as registry:
        mover, others = await asked(registry)
        await mover.send(**ASK)
        assert await agrees(others[0], False) == "ack"
        assert (await mover.send(**ASK | {"id": "again"}))["code"] == "undo-refused"
        assert mover.table["undo_asked"] is None
        await until_another_move(registry, mover, [mover, *others])
        assert (await mover.send(**ASK | {"id": "another"}))["type"] == "ack"


async def until_another_move(registry: Registry, mover: Client, clients: list[Client]) -> None:
    """Play until another move that requires consent to undo."""
    state = registry.tables[mover.session.code].state
    seat = state.roster.people[str(mover.session.person)].seat
    before = last_move(state, seat)[0].seq
    for number in range(200):
        if (mover.undo or {}).get("rule") == "consent" and last_move(state, seat)[0].seq > before:
            return
        await turn(clients).act(turn(clients).legal()[0], f"on {number}")
    raise AssertionError("there never was another move")


async def until_the_bot_is_up(now: FakeTime, registry: Registry, clients: list[Client]) -> Client:
    """Play until it is the bot's turn and a person has a move that others have answered; that person asks."""
    table = registry.tables[clients[0].session.code]
    for _ in range(200):
        client = next((each for each in clients if each.legal()), None)
        if client:
            await client.act(client.legal()[0], f"{client.seq}")
        asking = next((each for each in clients if (each.undo or {}).get("rule") == "consent"), None)
        if asking and table.state.pending.keys() == {2}:
            assert (await asking.send(type="undo", id="bot"))["type"] == "ack"
            return asking
        await now.goes_by(registry, 1.0)
    raise AssertionError("the bot never came up")
