"""Behaviour of a simulated client: it plays, chats, undoes, breaks rules, disconnects and reconnects."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from tests.server.bench.local import actions

from . import errands
from .client import Client

Deed = Callable[[Client], None]
HELLO_WITHIN = 8.0  # seconds a client waits for its welcome
NONSENSE = (
    "",
    "{",
    "[]",
    "null",
    '{"type":"act"}',
    '{"type":"hello"}',
    '{"type":"dance","id":"x"}',
    '{"type":"act","id":"","action":{}}',
    '{"type":"say","id":"x","text":7}',
    "\ud7ff" * 50,
    "[" * 500,
)


async def live(client: Client) -> None:
    """Stay at the table until the end of the simulation."""
    world = client.world
    while not world.over:
        await asyncio.sleep(_pause(client))
        if not world.server.up.is_set() or not world.server.alive or not client.code:
            continue
        if (client.removed or client.shut_out == "join-to-watch") and client.rng.random() < 0.3:
            await errands.come_anew(client)
        if client.removed:
            continue
        if client.connection is None or client.connection.ended:
            await _come_back(client)
        elif not client.stream or client.greeted is not client.connection:
            pass
        elif world.calm:
            await _play_on(client)
        else:
            await _do_something(client)


def _pause(client: Client) -> float:
    world = client.world
    return client.rng.uniform(0.1, 0.6) if world.calm else min(20.0, client.rng.expovariate(1 / world.pace))


async def _come_back(client: Client) -> None:
    connection = client.connect()
    try:
        async with asyncio.timeout(HELLO_WITHIN):
            while client.greeted is not connection and not connection.ended:
                await asyncio.sleep(0.05)
    except TimeoutError:
        connection.vanish()
    if client.greeted is connection and not connection.ended:
        for asked in list(client.unanswered.values()):
            if asked.kind in ("act", "undo", "seed"):
                client.send(asked.message)


async def _play_on(client: Client) -> None:
    """Only do what the game needs to continue."""
    if await errands.see_to_the_table(client):
        return
    if client.table.get("paused") != "no" and client.person is not None:
        if client.table.get("host") == client.person:
            client.send({"type": "pause", "id": client.new_id(), "paused": False})
        else:
            await errands.take_over(client)  # from a host who has been away for a minute
    agree(client)
    seed(client)
    act(client)


async def _do_something(client: Client) -> None:
    rng, status = client.rng, client.table.get("status")
    if status in ("gathering", "finished", "closed") and await errands.see_to_the_table(client):
        return
    if status == "seeding" and rng.random() < 0.7:
        seed(client)
    elif rng.random() < 0.6 and client.playing and legal(client):
        (act_at_the_last_moment if rng.random() < 0.3 else act)(client)
    elif rng.random() < 0.08:
        await errands.run_one(client)
    else:
        actions, weights = zip(*ACTIONS, strict=True)
        rng.choices(actions, weights)[0](client)


def legal(client: Client) -> list[dict[str, Any]]:
    return actions(client.groups, msgspec.json.decode(client.position.legal)) if client.position else []


def act(client: Client) -> None:
    offers = legal(client) if client.playing and client.greeted is client.connection else []
    if offers:
        client.send({"type": "act", "id": client.new_id(), "action": client.rng.choice(offers)})


def act_at_the_last_moment(client: Client) -> None:
    end = client.deadlines.soonest(client.world.loop.time()) if client.deadlines else None
    if end is not None:
        client.world.loop.call_at(end + client.rng.uniform(-0.9, -0.3), say, client)  # so that the table is busy
        client.world.loop.call_at(end + client.rng.uniform(-0.5, 0.15), act, client)


def act_twice(client: Client) -> None:
    acts = [asked for asked in client.asked.values() if asked.kind in ("act", "undo")]
    if acts:
        client.send(client.rng.choice(acts[-6:]).message)


def act_wrongly(client: Client) -> None:
    action = client.rng.choice([*legal(client)[:20], {"type": "Lay", "slot": 9}, {"type": "None"}, {}])
    client.send({"type": "act", "id": client.new_id(), "action": {**action, "more": 1} if action else action})


def ask_about(client: Client) -> None:
    offers, kind = legal(client), client.rng.choice(("preview", "why-not"))
    if offers and client.seat is not None:
        client.send({"type": kind, "id": client.new_id(), "action": client.rng.choice(offers)})


def say(client: Client) -> None:
    people = [person["person"] for person in client.table.get("people", [])]
    name = client.new_id()
    to = client.rng.choice([None, *people]) if client.rng.random() < 0.5 else None
    client.send({"type": "say", "id": name, "text": f"This is {name} speaking.", "to": to})


def take_back(client: Client) -> None:
    client.send({"type": "undo", "id": client.new_id()})


def agree(client: Client) -> None:
    asked = client.table.get("undo_asked")
    if asked and client.person in asked["needed"] and client.person not in asked["agreed"]:
        client.send({"type": "answer-undo", "id": client.new_id(), "agrees": client.rng.random() < 0.8})


def withdraw(client: Client) -> None:
    asked = client.table.get("undo_asked")
    if client.rng.random() < 0.1 or (asked and asked["person"] == client.person):
        client.send({"type": "withdraw-undo", "id": client.new_id()})


def seed(client: Client) -> None:
    if client.table.get("status") == "seeding" and client.seat is not None:
        client.send({"type": "seed", "id": client.new_id(), "seed": client.rng.randbytes(8).hex()})


def pause(client: Client) -> None:
    client.send({"type": "pause", "id": client.new_id(), "paused": client.rng.random() < 0.4})


def get_ready(client: Client) -> None:
    client.send({"type": "ready", "id": client.new_id(), "ready": client.rng.random() < 0.7})


def ping(client: Client) -> None:
    client.send({"type": "ping", "id": client.new_id()})


def talk_nonsense(client: Client) -> None:
    client.send_text(client.rng.choice(NONSENSE))


def send_too_much(client: Client) -> None:
    for _ in range(client.rng.choice((5, 20, 110))):
        ping(client)


def cut(client: Client) -> None:
    if client.connection:
        client.connection.cut()


def vanish(client: Client) -> None:
    if client.connection:
        client.connection.vanish()


def go_deaf(client: Client) -> None:
    """Keep receiving for a while, but lose everything that is sent."""
    if client.connection:
        client.connection.deaf = True
        client.world.loop.call_later(client.rng.uniform(1, 10), client.connection.vanish)


def stall(client: Client) -> None:
    if client.connection:
        client.prompt = False
        client.connection.stall(client.rng.choice((0.5, 3.0, 15.0)))


ACTIONS: list[tuple[Deed, float]] = [
    (act, 10),
    (act_twice, 6),
    (act_wrongly, 3),
    (ask_about, 5),
    (say, 5),
    (take_back, 8),
    (agree, 12),
    (withdraw, 1),
    (pause, 2),
    (get_ready, 1),
    (ping, 1),
    (talk_nonsense, 2),
    (send_too_much, 0.3),
    (cut, 4),
    (vanish, 2),
    (go_deaf, 1),
    (stall, 3),
]
