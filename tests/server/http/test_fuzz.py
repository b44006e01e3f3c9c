"""Fuzzing of the socket: each frame is answered, nothing stops, refused frames have no effect."""

import os
import random
from typing import Any, get_args, get_type_hints

import msgspec

from jamboree.core.game import AnyGame
from jamboree.server.store.store import Store

from ..bench.local import Client, a_registry, started

FRAMES = int(os.environ.get("JAMBOREE_FUZZ", "3000"))
KINDS = ["act", "preview", "why-not"]
OTHERS: list[dict[str, Any]] = [
    {"type": "hello", "token": "x"},
    {"type": "say", "id": "1", "text": "\u202e"},
    {"type": "say", "id": "1", "text": "psst", "to": "p9"},
    {"type": "ready", "id": "1"},
    {"type": "ping", "id": "1"},
    {"type": "undo", "id": "1"},
    {"type": "answer-undo", "id": "1", "agrees": True},
    {"type": "pause", "id": "1"},
    {"type": "seed", "id": "1", "seed": "beef"},
    {"type": "welcome"},
    {"type": None},
    {},
]
VALUES: dict[Any, list[Any]] = {
    int: [-(2**70), -1, 0, 1, 2, 7, 2**70],
    str: ["", "basic", "vip", "a1", "b4", "A", "nowhere", "\0", "y" * 300],
    bool: [True, False],
}
WRONG: list[Any] = [None, 1.5, [], {}, "x", 2**70]


def an_action(game: AnyGame, rng: random.Random) -> dict[str, Any]:
    """Make an action with values of the right types, and now and then of a wrong one."""
    kind = rng.choice(get_args(game.info.action))
    action = {name: rng.choice(VALUES.get(hint, WRONG)) for name, hint in get_type_hints(kind).items()}
    if rng.random() < 0.1:
        action[rng.choice([*action, "more"])] = rng.choice(WRONG)
    return {"type": kind.__name__, **action}


def nonsense(game: AnyGame, rng: random.Random) -> bytes:
    message = {"type": rng.choice(KINDS), "id": str(rng.randrange(99)), "action": an_action(game, rng)}
    frame = bytearray(msgspec.json.encode(message if rng.random() < 0.8 else rng.choice(OTHERS)))
    for _ in range(rng.choice([0, 0, 0, 0, 1, 5])):
        frame[rng.randrange(len(frame))] = rng.randrange(256)
    return bytes(frame)


def changes(answer: dict[str, Any]) -> bool:
    return answer["type"] not in ("error", "preview", "why-not", "pong")


async def test_random_messages_are_answered_and_change_nothing(store: Store) -> None:
    rng = random.Random(FRAMES)
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 2)
        code, tokens = clients[0].session.code, [client.token for client in clients]
        for token, language in [(None, None), (None, "nl"), (tokens[0], "en"), (tokens[1], "nl")]:
            clients.append(Client(registry, code, token, language))
            await clients[-1].hello()
        table = registry.tables[clients[0].session.code]
        for _ in range(FRAMES):
            client = rng.choice(clients)
            received, seq = len(client.received), table.state.seq
            await client.session.receive(nonsense(table.state.game, rng))
            assert len(client.received) > received, "every frame is answered"
            if not changes(client.received[-1]):
                assert table.state.seq == seq
        assert registry.tables[clients[0].session.code] is table, "the table never stopped"
        assert (await store.load(table.code)).seq == table.state.seq
