"""Quick phrases: by key, rate-limited, and by bots only in response to public events."""

import random
from typing import Any

import pytest

from jamboree.core.kit.reactions import Reaction, reactions_of
from jamboree.core.words import LANGUAGES
from jamboree.games import all_games
from jamboree.server.live.bots.chatter import MOST, SELDOM, WINDOW
from jamboree.server.live.commands.host import Mute
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.registry import Registry
from jamboree.server.store.store import Store

from ...bench.fake_time import FakeTime, settled
from ...bench.local import EVERY, Client, a_registry, gathered, play_on, started

GAMES = all_games()


async def test_a_phrase_is_sent_by_key_with_its_english_text(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        ada, bob = await started(registry, "bebop")
        assert (await ada.send(type="phrase", id="one", phrase="nice"))["type"] == "ack"
        chat = bob.received[-1]["message"]
        assert (chat["person"], chat["phrase"], chat["text"]) == ("p1", "nice", "What a booking!")
        assert (await ada.send(type="phrase", id="two", phrase="rude"))["code"] == "malformed"


async def test_a_whispered_phrase_reaches_one_person(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        ada, bob, cleo = await started(registry, "boogie", 3)
        before = len(cleo.received)
        assert (await ada.send(type="phrase", id="one", phrase="reply.no", to="p2"))["type"] == "ack"
        chat = bob.received[-1]["message"]
        assert (chat["person"], chat["to"], chat["audience"]) == ("p1", "p2", "whisper")
        assert (chat["phrase"], chat["text"]) == ("reply.no", "No deal.")
        assert not any(received["type"] == "chat" for received in cleo.received[before:])
        assert (await ada.send(type="phrase", id="two", phrase="nice", to="p9"))["code"] == "unknown-person"


async def test_phrases_are_rate_limited(store: Store) -> None:
    time = FakeTime()
    async with a_registry(store, EVERY, now=time) as registry:
        ada, bob = await started(registry, "bebop")
        for number in range(MOST):
            assert (await ada.send(type="phrase", id=str(number), phrase="nice"))["type"] == "ack"
        assert (await ada.send(type="phrase", id="more", phrase="nice"))["code"] == "too-fast"
        assert (await bob.send(type="phrase", id="his", phrase="nice"))["type"] == "ack"
        time.value += WINDOW
        assert (await ada.send(type="phrase", id="later", phrase="nice"))["type"] == "ack"


async def test_muted_people_cannot_send_phrases(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        ada, bob = await started(registry, "bebop")
        await (await registry.table(ada.session.code)).ask(Mute("p2", True), "p1")
        assert (await bob.send(type="phrase", id="one", phrase="nice"))["code"] == "muted"


@pytest.mark.parametrize("key", [*GAMES])
def test_every_phrase_of_a_bot_is_translated(key: str) -> None:
    game = GAMES[key]
    for reaction in reactions_of(game):
        for phrase in reaction.says:
            assert all(game.words.text(f"phrase.{phrase}", lang) for lang in LANGUAGES), phrase


@pytest.mark.parametrize("key", ["bebop", "bpm", "boogie"])
def test_every_game_has_a_few_phrases(key: str) -> None:
    texts: Any = GAMES[key].words
    mine = [name for name in texts.catalogue.texts("en") if name.startswith("phrase.")]
    assert 5 <= len([name for name in mine if not name.startswith("phrase.reply.")]) <= 8
    assert mine == [name for name in texts.catalogue.texts("nl") if name.startswith("phrase.")]


def test_a_remark_comes_from_the_bot_concerned_or_another_one() -> None:
    done, other = Reaction("Scored", ["nice"], "seat"), Reaction("Scored", ["nice"], "others", {"points": 5})
    event = {"type": "Scored", "seat": 1, "points": 4}
    assert done.fits(event)
    assert not other.fits(event)
    assert other.fits({**event, "points": 5})
    assert (done.speakers(event, [1, 2]), other.speakers(event, [1, 2])) == ([1], [2])


async def played(registry: Registry, time: FakeTime, seed: int) -> list[dict[str, Any]]:
    """Play a game with bots, and return the chat."""
    code, tickets = await gathered(registry, "bebop", 3, bots={1: "regular", 2: "regular"})
    table = await registry.table(code)
    await table.ask(Start(), "p1")
    client, rng = Client(registry, code, tickets[0].token), random.Random(seed)
    await client.hello()
    for _ in range(400):
        await play_on([client], rng, 1)
        await time.goes_by(registry, 5)
        await settled(table)
        if client.position and client.position["outcome"]:
            break
    await time.goes_by(registry, 5)
    return [message["message"] for message in client.received if message["type"] == "chat"]


async def test_bots_remark_on_moves_occasionally(store: Store) -> None:
    time = FakeTime()
    async with a_registry(store, EVERY, now=time) as registry:
        messages = await played(registry, time, 3)
        assert 1 <= len(messages) <= 5 * 400 / SELDOM
        assert all(line["bot"] and not line["person"] and line["phrase"] for line in messages)
