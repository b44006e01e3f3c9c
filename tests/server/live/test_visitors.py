"""Names at a table, also during the game, and what a table shows to visitors."""

from typing import Any

from jamboree.server.store.store import Store

from ..bench.local import a_registry
from ..bench.online import Player, online
from ..http.test_http import TABLES, bearer, finished


async def test_a_name_can_be_changed_before_and_during_a_game(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated(start=False)
        code, bob = tickets[0]["table"], bearer(tickets[1])
        assert (await server.post(f"{TABLES}/{code}/name", {"name": " ADA "}, authorization=bob)).status == 204
        await server.post(f"{TABLES}/{code}/start", authorization=bearer(tickets[0]))
        async with server.socket(code) as socket:
            ada = Player(socket)
            welcome = await ada.hello(tickets[0]["token"])
            assert [each["name"] for each in welcome["table"]["people"]] == ["Ada", "ADA 2"]
            assert (await server.post(f"{TABLES}/{code}/name", {"name": "Bo"}, authorization=bob)).status == 204
            received = await ada.take()
            assert received["type"] == "table", "a new name does not disturb the game"
            assert [each["name"] for each in received["table"]["people"]] == ["Ada", "Bo"]
        async with a_registry(store) as registry:  # another one reads what was kept
            assert (await registry.table(code)).state.roster.names() == ["Ada", "Bo"]


async def test_a_muted_person_cannot_change_name_and_names_are_validated(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated(start=False)
        code, before = tickets[0]["table"], (await store.load(tickets[0]["table"])).seq
        for name, refusal in (("...", "bad-name"), ("Bob", None)):
            answer = await server.post(f"{TABLES}/{code}/name", {"name": name}, authorization=bearer(tickets[1]))
            assert (answer.body and answer.body["code"]) == (refusal or "")
        assert (await store.load(code)).seq == before, "nothing has changed"
        await server.post(f"{TABLES}/{code}/mute", {"person": "p2"}, authorization=bearer(tickets[0]))
        answer = await server.post(f"{TABLES}/{code}/name", {"name": "Loud"}, authorization=bearer(tickets[1]))
        assert answer.body["code"] == "muted"


async def test_a_visitor_sees_whose_turn_it_is_and_who_plays(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated()
        path = f"{TABLES}/{tickets[0]['table']}"
        seen: dict[str, Any] = (await server.get(path, authorization=bearer(tickets[1]))).body
        assert seen["you"] == {"person": "p2", "seat": 1}
        async with server.socket(tickets[0]["table"]) as socket:
            player = Player(socket)
            await player.hello()
            assert seen["actors"] == player.position["actors"] != []
        assert (await server.get(path)).body["you"] == {"person": None, "seat": None}
        assert seen["outcome"] is None


async def test_a_visitor_sees_the_winner_of_a_finished_game(store: Store) -> None:
    async with online(store) as server:
        code = (await finished(server))[0]["table"]
        seen = (await server.get(f"{TABLES}/{code}")).body
        assert seen["actors"] == []
        names = {each["seat"]: each["name"] for each in seen["people"]}
        (card,) = (await server.get(f"{TABLES}?status=finished")).body
        assert card["winners"] == [names[seat] for seat in seen["outcome"]["winners"]] != []
        assert card["players"] == [names[seat] for seat in range(seen["seats"])]
        assert card["scores"] == seen["outcome"]["scores"]
        assert card["touched"] == seen["touched"] > 0


async def test_of_a_game_under_way_the_list_has_no_scores(store: Store) -> None:
    async with online(store) as server:
        await server.seated()
        (card,) = (await server.get(f"{TABLES}?status=playing")).body
        assert (card["winners"], card["players"], card["scores"]) == ([], [], [])
