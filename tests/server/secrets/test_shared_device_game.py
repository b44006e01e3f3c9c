"""A shared device during a whole game: its public connection receives what any spectator does, byte by byte."""

import random

import pytest

from jamboree.server.live.commands.playing import Start
from jamboree.server.live.session import Session
from jamboree.server.store.store import Store

from ..bench.fake_time import settled
from ..bench.local import EVERY, Client, a_registry, gathered

MOST = 3000


@pytest.mark.parametrize(("game", "seats"), [("bebop", 2), ("bpm", 2), ("boogie", 3)])
async def test_a_whole_game_on_a_shared_device(store: Store, game: str, seats: int) -> None:
    async with a_registry(store, EVERY) as registry:
        code, tickets = await gathered(registry, game, seats)
        tokens, rng = {ticket.person: ticket.token for ticket in tickets}, random.Random(5)

        def line() -> Client:
            client = Client(registry, code, None, "en")
            client.session = Session(registry, code, client, None, tokens)  # type: ignore[arg-type]
            return client

        table = await registry.table(code)
        await table.ask(Start(), "p1")
        await settled(table)
        public, stranger = line(), Client(registry, code, None, "en")
        await public.hello(shared=True)
        await stranger.hello()
        for number in range(MOST):
            if public.position["outcome"]:
                break
            seat = rng.choice([actor for actor in public.position["actors"] if isinstance(actor, int)])
            own = line()
            await own.hello(shared=True, person=f"p{seat + 1}")
            assert all(token not in str(own.frames) for token in tokens.values())
            if own.legal():
                assert (await own.act(rng.choice(own.legal()), str(number)))["type"] == "ack"
            await own.session.end()
        assert public.position["outcome"], "the game came to its end"
        updates = [frame for frame in public.frames if b'"type":"update"' in frame]
        assert updates == [frame for frame in stranger.frames if b'"type":"update"' in frame]
