"""Secrets of a table: absent from frames, lengths, errors and the disk."""

import random
from pathlib import Path
from typing import Any

import pytest

from jamboree.server.store.store import Store, open_store

from ..bench.local import Client, a_registry, started

HIDDEN = ("picks", "state", "token", "tokens", "hash", "epoch")


async def sent_frames(folder: Path, name: str, slot: int) -> list[list[bytes]]:
    """Let the first seat choose a slot, and return the frames of each seat and a spectator."""
    store = open_store(str(folder / f"{name}.db"))
    async with a_registry(store, seed=11) as registry:
        clients = await started(registry, seats=3)
        subscriber = Client(registry, clients[0].session.code)
        await subscriber.hello()
        received = [len(client.frames) for client in [*clients, subscriber]]
        await clients[0].act({"type": "Lay", "slot": slot}, "first")
        await clients[1].act({"type": "Lay", "slot": 1}, "second")
        frames = [client.frames[start:] for client, start in zip([*clients, subscriber], received, strict=True)]
    store.close()
    return frames


async def test_a_sealed_choice_does_not_affect_frames_or_their_length(tmp_path: Path) -> None:
    one, other = await sent_frames(tmp_path, "one", 0), await sent_frames(tmp_path, "other", 1)
    assert one[1:] == other[1:], "the others are sent the same"
    assert one[0] != other[0], "only the player who chose is sent the choice"
    lengths = [[len(frame) for frame in frames[0]] for frames in (one, other)]
    assert lengths[0] == lengths[1]


def keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*(keys(item) for item in value.values()))
    return set().union(*(keys(item) for item in value)) if isinstance(value, list) else set()


async def test_frames_contain_no_picks_hashes_or_tokens(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, "bebop", 2, hidden_hands=True)
        rng = random.Random(6)
        for number in range(20):
            client = next(each for each in clients if each.legal())
            await client.act(rng.choice(client.legal()), str(number))
            await client.act({"type": "BookSeat", "die": 7, "hex": "nowhere"}, f"wrong {number}")
        for message in (message for client in clients for message in client.received):
            named = keys({name: part for name, part in message.items() if name != "position"})
            named |= keys({name: part for name, part in (message.get("position") or {}).items() if name != "view"})
            assert not named & set(HIDDEN)
        for client in clients:
            text = b"".join(client.frames)
            assert not any(other.token.encode() in text for other in clients if other.token)


@pytest.mark.parametrize("seat", [0, 1])
async def test_frames_do_not_contain_other_hands(store: Store, seat: int) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry)
        for number in range(4):
            for client in clients:
                await client.act({"type": "Lay", "slot": 0}, str(number))
        for message in clients[seat].received:
            view = (message.get("position") or {}).get("view")
            assert view is None or view["hands"][1 - seat]["cards"] is None
        drawn = [event for event in clients[seat].events if event["type"] == "CardDrawn"]
        assert {event["card"] is None for event in drawn if event["seat"] != seat} == {True}


async def test_tokens_are_long_and_never_stored(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "tables.db"))
    async with a_registry(store) as registry:
        clients = await started(registry)
    store.close()
    on_disk = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for client in clients:
        assert client.token
        assert len(client.token) * 6 >= 128
        assert client.token.encode() not in on_disk


async def test_a_wrong_token_gets_no_view(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        (elsewhere, _) = await started(registry)
        for token in ("wrong", str(elsewhere.token), f"{ada.token}x"):
            thief = Client(registry, ada.session.code, token)
            answer = await thief.hello()
            assert (answer["type"], answer["code"]) == ("error", "wrong-token")
            assert (await thief.act({"type": "Lay", "slot": 0}, "x"))["code"] == "no-hello"


async def test_refusals_have_codes_and_sentences_and_no_effect(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob = await started(registry)
        subscriber = Client(registry, ada.session.code)
        await subscriber.hello()
        await ada.act({"type": "Lay", "slot": 0}, "one")
        seq = bob.seq
        wrong: list[tuple[Client, dict[str, Any], str]] = [
            (ada, {"type": "act", "id": "2", "action": {"type": "Lay", "slot": 1}}, "not-your-turn"),
            (bob, {"type": "act", "id": "3", "action": {"type": "Lay", "slot": 9}}, "illegal"),
            (bob, {"type": "act", "id": "4", "action": {"type": "TimeUp"}}, "illegal"),
            (bob, {"type": "act", "id": "5", "action": {"type": "Fly"}}, "malformed"),
            (bob, {"type": "act", "id": "", "action": {}}, "malformed"),
            (bob, {"type": "dance"}, "malformed"),
            (bob, {"type": "hello"}, "second-hello"),
            (bob, {"type": "preview", "id": "6", "action": {"type": "Lay", "slot": 9}}, "illegal"),
            (subscriber, {"type": "act", "id": "7", "action": {"type": "Lay", "slot": 0}}, "players-only"),
            (subscriber, {"type": "why-not", "id": "8", "action": {"type": "Lay", "slot": 0}}, "players-only"),
        ]
        for client, message, code in wrong:
            answer = await client.send(**message)
            assert (answer["type"], answer["code"]) == ("error", code)
            assert answer["sentence"].endswith(".")
        for data in (b"", b"\xff", b"[" * 5_000, b"{}", b"null", b'"act"'):
            await bob.session.receive(data)
            assert bob.received[-1]["code"] == "malformed"
        assert bob.seq == seq == registry.tables[ada.session.code].state.seq


async def test_preview_and_why_not_depend_on_the_view_only(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        seen = await ada.send(type="preview", id="p", action={"type": "Lay", "slot": 0})
        assert seen["events"] == [{"type": "CardLaid", "seat": 0, "card": ada.position["view"]["hands"][0]["cards"][0]}]
        fine = await ada.send(type="why-not", id="w", action={"type": "Lay", "slot": 0})
        assert (fine["type"], fine["allowed"]) == ("why-not", True)
        never = await ada.send(type="why-not", id="w", action={"type": "Lay", "slot": 5})
        assert (never["allowed"], never["detail"]["rule"]) == (False, "lay")
