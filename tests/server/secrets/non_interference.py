"""Non-interference: two games that differ in one secret step are equal to all who do not witness it: byte by byte, in
the number of frames, and in their clocks.

In BPMs Per Minute the first seat changes its mind about a sealed choice, twice; in Boogie Beasts it promises
the second seat something in private. In the other game it does nothing in that time.
"""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jamboree.core.chance import Seeded
from jamboree.games import find
from jamboree.server.live import state as luck
from jamboree.server.live.commands import chat
from jamboree.server.store.store import open_store
from jamboree.server.wall_clock import WallClock

from ..bench.local import Client
from ..bench.online import Online, online

Action = dict[str, Any]
READY = {"type": "SayReady"}
TERM = {"pledge": "sure", "jump": {"number": 2, "solo": None}, "worth": 0}


class Plot(NamedTuple):
    game: str
    before: list[Action]  # everybody does this, seat by seat
    secret: list[Action]  # the first seat does this, or nothing
    after: list[Action]
    body: dict[str, Any]
    witness: int | None  # the seat that may see the secret


def _discard(first: int, second: int) -> Action:
    return {"type": "DiscardSongs", "first": first, "second": second}


def _cue(slot: int) -> Action:
    return {"type": "CueSong", "slot": slot}


CHANGE_OF_MIND = Plot("bpm", [_discard(0, 1)], [_cue(2), _cue(3)], [_cue(0)], {"seconds": 60}, None)
PROMISE = Plot("boogie", [READY], [{"type": "PromiseTo", "to": 1}, {"type": "Promise", "term": TERM}], [READY], {}, 1)
REFUSED, WHO_ACTED = "what was refused", "who acted"
PLOTS = {"a change of mind": CHANGE_OF_MIND, "a promise": PROMISE}


class Scene:
    """A table with three players and a spectator, at a time that the script decides."""

    def __init__(self, server: Online, code: str, tokens: list[str], time: "Time") -> None:
        self.server, self.code, self.tokens, self.time = server, code, tokens, time
        self.players = [Client(server.registry, code, token, "en") for token in tokens]
        self.subscriber = Client(server.registry, code, None, "nl")
        self.ids = [count() for _ in tokens]
        self.refused: list[bytes] = []

    async def act(self, seat: int, action: Action) -> None:
        self.time.now += 1.0
        answer = await self.players[seat].act(action, f"{seat} {next(self.ids[seat])}")
        if answer["type"] != "ack":
            self.refused.append(self.players[seat].frames[-1])


class Time:
    now = 0.0

    def __init__(self) -> None:
        self.calls = count(1_000)

    def wall(self) -> float:
        """A wall clock that advances with every reading, so that time stamps show."""
        return float(next(self.calls))


async def frames_to_others(
    folder: Path,
    plot: Plot,
    keeps_quiet: bool,
    patch: pytest.MonkeyPatch,
    disguise: Callable[[pytest.MonkeyPatch], None],
) -> dict[str, list[bytes]]:
    """Play a world, and return everything sent to viewers who do not witness the secret."""
    store, time = open_store(str(folder / f"{plot.game} {keeps_quiet}.db")), Time()
    patch.setattr(luck.Luck, "chance", lambda _: Seeded(5))
    disguise(patch)
    patch.setattr(chat, "new_id", lambda: "line")  # that one was used up does not show
    try:
        wall, games = WallClock(time.wall, lambda: 0.0), {plot.game: find(plot.game)}
        async with online(store, games=games, seed=1, now=lambda: time.now, wall=wall) as server:
            scene = await _set(server, plot, time)
            await _play(scene, plot, keeps_quiet)
            return await _heard(scene, plot)
    finally:
        store.close()


async def _set(server: Online, plot: Plot, time: Time) -> Scene:
    body = {"game": plot.game, "seats": 3, "name": "Ada", **plot.body}
    tickets = [(await server.post("/api/v1/tables", body)).body]
    path = f"/api/v1/tables/{tickets[0]['table']}"
    for name in ("Bob", "Cleo"):
        tickets.append((await server.post(f"{path}/join", {"name": name})).body)
    await server.post(f"{path}/start", authorization=f"Bearer {tickets[0]['token']}")
    scene = Scene(server, tickets[0]["table"], [ticket["token"] for ticket in tickets], time)
    for client in [*scene.players, scene.subscriber]:
        await client.hello()
    await scene.players[1].send(type="say", id="hi", text="Hello, all.")
    return scene


async def _play(scene: Scene, plot: Plot, keeps_quiet: bool) -> None:
    for action in plot.before:
        for seat in range(3):
            await scene.act(seat, action)
    cued = [action for action in plot.after if plot.game == "bpm"]
    for action in cued:
        await scene.act(0, action)
    await scene.players[0].send(type="pause", id="a moment")
    for action in plot.secret:
        if keeps_quiet:
            scene.time.now += 1.0
        else:
            await scene.act(0, action)
    if not keeps_quiet:
        if plot.witness is not None:
            await scene.players[0].send(type="say", id="psst", text="Between us.", to=f"p{plot.witness + 1}")
        await scene.server.post(f"/api/v1/tables/{scene.code}/links", authorization=f"Bearer {scene.tokens[0]}")
    await _ask_around(scene.players[2])
    await scene.act(2, plot.after[0])
    await scene.players[0].send(type="pause", id="on", paused=False)
    await _ask_around(scene.players[2])


async def _ask_around(cleo: Client) -> None:
    await cleo.send(type="undo", id="back")
    await cleo.send(type="say", id="hm", text="What are you two doing?")
    await cleo.session.end()
    await cleo.hello(cleo.seq - 1)


async def _heard(scene: Scene, plot: Plot) -> dict[str, list[bytes]]:
    """Return everything sent to the others, what they can request, and what later connections receive."""
    blind = [seat for seat in (1, 2) if seat != plot.witness]
    received = {f"seat {seat}": scene.players[seat].frames for seat in blind}
    received["a spectator"] = scene.subscriber.frames
    received[REFUSED], received[WHO_ACTED] = scene.refused, scene.players[0].frames
    for seat, token in [*((seat, scene.tokens[seat]) for seat in blind), (None, None)]:
        late = Client(scene.server.registry, scene.code, token, "en")
        await late.hello(1)
        received[f"late {seat}"] = late.frames
        headers = {"authorization": f"Bearer {token}"} if token else {}
        paths = [f"tables/{scene.code}", f"tables/{scene.code}/log", "tables?status=playing"]
        answers = [await scene.server.get(f"/api/v1/{path}", **headers) for path in paths]
        received[f"an address {seat}"] = [repr((answer.status, answer.body)).encode() for answer in answers]
    return received


async def differences(
    folder: Path, name: str, patch: pytest.MonkeyPatch, disguise: Callable[[pytest.MonkeyPatch], None]
) -> list[str]:
    """Return the viewers who could distinguish the two worlds."""
    one, other = [await frames_to_others(folder, PLOTS[name], quiet, patch, disguise) for quiet in (True, False)]
    for file in folder.glob("*.db*"):
        file.unlink()
    assert one.pop(WHO_ACTED) != other.pop(WHO_ACTED), "there was a secret"
    found = [f"{name}: {viewer}" for viewer in one if one[viewer] != other[viewer]]
    assert found or not one[REFUSED], "the plot was played"
    return found
