"""Games, rules, options and logs over HTTP."""

import random
from typing import Any

from jamboree.core.rulesets import Rulesets
from jamboree.core.words import LANGUAGES
from jamboree.games import all_games
from jamboree.games.bebop.box.board import load
from jamboree.games.bpm.box.crate import house_source
from jamboree.server.live.commands.host import Expire
from jamboree.server.live.commands.joining import Join
from jamboree.server.live.commands.playing import Start
from jamboree.server.store.store import Store
from tests.contract.toy import HighCard

from ..bench.local import GAMES, Client, a_registry, play_on
from ..bench.logs import log_steps
from ..bench.online import Online, online
from ..live.viewers.test_language import spoken, updates

ALL = all_games()


async def test_a_card_describes_a_games_requirements_and_options(store: Store) -> None:
    async with online(store, games=ALL) as server:
        cards = {card["key"]: card for card in (await server.get("/api/v1/games")).body}
        assert set(cards) == set(ALL)
        for key, card in cards.items():
            options = set(ALL[key].info.options.__struct_fields__)
            assert {language: set(help) for language, help in card["help"].items()} == dict.fromkeys(LANGUAGES, options)
            assert 0 < card["minutes"][0] < card["minutes"][1]
            assert card["bots"]
            assert card["undo"] == (card["key"] != "boogie")


async def test_cards_are_sorted_and_complete(store: Store) -> None:
    async with online(store, games=ALL) as server:
        cards = (await server.get("/api/v1/games")).body
    assert [card["key"] for card in cards] == ["bebop", "bpm", "boogie"]
    for card in cards:
        assert all(card["name"][language] and card["line"][language] for language in LANGUAGES)
        assert set(card["labels"]["en"]) == set(card["labels"]["nl"]) >= set(card["help"]["en"])
    assert cards[2]["labels"]["nl"]["pace.relaxed"] == ALL["boogie"].words.text("web.option.pace.relaxed", "nl")
    assert cards[2]["labels"]["en"]["plane_seconds"] == "Seconds in the plane"


async def test_a_game_without_card_texts_is_listed(store: Store) -> None:
    async with online(store, games=Rulesets({"high-card": HighCard(), **ALL})) as server:
        *_, card = (await server.get("/api/v1/games")).body
    assert card["key"] == "high-card"
    assert card["name"] == {"en": "High Card", "nl": "High Card"}
    assert card["line"] == {"en": "", "nl": ""}
    assert card["labels"]["en"] == {"timed": "Timed"}


async def test_the_rules_are_available_in_every_language(store: Store) -> None:
    async with online(store, games=ALL) as server:
        for language in LANGUAGES:
            rules = (await server.get(f"/api/v1/games/boogie/rules?language={language}")).body
            assert rules["markdown"] == ALL["boogie"].words.rules(language)
        assert (await server.get("/api/v1/games/boogie/rules?language=tlh")).body["code"] == "malformed"
        assert (await server.get("/api/v1/games/chess/rules")).body["code"] == "unknown-game"


async def checked(server: Online, key: str, options: Any, language: str = "en") -> Any:
    answer = await server.post(f"/api/v1/games/{key}/check?language={language}", options)
    assert answer.status == 200, answer
    return answer.body


async def test_every_error_of_a_crate_is_listed_with_its_line(store: Store) -> None:
    head, first, _, *rest = house_source().splitlines()
    wrong = "\n".join([head, first.replace(",red,", ",pink,"), "No BPM,Nobody,fast,1987", *rest])
    async with online(store, games=ALL) as server:
        assert await checked(server, "bpm", {"songs": house_source()}) == {"ok": True, "problems": [], "remarks": []}
        answer = await checked(server, "bpm", {"songs": wrong}, "nl")
        assert not answer["ok"]
        assert [problem["line"] for problem in answer["problems"]] == [2, 3]
        assert answer["problems"][1]["sentence"].startswith("regel 3, bpm: fast is geen")
        dealt = "\n".join(line.rpartition(",")[0] for line in house_source().splitlines())
        assert (await checked(server, "bpm", {"songs": dealt}))["remarks"]


async def test_every_error_of_a_board_is_listed_with_its_line(store: Store) -> None:
    board = load("vanillaville").source
    async with online(store, games=ALL) as server:
        assert (await checked(server, "bebop", {"board": board}))["ok"]
        answer = await checked(server, "bebop", {"board": board.replace("A", "?").replace("B", "!")})
        assert len(answer["problems"]) > 1
        assert all(problem["line"] > 0 for problem in answer["problems"])
        assert not (await checked(server, "bebop", {"board": "nothing"}))["ok"]


async def test_malformed_options_are_client_errors(store: Store) -> None:
    async with online(store, games=ALL) as server:
        for options in ({"star": "much"}, {"more": 1}):
            answer = await checked(server, "bebop", options)
            assert (answer["ok"], answer["problems"][0]["line"]) == (False, 0)
        refused = await server.post("/api/v1/games/bebop/check", ["a list"])
        assert (refused.status, refused.body["code"]) == (400, "malformed")


