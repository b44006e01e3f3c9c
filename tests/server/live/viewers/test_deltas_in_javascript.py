"""Whole games with the browser's own delta code: every update passes its check, so no client has to resync."""

import random

import pytest

from jamboree.server.store.store import Store

from ...bench.javascript import DIFFERENCE, evaluated
from ...bench.local import EVERY, Client, a_registry, as_read, play_on, started

FOLLOW = f"""const {{ applyDelta }} = await import("file://{DIFFERENCE}");
const results = given.map((frames) => {{
  let [held, updates, failed] = [null, 0, []];
  for (const frame of frames.map((each) => JSON.parse(each))) {{
    if (frame.type === "welcome") held = frame.position;
    if (frame.type !== "update") continue;
    updates++;
    const after = frame.change ? applyDelta(held, frame.change, frame.check) : frame.position;
    if (after) held = after;
    else failed.push(frame.seq);
  }}
  return {{ updates, failed }};
}});
console.log(JSON.stringify(results));"""
GAMES = [
    *(("bebop", 2, {"hidden_hands": True}, seed) for seed in range(5)),
    ("bebop", 3, {"hidden_hands": True, "star": True}, 5),
    ("bebop", 4, {}, 6),
    *(("bpm", seats, {}, seats) for seats in (2, 4)),
    *(("boogie", seats, {"pace": "untimed"}, seats) for seats in (3, 5)),
]


@pytest.mark.parametrize(("game", "seats", "options", "seed"), GAMES)
async def test_the_browsers_decoder_follows_a_whole_game(
    store: Store, game: str, seats: int, options: dict[str, object], seed: int
) -> None:
    async with a_registry(store, EVERY, seed=seed) as registry:
        clients = await started(registry, game, seats, **options)
        for language, token in ((None, None), ("nl", clients[0].token)):
            viewer = Client(registry, clients[0].session.code, token, language)
            await viewer.hello(painted=language is not None)
            clients.append(viewer)
        await play_on(clients[:seats], random.Random(seed))
        received = [[as_read(frame).decode() for frame in client.frames] for client in clients]
        assert clients[0].position["outcome"]
    followed = evaluated(FOLLOW, received)
    assert [result["failed"] for result in followed] == [[]] * len(clients)
    assert all(result["updates"] > 20 for result in followed)
