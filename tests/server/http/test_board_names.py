"""Boards can be given by name wherever HTTP accepts options, and tables store their text."""

from typing import Any

import pytest

from jamboree.client import Client, Declined
from jamboree.games import all_games
from jamboree.games.bebop.box.board import load
from jamboree.server.store.store import Store

from ..bench.online import HOST, Online, online

NAMED: dict[str, Any] = {"board": "longchain"}
TEXT = load("longchain").source
TABLES, PARTIES = "/api/v1/tables", "/api/v1/parties"


async def board_of(server: Online, table: str) -> str:
    return str((await server.get(f"{TABLES}/{table}")).body["options"]["board"])


async def test_a_table_is_opened_and_changed_with_a_board_name(store: Store) -> None:
    async with online(store, games=all_games()) as server:
        opened = await server.post(TABLES, {"game": "bebop", "seats": 2, "name": "Ada", "options": NAMED})
        assert await board_of(server, opened.body["table"]) == TEXT
        plain = (await server.post(TABLES, {"game": "bebop", "seats": 2, "name": "Ada"})).body
        token = {"authorization": f"Bearer {plain['token']}"}
        assert await board_of(server, plain["table"]) != TEXT
        changed = await server.post(f"{TABLES}/{plain['table']}/setup", {"options": NAMED}, **token)
        assert changed.status == 204
        assert await board_of(server, plain["table"]) == TEXT
        refused = await server.post(f"{TABLES}/{plain['table']}/setup", {"options": {"board": "longchian"}}, **token)
        assert refused.body["code"] == "bad-options"
        assert refused.body["sentence"].startswith("There is no board called 'longchian'; there are: cramped-valley, ")


async def test_a_party_is_opened_with_a_board_name(store: Store) -> None:
    async with online(store, games=all_games()) as server:
        party = (await server.post(PARTIES, {"game": "bebop", "options": NAMED})).body
        assert await board_of(server, party["table"]) == TEXT


async def test_names_are_checked_and_refused_in_the_language_of_the_page(store: Store) -> None:
    async with online(store, games=all_games()) as server:
        for language in ("en", "nl"):
            path = f"/api/v1/games/bebop/check?language={language}"
            assert (await server.post(path, NAMED)).body["ok"]
            wrong = (await server.post(path, {"board": "longchian"})).body
            sentence = {"en": "There is no board called 'longchian'", "nl": "'longchian' is niet bekend"}[language]
            assert not wrong["ok"]
            assert wrong["problems"][0]["sentence"].startswith(sentence)


async def test_the_python_client_opens_a_table_with_a_board_name(store: Store) -> None:
    async with online(store, games=all_games()) as server, Client(f"http://{HOST}:{server.port}") as client:
        entry = await client.open("bebop", 2, "Ada", options=NAMED)
        assert await board_of(server, entry.table) == TEXT
        with pytest.raises(Declined, match="There is no board called 'longchian'"):
            await client.open("bebop", 2, "Ada", options={"board": "longchian"})