async def test_the_log_equals_the_sent_sentences(store: Store) -> None:
    async with a_registry(store, ALL, seed=4) as registry:
        clients = await spoken(registry, "bebop", 2, ["nl", "nl"])
        subscriber = Client(registry, clients[0].session.code, None, "nl")
        await subscriber.hello()
        await play_on(clients, random.Random(3), 200)
        history = await store.history(clients[0].session.code)
        for seat, client in [*enumerate(clients), (None, subscriber)]:
            log = log_steps(history, ALL["bebop"], seat, "nl", seat)
            assert [step.sentences for step in log] == [list(filter(None, u["sentences"])) for u in updates(client)]
            assert [step.seq for step in log] == [update["seq"] for update in updates(client)]
            assert [step.step for step in log] == list(range(1, len(log) + 1))


async def test_private_steps_are_missing_from_the_logs_of_others(store: Store) -> None:
    async with a_registry(store, ALL, seed=4) as registry:
        clients = await spoken(registry, "boogie", 3, ["en", "en", "en"])
        for client in clients:
            await client.act({"type": "SayReady"}, "up")
        await clients[0].act({"type": "PromiseTo", "to": 1}, "promise")
        term = {"pledge": "sure", "jump": {"number": 2, "solo": None}, "worth": 0}
        assert (await clients[0].act({"type": "Promise", "term": term}, "made"))["type"] == "ack"
        history = await store.history(clients[0].session.code)
        logs = [log_steps(history, ALL["boogie"], seat, "en") for seat in (0, 1, 2, None)]
        assert [len(log) for log in logs] == [5, 4, 3, 3], "to be ready is for all, to promise for two"
        assert logs[0][-1].sentences == logs[1][-1].sentences
        for log in logs:
            assert [step.seq for step in log] == list(range(log[0].seq, log[0].seq + len(log))), "no number is left out"
            assert {step.step for step in log} == {None}, "the journal would have more of them"


async def test_every_viewer_has_a_log_of_its_own(store: Store) -> None:
    async with online(store, seed=4) as server:
        tickets = await server.seated("high-card", 2)
        path = f"/api/v1/tables/{tickets[0]['table']}/log"
        clients = [Client(server.registry, ticket["table"], ticket["token"]) for ticket in tickets]
        for client in clients:
            await client.hello()
            await client.act({"type": "Lay", "slot": 0}, "one")
        logs = [(await server.get(path, authorization=f"Bearer {ticket['token']}")).body for ticket in tickets]
        watched = (await server.get(path)).body
        assert logs[0][0]["sentences"] != watched[0]["sentences"] == logs[1][0]["sentences"]
        assert logs[0][0]["actor"] == 0
        wrong = await server.get(path, authorization="Bearer wrong")
        assert (wrong.status, wrong.body["code"]) == (403, "wrong-token")
        assert (await server.get(path.replace(tickets[0]["table"], "nowhere"))).body["code"] == "unknown-table"


async def test_undone_steps_stay_in_the_log_and_are_marked(store: Store) -> None:
    async with a_registry(store, ALL, seed=4) as registry:
        clients = await spoken(registry, "bebop", 2, ["en", "en"])
        client = next(each for each in clients if each.legal())
        claims = [action for action in client.legal() if action["type"] == "ClaimSeat" and action["tile"] == "basic"]
        await client.act(claims[0], "one")
        assert (await client.send(type="undo", id="back"))["type"] == "ack"
        await client.act(claims[1], "two")
        log = log_steps(await store.history(client.session.code), ALL["bebop"], client.position["view"]["viewer"], "en")
        assert [(step.step, step.undone) for step in log] == [(None, True), (None, False)]
        assert [claims[at]["hex"] in step.sentences[0] for at, step in enumerate(log)] == [True, True]
        await play_on(clients, random.Random(1))
        again = log_steps(await store.history(client.session.code), ALL["bebop"], None, "en")
        assert [step.step for step in again] == [1, *range(3, len(again) + 2)], "as in the journal, where 2 is the undo"


async def test_the_log_of_a_fork_continues_the_numbering(store: Store) -> None:
    async with a_registry(store, seed=4) as registry:
        clients = await spoken(registry, "high-card", 2, ["en", "en"])
        await play_on(clients, random.Random(3))
        code = await registry.fork(clients[0].session.code, "p1", 2)
        table = await registry.table(code)
        await table.ask(Join("Bob"))
        await table.ask(Start(), "p1")
        ada = Client(registry, code, clients[0].token, "en")
        await ada.hello()
        assert (await ada.act(ada.legal()[0], "on"))["type"] == "ack"
        await table.ask(Expire())
        assert [step.step for step in log_steps(await store.history(code), GAMES["high-card"], 0, "en")] == [3]
