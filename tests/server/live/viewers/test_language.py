"""The language of a connection: sentences, questions, refusals and warnings, and nothing more than was witnessed."""

import random
import re
from typing import Any, get_args

import pytest

from jamboree.core.errors import Illegal
from jamboree.core.words import LANGUAGES
from jamboree.games import all_games
from jamboree.server.live import session
from jamboree.server.live.commands.joining import Join
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.registry import Registry
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store.store import Store

from ...bench.local import Client, a_registry, gathered, play_on, started

ALL = all_games()
NO_HEX = Illegal("claim", "no-such-hex", {"hex": "nowhere"}, "")


async def spoken(
    registry: Registry, game: str, seats: int, languages: list[str | None], **options: Any
) -> list[Client]:
    """Begin a game with a client on every seat, each in a language."""
    code, tickets = await gathered(registry, game, seats, **options)
    await (await registry.table(code)).ask(Start(), tickets[0].person)
    clients = [
        Client(registry, code, ticket.token, language) for ticket, language in zip(tickets, languages, strict=True)
    ]
    for client in clients:
        await client.hello()
    return clients


def updates(client: Client) -> list[dict[str, Any]]:
    return [message for message in client.received if message["type"] == "update"]


async def test_every_connection_gets_its_language(store: Store) -> None:
    async with a_registry(store, ALL, seed=3) as registry:
        clients = await spoken(registry, "bebop", 3, ["en", "nl", None])
        await play_on(clients, random.Random(1), 30)
        english, dutch, silent = (updates(client) for client in clients)
        sentences = [
            (one["sentences"], other["sentences"]) for one, other in zip(english, dutch, strict=True) if one["events"]
        ]
        assert sentences
        assert all(one != other for one, other in sentences if any(one))
        assert all(len(step["sentences"]) == len(step["events"]) for step in english + dutch)
        assert {len(step["sentences"]) for step in silent} == {0}
        assert any("Ada" in sentence for step in dutch for sentence in step["sentences"])


async def test_a_question_is_sent_to_its_actors_only(store: Store) -> None:
    async with a_registry(store, ALL, seed=3) as registry:
        clients = await spoken(registry, "bebop", 3, ["nl", "nl", "nl"])
        for client in clients:
            assert bool(client.position["question"]) == bool(client.legal())
        (asked,) = [client.position["question"] for client in clients if client.legal()]
        assert asked == "Welke stoel claim je, en waar?"
        subscriber = Client(registry, clients[0].session.code, None, "en")
        assert (await subscriber.hello())["position"]["question"] == ""


