"""Illustrated rules, and worked examples over HTTP: resolved by the rules, and stateless."""

from pathlib import Path
from typing import Any

import pytest

from jamboree.core.learning.pictures import MOST_MOVES, Trial, pictures_of, quick_reference
from jamboree.core.rulesets import Rulesets
from jamboree.core.words import LANGUAGES
from jamboree.games import all_games
from jamboree.server.store.store import Store
from tests.contract.toy import HighCard

from ..bench.online import Online, online
from .test_bad_input import everything

ALL = all_games()
API = "/api/v1/games"
BOOK = {"type": "BookSeat", "die": 0, "hex": "e6"}
ELSEWHERE = {"type": "BookSeat", "die": 0, "hex": "d5"}  # which is taken


async def tried(server: Online, moves: Any, ask: str = "play", language: str = "en", example: str = "families") -> Any:
    return await server.post(f"{API}/bebop/examples/{example}?language={language}", {"moves": moves, "ask": ask})


@pytest.mark.parametrize("key", ALL)
async def test_every_example_plays_to_its_end(store: Store, key: str) -> None:
    examples = pictures_of(ALL[key]).examples
    async with online(store, games=ALL) as server:
        for language in LANGUAGES:
            shown = (await server.get(f"{API}/{key}/examples?language={language}")).body
            assert [card["name"] for card in shown["examples"]] == [
                each.name for each in pictures_of(ALL[key]).examples
            ]
            for card, example in zip(shown["examples"], examples, strict=True):
                path, moves, points, answer = f"{API}/{key}/examples/{card['name']}?language={language}", [], 0, None
                following = card["begins"]["next"]
                while following:
                    moves.append(following)
                    answer = (await server.post(path, {"moves": moves})).body
                    points += answer["points"][shown["seat"]]
                    following = answer["next"]
                assert answer, "something is done in every example"
                assert all(answer["sentences"])
                assert points == example.points


async def test_a_move_returns_its_events_and_the_next_position(store: Store) -> None:
    async with online(store, games=ALL) as server:
        begun = (await tried(server, [])).body
        assert (begun["events"], begun["next"]) == ([], BOOK)
        answer = (await tried(server, [BOOK], language="nl")).body
    assert [event["type"] for event in answer["events"]] == ["SeatBooked", "FamilyScored"]
    assert answer["sentences"][0].startswith("Jij boekt e6")
    assert answer["points"] == [3, 0]
    assert answer["position"]["view"]["points"][0]["families"] == 7
    assert answer["position"]["legal"]["mask"]
    assert answer["position"]["question"]
    assert answer["next"] is None, "the example is complete"


async def test_a_deviation_ends_the_guidance(store: Store) -> None:
    async with online(store, games=ALL) as server:
        answer = (await tried(server, [{"type": "BookSeat", "die": 0, "hex": "b7"}])).body
    assert (answer["points"], answer["next"]) == ([0, 0], None)


async def test_a_preview_has_no_position_and_no_effect(store: Store) -> None:
    async with online(store, games=ALL) as server:
        ahead = (await tried(server, [BOOK], "preview")).body
        assert (ahead["points"], ahead["position"]) == ([3, 0], None)
        assert (await tried(server, [])).body["next"] == BOOK


async def test_illegal_moves_are_explained_with_their_rule(store: Store) -> None:
    async with online(store, games=ALL) as server:
        for language in LANGUAGES:
            for ask in ("play", "preview", "why-not"):
                answer = (await tried(server, [ELSEWHERE], ask, language)).body
                assert "d5" in answer["refused"]
                assert f"{{#{answer['rule']}}}" in ALL["bebop"].words.rules(language)
        assert (await tried(server, [BOOK], "why-not")).body["refused"] == ""


WRONG: list[tuple[Any, int, str]] = [
    ({"moves": [{"type": "Fly"}]}, 400, "malformed"),
    ({"moves": [{"type": "BookSeat", "die": 0, "hex": "z99"}]}, 200, ""),
    ({"moves": [{"type": "BookSeat", "die": 99, "hex": "e6"}]}, 200, ""),
    ({"moves": [ELSEWHERE, BOOK]}, 409, "illegal"),
    ({"moves": [BOOK, BOOK, BOOK]}, 409, "illegal"),
    ({"moves": [BOOK] * (MOST_MOVES + 1)}, 400, "malformed"),
    ({"moves": "all"}, 400, "malformed"),
    ({"moves": [BOOK], "ask": "win"}, 400, "malformed"),
    ({"moves": [BOOK], "seed": 1}, 400, "malformed"),
    ({}, 400, "malformed"),
]


async def test_invalid_requests_are_refused(store: Store) -> None:
    async with online(store, games=ALL) as server:
        for body, status, code in WRONG:
            answer = await server.post(f"{API}/bebop/examples/families", body)
            assert (answer.status, answer.body.get("code", "")) == (status, code), body
            assert status != 200 or answer.body["refused"]


async def test_unknown_examples_are_refused(store: Store, tmp_path: Path) -> None:
    async with online(store, games=ALL) as server:
        before = everything(tmp_path / "tables.db")
        for path, code in (("bebop/examples/none", "no-example"), ("chess/examples/none", "unknown-game")):
            assert (await server.post(f"{API}/{path}", {"moves": []})).body["code"] == code
        assert (await server.get(f"{API}/chess/examples")).body["code"] == "unknown-game"
        assert (await tried(server, [BOOK])).status == 200
        assert everything(tmp_path / "tables.db") == before


async def test_a_game_without_pictures_has_a_plain_page(store: Store) -> None:
    games = Rulesets({"high-card": HighCard()})
    async with online(store, games=games) as server:
        rules = (await server.get(f"{API}/high-card/rules")).body
        assert (rules["quick"], rules["pieces"]) == ("", [])
        assert (await server.get(f"{API}/high-card/examples")).body == {"seat": 0, "names": [], "examples": []}


async def test_the_rules_include_quick_reference_and_components(store: Store) -> None:
    async with online(store, games=ALL) as server:
        rules = (await server.get(f"{API}/bpm/rules?language=nl")).body
    assert rules["quick"] == quick_reference(ALL["bpm"], "nl") != ""
    dancers = rules["pieces"][0]
    assert (dancers["rule"], dancers["show"][0]["piece"]) == ("setup", "dancer")
    assert dancers["text"].startswith("Vier dansers")


def test_an_endless_example_stops_offering_moves() -> None:
    trial = Trial(ALL["bpm"], pictures_of(ALL["bpm"]).examples[0])
    assert trial.offers()
    trial.moves = MOST_MOVES
    assert not trial.offers()
