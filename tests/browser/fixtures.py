"""Fixtures of the client's component tests: games as one viewer receives them, frame by frame, and the routes."""

import asyncio
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from jamboree.core.game import AnyGame
from jamboree.core.learning import pictures_of
from jamboree.games import all_games
from jamboree.server.http.app import OPENAPI
from jamboree.server.http.schema import api_app
from jamboree.server.protocol.rules import TryExample
from jamboree.server.service.examples import list_examples, try_moves
from jamboree.server.store.store import open_store
from tests.server.bench.local import Client, a_registry, started


class Sample(NamedTuple):
    name: str
    game: str
    seats: int
    options: dict[str, Any]
    seed: int  # chosen so that the first seat has a decision in every tested phase


SAMPLES = (
    Sample("bebop-4", "bebop", 4, {}, seed=46),
    Sample("bebop-2", "bebop", 2, {"hidden_hands": True, "star": True}, seed=5),
    Sample("bpm-4", "bpm", 4, {}, seed=23),
    Sample("bpm-2", "bpm", 2, {}, seed=5),
    Sample("boogie-5", "boogie", 5, {"pace": "untimed"}, seed=6),
    Sample("boogie-8", "boogie", 8, {"pace": "untimed"}, seed=5),
)


async def frames(sample: Sample, folder: Path) -> list[Any]:
    """Play a game by its bots, and give everything the first seat is sent."""
    store, game = open_store(str(folder / "tables.db")), all_games()[sample.game]
    bots = [game.bots()["greedy"](seat) for seat in range(sample.seats)]
    rng, waits = random.Random(sample.seed), 0
    async with a_registry(store, all_games(), sample.seed) as registry:
        clients = await started(registry, sample.game, sample.seats, **sample.options)
        code = clients[0].session.code
        state, reader = registry.tables[code].state, Client(registry, code, clients[0].token, "en")
        await reader.hello(whole=True)
        while seats := sorted(actor for actor in game.to_act(state.position) if isinstance(actor, int)):
            seat = rng.choice(seats)
            action = bots[seat].choose(game.view(state.position, seat), game.legal(state.position, seat))
            if isinstance(action, msgspec.Struct):
                await clients[seat].act(msgspec.to_builtins(action), f"{state.seq}")
            waits = 0 if isinstance(action, msgspec.Struct) else waits + 1
            assert waits < 1000, "everybody waits"
        received = reader.received
    store.close()
    return received


def write(target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for sample in SAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            received = asyncio.run(frames(sample, Path(folder)))
        (target / f"{sample.name}.json").write_bytes(msgspec.json.encode(received))
    (target / "openapi.json").write_bytes(msgspec.json.encode(api_app(OPENAPI).openapi_schema.to_schema()))
    (target / "examples").mkdir(exist_ok=True)
    for key, game in all_games().items():
        (target / "examples" / f"{key}.json").write_bytes(msgspec.json.encode(examples(game)))


def examples(game: AnyGame) -> dict[str, Any]:
    """Return the worked examples of a game, and what becomes of the first move in each."""
    shown = list_examples(game, "en")
    moves = {card.name: TryExample([card.begins.next]) for card in shown.examples if card.begins.next}
    first = {each.name: try_moves(game, each, moves[each.name], "en") for each in pictures_of(game).examples}
    return {"shown": shown, "first": first}


if __name__ == "__main__":
    write(Path(sys.argv[1]))