async def test_the_verdict_is_sent_after_the_game(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    decided = ALL["bebop"].words.decided

    def marked(view: Any, *rest: Any) -> str:
        return f"[seen by {view.viewer}] {decided(view, *rest)}"

    monkeypatch.setattr(ALL["bebop"].words, "decided", marked)
    async with a_registry(store, ALL, seed=3) as registry:
        clients = await spoken(registry, "bebop", 2, ["en", "nl"])
        spectator = Client(registry, clients[0].session.code, None, "en")
        assert (await spectator.hello())["position"]["decided"] == ""
        assert [client.position["decided"] for client in clients] == ["", ""]
        await play_on(clients, random.Random(4), 2000)
        english, dutch = (client.position for client in clients)
        assert english["outcome"]["winners"] == dutch["outcome"]["winners"]
        assert re.match(r"\[seen by 0\] .*decided it", english["decided"])
        assert re.match(r"\[seen by 1\] .*de doorslag", dutch["decided"])
        assert spectator.position["decided"].startswith("[seen by None] ")
        silent = Client(registry, clients[0].session.code, None, None)
        assert (await silent.hello())["position"]["decided"] == ""


async def test_two_languages_of_one_seat_do_not_mix(store: Store) -> None:
    async with a_registry(store, ALL, seed=3) as registry:
        clients = await spoken(registry, "bebop", 2, ["en", "en"])
        others = [Client(registry, client.session.code, client.token, "nl") for client in clients]
        for other in others:
            await other.hello()
        await play_on(clients, random.Random(2), 12)
        for client, other in zip(clients, others, strict=True):
            assert client.position["view"] == other.position["view"]
            assert client.position["question"] != other.position["question"] or not client.position["question"]


async def test_missed_steps_are_translated_too(store: Store) -> None:
    async with a_registry(store, ALL, seed=3) as registry:
        clients = await spoken(registry, "bebop", 2, ["en", "en"])
        seen = clients[0].seq
        await play_on(clients, random.Random(2), 10)
        back = Client(registry, clients[0].session.code, clients[0].token, "en")
        missed = (await back.hello(seen))["missed"]
        assert [step["sentences"] for step in missed] == [step["sentences"] for step in updates(clients[0])]


async def test_refusals_and_previews_are_translated(store: Store) -> None:
    async with a_registry(store, ALL, seed=3) as registry:
        clients = await spoken(registry, "bebop", 2, ["nl", "nl"])
        client = next(each for each in clients if each.legal())
        occupied = {"type": "ClaimSeat", "tile": "basic", "hex": "nowhere", "face_down": False}
        refused = await client.act(occupied, "1")
        assert (refused["code"], refused["sentence"]) == ("illegal", ALL["bebop"].words.reason(NO_HEX, "nl"))
        why = await client.send(type="why-not", id="2", action=occupied)
        assert why["sentence"] == refused["sentence"]
        preview = await client.send(type="preview", id="3", action=client.legal()[0])
        assert len(preview["sentences"]) == len(preview["events"]) > 0
        assert all(preview["sentences"])


async def test_warnings_have_sentences(store: Store) -> None:
    async with a_registry(store, ALL, seed=5) as registry:
        clients = await spoken(registry, "boogie", 3, ["nl", "en", None])
        warned = await _until_warned(clients)
        chat = {client.language: warning["sentence"] for client, warning in warned}
        assert chat["nl"] and chat["en"] and chat["nl"] != chat["en"]
        assert chat[None] == ""


async def _until_warned(clients: list[Client]) -> list[tuple[Client, dict[str, Any]]]:
    """Let everyone play cards until each has received a warning."""
    rng, found = random.Random(4), dict[str | None, tuple[Client, dict[str, Any]]]()
    for number in range(2000):
        for client in clients:
            for warning in client.position["legal"]["cautions"]:
                found[client.language] = (client, warning)
        if len(found) == len(clients):
            break
        client = rng.choice([each for each in clients if each.legal()])
        await client.act(rng.choice(client.legal()), str(number))
    return list(found.values())


async def test_an_unknown_language_is_refused(store: Store) -> None:
    async with a_registry(store) as registry:
        (ada, _) = await started(registry)
        guest = Client(registry, ada.session.code, None, "tlh")
        assert (await guest.hello())["code"] == "malformed"


def test_every_language_can_be_requested() -> None:
    hinted = session.Hello.__annotations__["language"]
    assert set(get_args(get_args(hinted)[0])) == set(LANGUAGES)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", ALL)
def test_every_option_has_a_help_text(key: str, lang: str) -> None:
    game = ALL[key]
    lines = [game.words.help(option, lang) for option in game.info.options.__struct_fields__]
    assert len(set(lines)) == len(lines)
    assert all(line.endswith(".") and "\n" not in line for line in lines)


async def test_sentences_use_the_names_at_the_table(store: Store) -> None:
    async with a_registry(store, ALL, seed=3) as registry:
        code, host = await registry.open(OpenTable(game="bebop", seats=2, name="Zoë"))
        table = await registry.table(code)
        other = await table.ask(Join("Quincy"))
        await table.ask(Start(), host.person)
        clients = [Client(registry, code, each.token, "en") for each in (host, other)]
        for client in clients:
            await client.hello()
        await play_on(clients, random.Random(2), 40)
        sentences = " ".join(sentence for step in updates(clients[0]) for sentence in step["sentences"])
        assert "Zoë" not in sentences and "You " in sentences and "Quincy" in sentences
