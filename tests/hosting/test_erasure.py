"""Erasure at awkward moments, and of people who are only mentioned."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.server.store import Conflict, ErasePerson
from jamboree.server.store.store import Store
from tests.server.bench.online import Answer, Online, Player, online

from .test_privacy import LATER, NAME, TABLES, lived_in, the_talk, traces


def bearer(ticket: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {ticket['token']}"}


async def asked(server: Online, ticket: dict[str, Any], what: str, body: Any = None) -> Answer:
    return await server.post(f"{TABLES}/{ticket['table']}/{what}", body, **bearer(ticket))


async def gathered(server: Online, *names: str, game: str = "high-card", seats: int = 2) -> list[dict[str, Any]]:
    host = (await server.post(TABLES, {"game": game, "seats": seats, "name": names[0]})).body
    joins = [await server.post(f"{TABLES}/{host['table']}/join", {"name": name}) for name in names[1:]]
    return [host, *(joined.body for joined in joins)]


async def played(server: Online, tickets: list[dict[str, Any]], *chat: str) -> None:
    """Have the first of some people say things, and all of them play to the end."""
    code = tickets[0]["table"]
    async with server.socket(code) as one, server.socket(code) as two:
        players = [Player(one), Player(two)]
        for player, ticket in zip(players, tickets, strict=True):
            await player.hello(ticket["token"])
        for number, text in enumerate(chat):
            await players[0].send(type="say", id=f"line {number}", text=text)
        number = 0
        while acting := next((player for player in players if player.legal()), None):
            seq = (await acting.act(acting.legal()[0], str(number)))["seq"]
            number += 1
            for player in players:
                while player.seq < seq:
                    await player.take()


async def followed_by_a_rematch(server: Online) -> tuple[dict[str, Any], str]:
    """Ban a person before a game and mention them in its rematch; return both tables."""
    ada, her, bob = await gathered(server, "Ada", NAME, "Bob", seats=3)
    assert (await asked(server, ada, "ban", {"person": her["person"]})).status == 204
    assert (await asked(server, ada, "setup", {"seats": 2})).status == 204
    await asked(server, ada, "start")
    await played(server, [ada, bob], f"{NAME} would have liked this", "What a fine day")
    again = (await asked(server, ada, "rematch")).body["table"]
    return her, again


async def test_rematches_without_the_person_do_not_name_them(store: Store, tmp_path: Path) -> None:
    async with online(store) as server:
        her, again = await followed_by_a_rematch(server)
        assert len(await the_talk(server.registry, again)) == 2, "what was said was taken along"
        assert (await asked(server, her, "forget-me")).status == 204, "who was banned can still ask for it"
        assert await the_talk(server.registry, again) == ["What a fine day"]
        assert [ban.name for ban in server.registry.tables[again].state.roster.bans.values()] == ["Guest"]
        await server.registry.sweep()
        assert traces(tmp_path) == []


async def test_operators_find_people_who_are_only_mentioned(store: Store, tmp_path: Path) -> None:
    async with online(store) as server:
        await followed_by_a_rematch(server)
    store.close()
    done = CliRunner().invoke(app, ["forget", NAME, "--db", str(tmp_path / "tables.db"), "--yes"])
    assert done.exit_code == 0, done.output
    assert traces(tmp_path) == []


@pytest.mark.parametrize("how", ["leave", "remove", "ban"])
async def test_people_who_left_can_request_erasure(store: Store, tmp_path: Path, how: str) -> None:
    async with online(store) as server:
        ada, her = await gathered(server, "Ada", NAME, seats=3)
        who, body = (her, None) if how == "leave" else (ada, {"person": her["person"]})
        assert (await asked(server, who, how, body)).status == 204
        assert (await asked(server, her, "forget-me")).status == 204
        await server.registry.sweep()
        assert traces(tmp_path) == []


async def test_a_removed_browser_can_request_erasure_from_the_own_origin_only(store: Store, tmp_path: Path) -> None:
    async with online(store) as server:
        (ada,) = await gathered(server, "Ada")
        page = {"origin": f"http://127.0.0.1:{server.port}"}
        joined = await server.post(f"{TABLES}/{ada['table']}/join", {"name": NAME, "keep": "cookie"}, **page)
        cookie = {"cookie": joined.headers["set-cookie"].partition(";")[0]}
        await asked(server, ada, "ban", {"person": joined.body["person"]})
        path = f"{TABLES}/{ada['table']}/forget-me"
        for origin in ({}, {"origin": "http://elsewhere.example"}):
            assert (await server.post(path, **cookie, **origin)).body["code"] == "foreign-origin"
        assert (await server.post(path, **page)).body["code"] == "no-token"
        assert (await server.post(path, **cookie, **page)).status == 204
        await server.registry.sweep()
        assert traces(tmp_path) == []


async def test_a_signed_out_device_cannot_erase_its_person(store: Store) -> None:
    async with online(store) as server:
        ada, her = await gathered(server, "Ada", NAME)
        link = (await asked(server, her, "links")).body["link"].rpartition("/")[2]
        phone = (await server.post(f"{TABLES}/{her['table']}/links/redeem", {"link": link})).body
        assert (await asked(server, phone, "sign-out")).status == 204
        assert (await asked(server, her, "forget-me")).body["code"] == "wrong-token"
        assert NAME in str((await server.get(f"{TABLES}/{ada['table']}")).body)


async def test_the_same_name_of_another_person_is_not_erased(store: Store) -> None:
    async with online(store) as server:
        ada, her = await gathered(server, "Ada", "Anna")
        await asked(server, her, "name", {"name": NAME})
        await asked(server, ada, "name", {"name": "Guest 2"})
        await asked(server, ada, "name", {"name": "Anna"})
        assert (await asked(server, her, "forget-me")).status == 204
        assert [card["host"] for card in (await server.get(TABLES)).body] == ["Anna"]
        shown = (await server.get(f"{TABLES}/{ada['table']}")).body
        assert [person["name"] for person in shown["people"]] == ["Anna", "Guest 2 2"]


async def test_the_result_of_a_game_does_not_name_a_person_who_shares_an_earlier_name(store: Store) -> None:
    async with online(store) as server:
        ada, first = await gathered(server, "Ada", NAME)
        assert (await asked(server, first, "leave")).status == 204
        her = (await server.post(f"{TABLES}/{ada['table']}/join", {"name": NAME})).body
        await asked(server, ada, "start")
        await played(server, [ada, her])
        [card] = (await server.get(f"{TABLES}?status=finished")).body
        assert card["players"] == ["Ada", NAME]
        assert (await asked(server, her, "forget-me")).status == 204
        [now] = (await server.get(f"{TABLES}?status=finished")).body
        assert (now["players"], now["scores"], now["touched"]) == (["Ada", "Guest 3"], card["scores"], card["touched"])
        assert NAME not in now["winners"]


async def test_a_rematch_opened_meanwhile_does_not_copy_the_name(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with online(store) as server:
        ada, her = await gathered(server, "Ada", NAME)
        await asked(server, ada, "start")
        await played(server, [ada, her])
        keep, forgetting = server.registry._store_new, list[Any]()

        async def slow(*new: Any) -> str:
            forgetting.append(asyncio.create_task(asked(server, her, "forget-me")))
            await asyncio.sleep(0.2)
            return await keep(*new)

        monkeypatch.setattr(server.registry, "_store_new", slow)
        again = (await asked(server, ada, "rematch")).body["table"]
        assert (await forgetting[0]).status == 204
        assert NAME not in str((await server.get(f"{TABLES}/{again}")).body)
        await server.registry.sweep()
        assert traces(tmp_path) == []


async def test_a_second_device_of_the_person_is_erased_too(store: Store, tmp_path: Path) -> None:
    async with online(store) as server:
        code = (await server.post("/api/v1/parties", {"game": "high-card", "seats": 2})).body["table"]
        join = [{"name": "Ada"}, {"name": "Bob"}, {"name": NAME, "watch": True}]
        ada, bob, phone = [(await server.post(f"{TABLES}/{code}/join", body)).body for body in join]
        await asked(server, ada, "start")
        assert (await asked(server, phone, "seat/reclaim", {"person": bob["person"]})).status == 204
        agreed = await asked(server, ada, "seat/reclaim/answer", {"person": phone["person"], "agrees": True})
        assert agreed.status == 204
        assert (await asked(server, phone, "forget-me")).status == 204
        await server.registry.sweep()
        assert traces(tmp_path) == []


async def test_a_game_continues_during_repeated_erasures(store: Store) -> None:
    async with online(store) as server:
        host = (await server.post(TABLES, {"game": "bebop", "seats": 2, "name": NAME, "seconds": 600})).body
        bob = (await server.post(f"{TABLES}/{host['table']}/join", {"name": "Bob"})).body
        await asked(server, host, "start")
        code = host["table"]
        async with server.socket(code) as one, server.socket(code) as two:
            players = [Player(one), Player(two)]
            for player, ticket in zip(players, (host, bob), strict=True):
                await player.hello(ticket["token"])
            clock = server.registry.tables[code].scheduler.clock
            for number in range(3):
                deadlines = {name: each.deadline for name, each in clock.countdowns.items()}
                answers = await asyncio.gather(asked(server, host, "forget-me"), asked(server, host, "forget-me"))
                assert [answer.status for answer in answers] == [204, 204]
                assert deadlines == {name: each.deadline for name, each in clock.countdowns.items()}, "no time is won"
                for player in players:
                    await player.send(type="resync", id="look")
                    await player.until("ack")
                acting = next(player for player in players if player.legal())
                assert (await acting.act(acting.legal()[0], f"move {number}"))["type"] == "ack"
                assert deadlines and clock is server.registry.tables[code].scheduler.clock
        shown = (await server.get(f"{TABLES}/{code}")).body
        assert [person["name"] for person in shown["people"]] == ["Guest 1", "Bob"]
        await asked(server, host, "name", {"name": LATER})
        shown = (await server.get(f"{TABLES}/{code}")).body
        assert shown["people"][0]["name"] == LATER, "who comes back may be called something again"


async def test_a_server_that_lost_a_table_erases_nothing_there(store: Store) -> None:
    """The new owner would not know, and would write the name again."""
    async with online(store) as server:
        her, _ = await lived_in(server, rematch=False)
        with pytest.raises(Conflict):
            await store.erase_person(ErasePerson(her["table"], her["person"], epoch=99))
        assert LATER in str((await server.get(f"{TABLES}/{her['table']}")).body)
