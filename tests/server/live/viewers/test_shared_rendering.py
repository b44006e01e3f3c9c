"""What is equal for all viewers is computed once."""

import random
import zlib
from typing import Any

import pytest

from jamboree.games.bebop.visibility import views
from jamboree.server.live import visibility
from jamboree.server.live.rendering import Sentences
from jamboree.server.live.viewers import position_cache
from jamboree.server.store.store import Store

from ...bench.local import EVERY, Client, a_registry, play_on, started


async def test_views_and_sentences_are_computed_once_per_step(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    built, rendered = list[object](), list[tuple[str | None, int | None]]()
    common, render = views._shared_fields, Sentences.of_events

    def building(state: Any) -> dict[str, Any]:
        built.append(state)
        return common(state)

    def rendering(self: Sentences, events: list[Any]) -> list[str]:
        rendered.append((self.language, self.reader))
        return render(self, events)

    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 4)
        connections = [Client(registry, clients[0].session.code, None, "en") for _ in range(2)]
        players = [Client(registry, clients[0].session.code, client.token, "en") for client in clients]
        for client in [*connections, *players]:
            await client.hello()
        monkeypatch.setattr(views, "_shared_fields", building)
        monkeypatch.setattr(Sentences, "of_events", rendering)
        moves = await play_on(clients, random.Random(3), 10)
    assert len(built) == moves, "the position is built once for ten connections"
    assert rendered.count(("en", None)) == moves, "and its sentences once in English"
    to_players = [reader for language, reader in rendered if language == "en" and reader is not None]
    assert len(to_players) <= 2 * moves, "besides those that name a player, to that player"


@pytest.mark.parametrize("game", ["bpm", "boogie"])
async def test_a_secret_step_is_rendered_once_for_all_outsiders(
    store: Store, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    rendered, render = list[list[Any]](), Sentences.of_events

    def rendering(self: Sentences, events: list[Any]) -> list[str]:
        if self.reader is None:
            rendered.append(events)
        return render(self, events)

    async with a_registry(store, EVERY, seed=3) as registry:
        clients = await started(registry, game, 4)
        players = [Client(registry, clients[0].session.code, client.token, "en") for client in clients]
        for client in players:
            await client.hello()
        monkeypatch.setattr(Sentences, "of_events", rendering)
        moves = await play_on(clients, random.Random(3), 10)
    in_english = [events for events in rendered if events]
    assert len(in_english) <= 2 * 2 * moves, "once to those who see all of it and once to the others, in two languages"


@pytest.mark.parametrize("game", ["bebop", "bpm", "boogie"])
async def test_the_shared_part_of_a_position_is_encoded_once_and_first(
    store: Store, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    checked = list[bytes]()

    def checking(text: bytes, before: int = 0) -> int:
        checked.append(text)
        return zlib.crc32(text, before)

    monkeypatch.setattr(position_cache, "crc32", checking)
    async with a_registry(store, EVERY, seed=3) as registry:
        clients = await started(registry, game, 4)
        checked.clear()
        moves = await play_on(clients, random.Random(3), 10)
        assert len(checked) == moves
        positions = (await registry.table(clients[0].session.code)).subscribers.frames.positions
        shared = positions.of(visibility.Viewer(None, None)).shared.text
        assert shared.endswith(checked[-1]) and b'"festival"' not in checked[-1], "a board is checked but once"
        for seat in (None, 0, 1, 2, 3):
            text = positions.of(visibility.Viewer(seat, None)).text
            assert text.startswith(shared)
            assert positions.of(visibility.Viewer(seat, None)).check == f"{zlib.crc32(text):08x}"


async def test_legal_actions_are_sent_to_actors_only(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 4)
        await play_on(clients, random.Random(3), 10)
        acting = clients[0].position["actors"]
        assert [bool(client.legal()) for client in clients] == [seat in acting for seat in range(4)]


async def test_tables_with_the_same_board_share_one_copy(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        boards = []
        for _ in range(2):
            clients = await started(registry, "bebop", 4)
            positions = (await registry.table(clients[0].session.code)).subscribers.frames.positions
            boards.append(positions.of(visibility.Viewer(None, None)).shared.view[b'"festival":'])
    assert boards[0] is boards[1]
