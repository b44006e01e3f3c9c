"""What all who look are told alike is made once."""

import random
from typing import Any

import pytest

from jamboree.games.bebop.seen import views
from jamboree.server.store import Store
from jamboree.server.watching.sentences import Sentences

from ..bench.local import Client, a_registry, play_on, started


async def test_views_and_sentences_are_made_once_a_step(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    built, told = list[object](), list[str | None]()
    common, tell = views._common, Sentences.told

    def building(state: Any) -> dict[str, Any]:
        built.append(state)
        return common(state)

    def telling(self: Sentences, events: list[Any]) -> list[str]:
        told.append(self.language)
        return tell(self, events)

    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 4)
        watchers = [Client(registry, clients[0].session.code, None, "en") for _ in range(2)]
        players = [Client(registry, clients[0].session.code, client.token, "en") for client in clients]
        for client in [*watchers, *players]:
            await client.hello()
        monkeypatch.setattr(views, "_common", building)
        monkeypatch.setattr(Sentences, "told", telling)
        moves = await play_on(clients, random.Random(3), 10)
    assert len(built) == moves, "the position is built once for ten connections"
    assert told.count("en") == moves, "and told once in English"


async def test_nobody_but_those_who_act_is_sent_what_is_legal(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 4)
        await play_on(clients, random.Random(3), 10)
        acting = clients[0].position["actors"]
        assert [bool(client.legal()) for client in clients] == [seat in acting for seat in range(4)]
