"""Non-interference: two games that differ only in one seat's secret are byte-identical to everybody else.

The game is High Card. In the worlds of a pair the first seat holds another card, or has laid another card face down,
and whispers something else. All frames, answers and logs of the other seats and of a spectator are compared, and the
lengths of what the first seat itself is sent while a choice is sealed. By how much packing changes a length must not
depend on what is hidden either, although the chat contains a correct guess.
"""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jamboree.core.chance import Audience, Chance
from jamboree.server import tokens
from jamboree.server.live import state as luck
from jamboree.server.store.store import open_store
from jamboree.server.wall_clock import WallClock
from tests.contract.toy import VALUES, HighCard, State

from ..bench.local import Client, as_read
from ..bench.online import Online, online
from .non_interference import PLOTS, differences

WRONG = {"type": "Lay", "slot": 9}
DEALT = {12: "one", 11: "", 10: "two", 9: "three", 8: "one", 7: "four", 6: "three", 5: "two", 4: "four"}
"""The card dealt, by the number of cards left; empty: the world's own."""
LANGUAGES = ("en", "nl", None)
TODAY = 1_700_000_000.0  # in Unix seconds, the same for all games
PACKING = {"accept-encoding": "gzip, deflate, br"}
GUESS = 'I have a two, left. "cards":["one","two"] CardLaid(seat=0, card=\'two\')'


class World(NamedTuple):
    card: str  # the second card of the first seat
    slot: int  # the card it lays
    whisper: str
    rounds: int  # that are played to their end


HIDDEN_CARD = (World("two", 0, "I have a two", 1), World("four", 0, "I have a four", 1))
SEALED_CHOICE = (World("two", 0, "left", 0), World("two", 1, "last", 0))
PAIRS = {"a hidden card": HIDDEN_CARD, "a sealed choice": SEALED_CHOICE}


class Fate(Chance):
    """Picks the outcomes that the world prescribes."""

    next = 0

    def index(self, n: int, seen_by: Audience) -> int:
        return self.next


class Fated(HighCard):
    def __init__(self, world: World, fate: Fate) -> None:
        self.world, self.fate = world, fate

    def setup(self, seats: int, options: Any, chance: Chance) -> State:
        self.fate.next = 0
        return super().setup(seats, options, chance)

    def deal(self, state: State, seat: int, chance: Chance) -> int:
        kind = VALUES.index(DEALT[state.bag.total] or self.world.card)
        self.fate.next = sum(state.bag.counts[:kind])
        return super().deal(state, seat, chance)


class Account(NamedTuple):
    """What a world looks like to everyone but the first seat, and what must not occur in it."""

    seen: dict[str, list[bytes]]
    lengths: list[int]  # of what the first seat was sent while a choice was sealed
    packing: list[int]  # by how many bytes that and all it was sent later is shorter or longer than what was packed
    secrets: dict[str, bytes]


async def leaks(folder: Path, patch: pytest.MonkeyPatch, about: str | None = None) -> list[str]:
    """Name every difference between the worlds of each pair, and every secret that was sent; or of one pair only."""
    found: list[str] = []
    for name in PLOTS if about is None else PLOTS.keys() & {about}:
        found += await differences(folder, name, patch, disguised)
    for name, pair in PAIRS.items() if about is None else [(about, PAIRS[about])] if about in PAIRS else []:
        one, other = [await account(folder / f"{name} {at}.db", world, patch) for at, world in enumerate(pair)]
        found += [f"{name}: {viewer}" for viewer in one.seen if one.seen[viewer] != other.seen[viewer]]
        found += [f"{name}: a length"] if pair is SEALED_CHOICE and one.lengths != other.lengths else []
        found += [f"{name}: what packing reveals"] if one.packing != other.packing else []
        for viewer, frames in one.seen.items():
            sent = b"".join(map(as_read, frames))
            found += [f"{name}: {what} to {viewer}" for what, text in one.secrets.items() if text in sent]
    return found


async def account(database: Path, world: World, patch: pytest.MonkeyPatch) -> Account:
    """Play a world from the common beginning, and record what is observable."""
    fate, store = Fate(), open_store(str(database))
    patch.setattr(luck.Luck, "chance", lambda _: fate)
    disguised(patch)
    try:
        async with online(
            store,
            games={"high-card": Fated(world, fate)},
            seed=1,
            now=lambda: 0.0,
            wall=WallClock(lambda: TODAY, lambda: 0.0),
        ) as server:
            return await _visit(server, world)
    finally:
        store.close()
        for file in database.parent.glob(f"{database.name}*"):
            file.unlink()


