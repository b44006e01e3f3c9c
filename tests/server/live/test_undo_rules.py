"""Which moves can be undone at once, by consent, or never, in each game."""

import random
from typing import Any

import pytest

from jamboree.server.store.store import Store

from ..bench.local import EVERY, a_registry, started
from ..bench.undoing import ASK, one, until


@pytest.mark.parametrize("kind", ["DrawFromBag", "RerollDie", "BookSeat"])
async def test_with_hidden_hands_revealed_information_is_not_undone(store: Store, kind: str) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 3, hidden_hands=True)
        mover = await until(clients, kind)
        action = one(mover, kind)
        assert (await mover.send(type="preview", id="p", action=action))["undo"] == "never"
        await mover.act(action, "shown")
        assert mover.undo["rule"] == "never"
        refusal = await mover.send(**ASK)
        assert (refusal["type"], refusal["code"]) == ("error", "no-undo")


@pytest.mark.parametrize(("kind", "rule"), [("ClaimSeat", "free"), ("KeepDice", "free"), ("TakeFromQueue", "consent")])
async def test_with_hidden_hands_public_moves_can_be_undone(store: Store, kind: str, rule: str) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 2)
        mover = await until(clients, kind)
        await mover.act(one(mover, kind), "shown")
        assert mover.undo["rule"] == rule


async def test_with_open_hands_a_booking_can_be_undone(store: Store) -> None:
    async with a_registry(store) as registry:
        mover = await until(await started(registry, "bebop", 3), "BookSeat")
        await mover.act(one(mover, "BookSeat"), "book")
        assert mover.undo == {"rule": "free", "steps": 1}


@pytest.mark.parametrize(
    ("kind", "rule"),
    [("DiscardSongs", "never"), ("CueSong", "never"), ("SwapDancers", "free"), ("SendOnBreak", "consent")],
)
async def test_in_bpm_sealed_choices_are_final_and_moves_on_the_floor_are_not(
    store: Store, kind: str, rule: str
) -> None:
    async with a_registry(store, EVERY, seed=1) as registry:
        clients = await started(registry, "bpm", 3)
        mover = await until(clients, kind, 2)
        action = one(mover, kind)
        assert (await mover.send(type="preview", id="p", action=action))["undo"] == rule
        await mover.act(action, "made")
        assert mover.undo == {"rule": rule, "steps": 1}


async def test_keeping_a_sealed_choice_is_final(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        clients = await started(registry, "bpm", 2)
        await until(clients, "CueSong", 2)
        await clients[0].act(one(clients[0], "CueSong"), "cue")
        await clients[0].act({"type": "Decline"}, "for good")
        assert clients[0].undo == {"rule": "never", "steps": 1}, "the others may replace theirs unseen"


async def test_boogie_has_no_undo(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        clients = await started(registry, "boogie", 3)
        ready = {"type": "SayReady"}
        assert (await clients[0].send(type="preview", id="p", action=ready))["undo"] == "never"
        await clients[0].act(ready, "ready")
        assert clients[0].undo == {"rule": "never", "steps": 1}
        assert (await clients[0].send(**ASK))["code"] == "no-undo"


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("high-card", 3, {}),
        ("bebop", 2, {}),
        ("bebop", 4, {"star": True}),
        ("bpm", 2, {}),
        ("bpm", 3, {"hypemaster": True}),
        ("boogie", 3, {}),
    ],
)
async def test_announced_undo_rules_hold(store: Store, game: str, seats: int, options: dict[str, Any]) -> None:
    async with a_registry(store, EVERY) as registry:
        clients, rng = await started(registry, game, seats, **options), random.Random(7)
        for number in range(150):
            able = [client for client in clients if client.legal()]
            if not able:
                return
            client = rng.choice(able)
            action = rng.choice(client.legal())
            foreseen = await client.send(type="preview", id="p", action=action)
            await client.act(action, f"{number}")
            if client.table["status"] == "playing":
                assert (action, client.undo["rule"]) == (action, foreseen["undo"])
