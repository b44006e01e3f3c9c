"""No bot plays for a connected player: the others wait, nudge or vote, as the host chose."""

from typing import Any

import pytest

from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.protocol.terms import HouseRules, Idle, Wait
from jamboree.server.store.store import Store

from ..bench.fake_time import FakeTime
from ..bench.local import EVERY, QUICK, Client, a_registry, started
from .test_takeover import asked, clock, person, stood_in

PATIENCE = QUICK.patience


def nudges(client: Client) -> list[str]:
    return [message["person"] for message in client.received if message["type"] == "nudge"]


async def about(client: Client, kind: str, who: Client, **more: Any) -> dict[str, Any]:
    return await client.send(type=kind, id=f"{kind} {len(client.received)}", person=who.session.person, **more)


async def test_no_bot_moves_for_a_connected_player_without_a_clock(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        idle, other = asked(await started(registry, "bebop", 2))
        for _ in range(20):
            await now.goes_by(registry, 300.0)
        assert await stood_in(store, other) == []
        assert person(other, idle)["inactive"]
        assert clock(other) is None


async def test_bots_wait_for_the_only_person_without_asking(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        (ada,) = await started(registry, "bebop", 2, bots={1: "regular"})
        while not ada.legal():
            await now.goes_by(registry, 1.0)
        seq = ada.seq
        await now.goes_by(registry, 24 * 3600.0)
        assert (ada.seq, person(ada, ada)["inactive"]) == (seq, False)


async def test_any_activity_resets_the_idle_time(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        idle, other = asked(await started(registry, "bebop", 2))
        for number in range(5):
            await now.goes_by(registry, PATIENCE - 1)
            assert (await idle.send(type="activity", id=f"{number}"))["type"] == "ack"
        assert not person(other, idle)["inactive"]
        await now.goes_by(registry, PATIENCE + 1)
        assert person(other, idle)["inactive"]
        assert person(idle, idle)["inactive"], "they are asked whether they are there"
        await idle.send(type="activity", id="again")
        assert not person(other, idle)["inactive"]


async def test_idle_players_are_not_reported_while_a_clock_runs(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        idle, other = asked(await started(registry, "bebop", 2, seconds=3600))
        await now.goes_by(registry, 2 * PATIENCE)
        assert not person(other, idle)["inactive"]


async def test_a_vote_lets_a_bot_play_until_the_player_is_active(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await started(registry, "bebop", 4)
        idle = next(client for client in clients if client.legal())
        others = [client for client in clients if client is not idle]
        assert (await about(others[0], "vote", idle))["code"] == "no-vote"
        await now.goes_by(registry, PATIENCE + 1)
        for voter in others:  # they are awake
            await voter.send(type="activity", id="here")
        assert (await about(others[0], "vote", idle))["type"] == "ack"
        assert person(others[1], idle)["votes"] == [others[0].session.person]
        assert await stood_in(store, idle) == [], "one of three is not enough"
        assert (await about(others[1], "vote", idle))["type"] == "ack"
        await now.goes_by(registry, 0.0)
        moves = await stood_in(store, idle)
        assert moves
        assert set(moves) == {True}
        assert person(others[2], idle)["bot_plays"]
        await idle.send(type="activity", id="back")
        assert not person(others[2], idle)["bot_plays"]


async def test_a_vote_can_be_withdrawn_and_ends_with_activity(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await started(registry, "bebop", 4)
        idle = next(client for client in clients if client.legal())
        first, second, third = (client for client in clients if client is not idle)
        await now.goes_by(registry, PATIENCE + 1)
        await about(first, "vote", idle)
        await about(first, "vote", idle, bot=False)
        await about(second, "vote", idle)
        assert person(third, idle)["votes"] == [second.session.person]
        await idle.send(type="activity", id="here")
        assert person(third, idle)["votes"] == []
        assert await stood_in(store, idle) == []


async def test_an_absent_player_can_be_voted_on_before_the_wait_ends(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        away, there = asked(await started(registry, "bebop", 2, house_rules=HouseRules(wait=None)))
        await away.session.end()
        await now.goes_by(registry, 24 * 3600.0)
        assert await stood_in(store, there) == [], "this table waits for ever"
        assert (clock(there), person(there, away)["bot_in"]) == (None, None)
        gone = away.session.person
        await there.send(type="vote", id="bot", person=gone)
        await now.goes_by(registry, 0.0)
        assert set(await stood_in(store, there)) == {True}


@pytest.mark.parametrize(("idle", "may"), [(Idle.WAIT, []), (Idle.NUDGE, ["nudge"]), (Idle.VOTE, ["nudge", "vote"])])
async def test_the_host_chooses_what_others_may_do_about_idle_players(store: Store, idle: Idle, may: list[str]) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        quiet, other = asked(await started(registry, "bebop", 2, house_rules=HouseRules(idle=idle)))
        await now.goes_by(registry, PATIENCE + 1)
        for kind in ("nudge", "vote"):
            answer = await about(other, kind, quiet)
            assert answer["type"] == "ack" if kind in may else answer["code"] == "not-allowed"


async def test_a_nudge_reaches_one_player_and_is_rate_limited(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await started(registry, "bebop", 3)
        idle, other = asked(clients)
        assert (await about(other, "nudge", idle))["type"] == "ack"
        assert (await about(other, "nudge", idle))["code"] == "no-nudge"
        await now.goes_by(registry, QUICK.nudge + 1)
        assert (await about(other, "nudge", idle))["type"] == "ack"
        assert nudges(idle) == [other.session.person] * 2
        assert [nudges(client) for client in clients if client is not idle] == [[], []]
        assert (await about(idle, "nudge", other))["code"] == "no-nudge", "nobody waits for them"


@pytest.mark.parametrize("wait", [30, 120, 600])
async def test_the_host_chooses_how_long_a_table_waits(store: Store, wait: Wait) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        away, there = asked(await started(registry, "bebop", 2, house_rules=HouseRules(wait=wait)))
        await away.session.end()
        assert person(there, away)["bot_in"] == wait
        await now.goes_by(registry, (wait or 0) - 0.1)
        assert await stood_in(store, there) == []
        await now.goes_by(registry, 0.2)
        assert set(await stood_in(store, there)) == {True}


async def test_untimed_tables_wait_longer(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        for game, seats, options, seconds, wait in (
            ("bebop", 2, {}, None, 120),
            ("bebop", 2, {}, 60, 30),
            ("boogie", 3, {"pace": "standard"}, None, 30),
            ("boogie", 3, {"pace": "untimed"}, None, 120),
        ):
            code, _ = await registry.open(
                OpenTable(game=game, seats=seats, options=options, name="Ada", listed=False, seconds=seconds)
            )
            assert (await registry.table(code)).state.roster.house_rules.wait == wait


async def test_the_hosts_choice_survives_a_restart(store: Store) -> None:
    async with a_registry(store) as registry:
        code, ticket = await registry.open(OpenTable(game="high-card", seats=2, name="Ada", listed=False))
        await registry.arrange(code, ticket.person, {"house_rules": HouseRules(wait=None, idle=Idle.WAIT)})
    async with a_registry(store) as registry:
        assert (await registry.table(code)).state.roster.house_rules == HouseRules(wait=None, idle=Idle.WAIT)