class SameSecrets(random.Random):
    """Codes and tokens that are the same in every world, however many of the other kind are drawn."""

    def __init__(self) -> None:
        super().__init__(9)
        self.tokens, self.codes = random.Random(7), random.Random(8)

    def randbytes(self, n: int) -> bytes:
        return self.tokens.randbytes(n)

    def choice(self, seq: Any) -> Any:
        return self.codes.choice(seq)


def disguised(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tokens, "_source", SameSecrets())


async def _visit(server: Online, world: World) -> Account:
    tickets = await server.seated(seats=3)
    table = await server.registry.table(tickets[0]["table"])
    seated = zip(tickets, LANGUAGES, strict=True)
    clients = [Client(server.registry, table.code, ticket["token"], language) for ticket, language in seated]
    subscriber = Client(server.registry, table.code, None, "en")
    for client in [*clients, subscriber]:
        await client.hello(packed=True)
    ada, bob, cleo = clients
    screen = Client(server.registry, table.code, ada.token, "en")  # a big one, in a browser that has a seat
    await screen.hello(screen=True, packed=True)
    await bob.send(type="say", id="guess", text=GUESS)
    await ada.send(type="say", id="psst", text=world.whisper, to="p3")
    received = len(ada.frames)
    await ada.send(type="preview", id="look", action={"type": "Lay", "slot": world.slot})
    await ada.act({"type": "Lay", "slot": world.slot}, "ada")
    lengths = [len(frame) for frame in ada.frames[received:]] + await _come_back(server, ada)
    await _try_things(bob)
    await bob.act({"type": "Lay", "slot": 0}, "bob")
    await _try_things(bob)
    if world.rounds:
        await cleo.act({"type": "Lay", "slot": 0}, "cleo")
        await _try_things(bob)
    late = Client(server.registry, table.code, ada.token, "en")
    await late.hello(1, packed=True)
    packing = [len(frame) - len(as_read(frame)) for frame in ada.frames + late.frames]
    back, stranger = (Client(server.registry, table.code, token, "en") for token in (bob.token, None))
    await back.hello(1, packed=True)
    await stranger.hello(1, packed=True)
    seen = {"the second seat": bob.frames + back.frames, "a spectator": subscriber.frames + stranger.frames}
    seen["a big screen"] = screen.frames
    seen["a painted screen"] = await _painted(server, table.code, (bob.token, None))
    seen["an address"] = [await _asked(server, table.code, token) for token in (bob.token, None)]
    hidden = {"a token": str(ada.token), "the state": table.state.hash, "the seed": table.state.luck.secret}
    return Account(seen, lengths, packing, {what: text.encode() for what, text in hidden.items()})


async def _come_back(server: Online, ada: Client) -> list[int]:
    """Measure the frames of a player who reconnects to a sealed choice, and the log they can read."""
    back = [Client(server.registry, ada.session.code, ada.token, "en") for _ in range(2)]
    for client, seen in zip(back, (None, 1), strict=True):
        await client.hello(seen, painted=seen is None, packed=True)
        await client.session.end()
    path = f"/api/v1/tables/{ada.session.code}/log"
    log = await server.get(path, authorization=f"Bearer {ada.token}", **PACKING)
    return [*(len(frame) for client in back for frame in client.frames), int(log.headers["content-length"])]


async def _painted(server: Online, code: str, tokens: Sequence[str | None]) -> list[bytes]:
    """Look at the table as a client does that can't draw the game."""
    screens = [Client(server.registry, code, token, "nl") for token in tokens]
    for screen in screens:
        await screen.hello(1, painted=True)
    return [frame for screen in screens for frame in screen.frames]


async def _try_things(bob: Client) -> None:
    """Do everything that is answered without changing anything."""
    for number, kind in enumerate(("act", "preview", "why-not")):
        await bob.send(type=kind, id=f"wrong {number}", action=WRONG)
    for kind in ("preview", "why-not"):
        await bob.send(type=kind, id=kind, action={"type": "Lay", "slot": 0})
    await bob.send(type="undo", id="back")


async def _asked(server: Online, code: str, token: str | None) -> bytes:
    """Read everything that can be read by HTTP."""
    headers = {"authorization": f"Bearer {token}", **PACKING} if token else PACKING
    paths = ("", "/log?language=nl", "/journal", "/replay", "/paintings", "/fairness", "/invite")
    answers = [await server.get(f"/api/v1/tables/{code}{path}", **headers) for path in paths]
    return repr([(each.status, each.headers.get("content-length"), each.body) for each in answers[:-1]]).encode()
