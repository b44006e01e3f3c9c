"""The host changes a table's settings before its game."""

import random
from typing import Any

import pytest

from jamboree.core.journal import check
from jamboree.server.errors import Refused
from jamboree.server.live.commands.joining import Join, TakeSeat
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.registry import Registry
from jamboree.server.live.replay import journal_of
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store.store import Store

from ...bench.local import GAMES, Client, a_registry, gathered, play_on, started
from ...bench.online import online


async def a_table(registry: Registry, **more: Any) -> tuple[str, str]:
    code, host = await registry.open(OpenTable(game="bebop", seats=4, name="Ada", **more))
    return code, host.person


async def test_unnamed_settings_are_unchanged(store: Store) -> None:
    async with a_registry(store) as registry:
        code, host = await a_table(registry, seconds=30)
        await registry.arrange(code, host, {"options": {"star": True}})
        roster = (await registry.table(code)).state.roster
        assert (roster.seats, roster.options["star"], roster.seconds, roster.listed) == (4, True, 30, True)
        await registry.arrange(code, host, {"seconds": None, "seats": 3})
        assert (roster.seats, roster.options["star"], roster.seconds) == (3, True, None)


async def test_a_change_that_happens_during_the_trial_of_options_is_not_undone(store: Store) -> None:
    """The right to begin follows a player who moves while the new options are tried."""
    async with a_registry(store) as registry:
        code, host = await a_table(registry)
        table = await registry.table(code)
        await registry.arrange(code, host, {"first": 0})
        tried = registry.offload.set_up

        async def moved_meanwhile(*work: Any) -> Any:
            await table.ask(TakeSeat(2, host), host)
            return await tried(*work)

        registry.offload.set_up = moved_meanwhile  # type: ignore[method-assign,assignment]
        await registry.arrange(code, host, {"options": {"star": True}})
        roster = table.state.roster
        assert (roster.people[host].seat, roster.first, roster.options["star"]) == (2, 2, True)


async def test_fewer_seats_remove_bots_and_move_people_up(store: Store) -> None:
    async with a_registry(store) as registry:
        code, host = await a_table(registry, bots={3: "regular"})
        table = await registry.table(code)
        guest = await table.ask(Join("Bob", 2))
        await registry.arrange(code, host, {"seats": 2})
        assert not table.state.roster.bots
        assert table.state.roster.people[guest.person].seat == 1


async def test_more_people_than_seats_are_refused_without_effect(store: Store) -> None:
    async with a_registry(store) as registry:
        code, tickets = await gathered(registry, "bebop", 3)
        table = await registry.table(code)
        before = table.state.seq
        with pytest.raises(Refused, match="More people"):
            await registry.arrange(code, tickets[0].person, {"seats": 2})
        assert table.state.seq == before


async def test_only_the_host_arranges_and_only_before_the_game(store: Store) -> None:
    async with a_registry(store) as registry:
        code, tickets = await gathered(registry, "bebop", 2)
        with pytest.raises(Refused, match="host"):
            await registry.arrange(code, tickets[1].person, {"listed": False})
        await (await registry.table(code)).ask(Start(), tickets[0].person)
        with pytest.raises(Refused, match="before its game"):
            await registry.arrange(code, tickets[0].person, {"listed": False})


async def test_a_game_is_played_and_stored_with_its_settings(store: Store) -> None:
    async with a_registry(store) as registry:
        code, tickets = await gathered(registry, "bebop", 2)
        await registry.arrange(code, tickets[0].person, {"options": {"hidden_hands": True}})
        table = await registry.table(code)
        await table.ask(Start(), tickets[0].person)
        client = Client(registry, code, tickets[0].token)
        await client.hello()
        assert client.position["view"]["hidden_hands"]
    async with a_registry(store) as registry:
        assert (await registry.table(code)).state.outdated is None
    journal = journal_of(await store.history(code))
    assert journal.header.options["hidden_hands"]
    assert not check(journal, GAMES["bebop"])


async def test_a_forked_game_keeps_its_setup(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry)
        await play_on(clients, random.Random(1))
        code = await registry.fork(clients[0].session.code, "p1", 1)
        with pytest.raises(Refused, match="keeps its seats"):
            await registry.arrange(code, "p1", {"seats": 3})
        await registry.arrange(code, "p1", {"listed": False})


async def test_invalid_options_are_refused_over_http(store: Store) -> None:
    async with online(store) as server:
        host = (await server.seated("bebop", 2, start=False))[0]
        path, token = f"/api/v1/tables/{host['table']}/setup", {"authorization": f"Bearer {host['token']}"}
        refused = await server.post(path, {"options": {"board": "no board at all"}}, **token)
        assert (refused.status, refused.body["code"]) == (422, "bad-options")
        assert (await server.post(path, {"seconds": 3}, **token)).status == 400
        assert (await server.post(path, {"seats": 3, "seconds": 60}, **token)).status == 204
        seen = (await server.get(f"/api/v1/tables/{host['table']}")).body
        assert (seen["seats"], seen["seconds"]) == (3, 60)
