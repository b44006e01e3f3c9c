"""The evening of a party: its score over all games, the next game for all its people, and the remote control."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from jamboree.core.game import Outcome
from jamboree.games import all_games
from jamboree.server.errors import Refused
from jamboree.server.live.commands.joining import Join
from jamboree.server.live.commands.party import EndParty, points_of
from jamboree.server.live.opening import MOST_GAMES, carried_over
from jamboree.server.protocol.terms import EveningGame
from jamboree.server.store.store import Store

from ...bench.local import GAMES, Client, a_registry, play_on
from ...bench.online import Online, online
from ...http.test_failed_commits import Hanging
from .test_party import TABLES, Party, bearer

ALL = {**GAMES, **all_games()}


@pytest.mark.parametrize(
    ("scores", "winners", "points"),
    [
        ([41, 38, 33, 30, 21], [0], [4, 3, 2, 1, 0]),
        ([9, 9, 4], [0, 1], [1, 1, 0]),
        ([9, 9, 4], [1], [1, 2, 0]),
        ([5, 5, 5], [0, 1, 2], [0, 0, 0]),
    ],
    ids=["everybody apart", "a tie beats nobody", "a tie that the rules break", "all the same"],
)
def test_one_point_for_everybody_you_beat(scores: list[int], winners: list[int], points: list[int]) -> None:
    outcome = Outcome(winners, scores)
    assert [points_of(outcome, seat) for seat in range(len(scores))] == points


def test_an_evening_without_end_takes_its_last_games_along() -> None:
    """Games of bots last a second, and every table of the party stores all of them."""
    games = [EveningGame("high-card", players, {"p1": players}, ["p2"]) for players in range(3 * MOST_GAMES)]
    taken = carried_over(games, {"p1": "p3"})
    assert [game.players for game in taken] == [*range(2 * MOST_GAMES, 3 * MOST_GAMES)]
    assert (taken[0].points, taken[0].watched) == ({"p3": 2 * MOST_GAMES}, [])


async def played(party: Party, players: int) -> None:
    """Start a game and play it to its end on the phones of its players."""
    for ticket in party.tickets[:players]:  # invited people have come once
        phone = party.client(ticket["token"])
        await phone.hello()
        await phone.session.end()
    assert await party.ask(0, "start") == (204, None)
    phones = [party.client(ticket["token"]) for ticket in party.tickets[:players]]
    for phone in phones:
        await phone.hello()
    for _ in range(50):
        await play_on(phones, random.Random(1))
        if (await party.seen())["status"] == "finished":
            return
        await asyncio.sleep(0.1)  # a bot moves
    raise AssertionError("the game did not end")


async def next_game(party: Party, who: int = 0, **body: Any) -> Party:
    """Open the next game; everybody goes there with the token they have."""
    answer = await party.server.post(f"{TABLES}/{party.code}/next-game", body, **bearer(party.tickets[who]))
    assert answer.status == 201, answer
    there = Party(party.server, answer.body["table"])
    there.tickets = party.tickets
    return there


def names(table: dict[str, Any]) -> dict[str, str]:
    return {one["person"]: one["name"] for one in table["people"]}


def tonight(table: dict[str, Any]) -> list[dict[str, int]]:
    """Points by name, for each game."""
    called = names(table)
    return [{called[who]: points for who, points in game["points"].items()} for game in table["evening"]]


async def test_the_score_goes_on_in_the_next_game_and_through_a_restart(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Bob", "Cleo", seats=3)
        assert (await party.seen())["evening"] == []
        await played(party, 3)
        seen = await party.seen()
        first = tonight(seen)
        scores = {one["name"]: seen["outcome"]["scores"][one["seat"]] for one in seen["people"]}
        beaten = {name: sum(scores[name] > other for other in scores.values()) for name in scores}
        assert first == [beaten] and seen["evening"][0]["players"] == 3
        again = await next_game(party)
        assert tonight(await again.seen()) == first
        await played(again, 3)
        both = tonight(await again.seen())
        assert both[0] == first[0] and len(both) == 2
    async with a_registry(store) as registry:
        screen = Client(registry, again.code)
        await screen.hello(screen=True)
        assert tonight(screen.table) == both


async def test_another_game_keeps_the_people_and_the_score(store: Store) -> None:
    async with online(store, games=ALL) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=3)
        assert await party.ask(0, "bots", {"seat": 2, "level": "rookie"}) == (204, None)
        await played(party, 2)
        bebop = await next_game(party, game="bebop")
        seen = await bebop.seen()
        assert (seen["game"], seen["seats"], seen["options"]["hidden_hands"], seen["party"]) == ("bebop", 3, True, True)
        assert {one["name"]: one["seat"] for one in seen["people"]} == {"Ada": 0, "Bob": 1}
        assert [bot["seat"] for bot in seen["bots"]] == [2]
        assert (names(seen)[seen["host"]], tonight(seen)) == ("Ada", tonight(await party.seen()))
        assert seen["evening"][0]["game"] == "high-card"


async def test_a_game_for_more_people_leaves_seats_free(store: Store) -> None:
    async with online(store, games=ALL) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        boogie = await (await next_game(party, game="boogie")).seen()
        least = all_games()["boogie"].info.seats[0]
        assert least > 2
        assert (boogie["seats"], sorted(one["seat"] for one in boogie["people"])) == (least, [0, 1])
        before = await party.seen()
        assert (before["status"], before["rematch"]) == ("closed", boogie["table"]), "before a game, it is changed"


async def five(server: Online) -> Party:
    """A finished game of three, which Dan and Eve watched."""
    party = await Party.opened(server, "Ada", "Bob", "Cleo", seats=3)
    for name in ("Dan", "Eve"):
        party.tickets.append((await server.post(f"{TABLES}/{party.code}/join", {"name": name, "watch": True})).body)
        await party.client(party.tickets[-1]["token"]).hello()
    await played(party, 3)
    return party


async def test_whoever_watched_is_first_in_line_and_gets_no_zero(store: Store) -> None:
    async with online(store, games=ALL) as server:
        party = await five(server)
        seen = await party.seen()
        (game,) = seen["evening"]
        assert [names(seen)[who] for who in game["watched"]] == ["Dan", "Eve"]
        assert tonight(seen)[0].keys() == {"Ada", "Bob", "Cleo"}
        chosen = next(one["person"] for one in seen["people"] if one["name"] == "Bob")
        bebop = await (await next_game(party, game="bebop", watching=[chosen])).seen()
        seats = {one["name"]: one["seat"] for one in bebop["people"]}
        assert seats == {"Ada": 0, "Cleo": 1, "Dan": 2, "Eve": 3, "Bob": None}
        assert [names(bebop)[who] for who in bebop["evening"][0]["watched"]] == ["Dan", "Eve"]


async def test_unless_the_host_chooses_the_last_player_makes_room(store: Store) -> None:
    async with online(store, games=ALL) as server:
        bebop = await (await next_game(await five(server), game="bebop")).seen()
        seats = {one["name"]: one["seat"] for one in bebop["people"]}
        assert seats == {"Ada": 0, "Bob": 1, "Dan": 2, "Eve": 3, "Cleo": None}


async def test_only_the_remote_opens_the_next_game_and_not_during_one(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        assert await party.ask(1, "next-game", {}) == (403, "host-only")
        assert await party.ask(1, "rematch") == (403, "host-only")
        assert await party.ask(0, "next-game", {"game": "chess"}) == (422, "unknown-game")
        await party.ask(0, "start")
        assert await party.ask(0, "next-game", {}) == (409, "not-finished")
        (ada, _) = await server.seated()
        answer = await server.post(f"{TABLES}/{ada['table']}/next-game", {}, **bearer(ada))
        assert (answer.status, answer.body["code"]) == (409, "no-party")


async def test_everybody_who_asks_finds_the_same_next_game(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        await played(party, 2)
        code = (await next_game(party)).code
        assert (await next_game(party, who=1, game="bebop")).code == code
        assert (await server.post(f"{TABLES}/{party.code}/rematch", **bearer(party.tickets[1]))).body["table"] == code
        assert not any(one["invited"] for one in (await Party(server, code).seen())["people"])


async def test_the_remote_shows_the_score_and_ends_the_evening(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        await played(party, 2)
        assert await party.ask(1, "evening", {"shown": True}) == (403, "host-only")
        assert await party.ask(0, "evening", {"shown": True}) == (204, None)
        assert await party.ask(0, "end") == (204, None)
    async with a_registry(store) as registry:
        screen = Client(registry, party.code)
        await screen.hello(screen=True)
        shown = screen.table
        assert (shown["evening_shown"], shown["evening_over"], shown["status"]) == (True, True, "finished")


async def test_the_score_of_somebody_who_is_forgotten_has_no_name(store: Store, tmp_path: Path) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Berenice", seats=2)
        await played(party, 2)
        again = await next_game(party)
        assert await party.ask(1, "forget-me") == (204, None)
        (before, after) = (await party.seen(), await again.seen())
        assert set(names(after).values()) == {"Ada", "Guest 2"}
        assert [sorted(game.values()) for game in tonight(after)] == [sorted(tonight(before)[0].values())]
    stored = b"".join(each.read_bytes() for each in tmp_path.iterdir() if each.is_file())
    assert b"EveningContinued" in stored
    assert b'"points":{"p1"' in stored, "people are named by their ids"


async def test_a_game_that_starts_while_the_next_one_is_opened_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Screen and phones would go on to the other table, and nobody could come back."""
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        table = await server.registry.table(party.code)
        opening, ready = asyncio.Event(), asyncio.Event()
        store_new = server.registry._store_new

        async def slowly(*args: Any) -> str:
            opening.set()
            await ready.wait()
            return await store_new(*args)

        monkeypatch.setattr(server.registry, "_store_new", slowly)
        switching = asyncio.create_task(party.ask(0, "next-game", {}))
        await opening.wait()
        assert await party.ask(0, "start") == (204, None)
        ready.set()
        assert await switching == (409, "not-finished")
        assert (table.state.roster.rematch, table.state.roster.status) == ("", "playing")


async def test_a_host_who_has_left_opens_no_next_game(store: Store) -> None:
    """Nobody else is there to become host."""
    async with online(store) as server:
        party = await Party.opened(server, "Ada", seats=2)
        assert await party.ask(0, "bots", {"seat": 1, "level": "rookie"}) == (204, None)
        await played(party, 1)
        assert await party.ask(0, "leave") == (204, None)
        assert await party.ask(0, "next-game", {}) == (409, "left")
        assert await party.ask(0, "rematch") == (409, "left")
        await party.client(party.tickets[0]["token"]).hello()
        assert await party.ask(0, "next-game", {}) == (201, None)


async def test_anybody_takes_the_remote_of_a_phone_that_is_away_for_half_a_minute(store: Store) -> None:
    now = [100.0]
    async with online(store, now=lambda: now[0]) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        watching = (await server.post(f"{TABLES}/{party.code}/join", {"name": "Eve", "watch": True})).body
        party.tickets.append(watching)
        ada = party.client(party.tickets[0]["token"])
        await ada.hello()
        me = {"person": watching["person"]}
        now[0] += 60
        assert await party.ask(2, "host", me) == (403, "host-only"), "the phone is there"
        await ada.session.end()
        now[0] += 29
        assert await party.ask(2, "host", me) == (403, "host-only")
        now[0] += 2
        assert await party.ask(2, "host", me) == (204, None)
        assert (await party.seen())["host"] == watching["person"]


async def test_another_player_answers_while_the_phone_of_the_host_is_away(store: Store) -> None:
    """Whoever lost the phone with the remote would be asked whether they are themselves."""
    now = [100.0]
    async with online(store, now=lambda: now[0]) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        await party.ask(0, "start")
        party.tickets.append((await server.post(f"{TABLES}/{party.code}/join", {"name": "A", "watch": True})).body)
        ada, new = party.tickets[0]["person"], party.tickets[2]["person"]
        assert await party.ask(2, "seat/reclaim", {"person": ada}) == (204, None)
        now[0] += 31
        grant = {"person": new, "agrees": True, "player": ada}
        assert await party.ask(2, "seat/reclaim/answer", grant) == (403, "host-only"), "nobody answers themselves"
        assert await party.ask(1, "seat/reclaim/answer", grant) == (204, None)
        again = party.client(party.tickets[2]["token"])
        assert (await again.hello())["you"] == {"person": ada, "seat": 0}
        assert again.table["host"] == ada


@pytest.mark.parametrize("lost", ["host", "player"])
async def test_a_second_phone_takes_no_seat_of_a_phone_that_sleeps_for_a_moment(store: Store, lost: str) -> None:
    """A player with two phones would claim a seat with one of them, and grant it with the other."""
    now = [100.0]
    async with online(store, now=lambda: now[0]) as server:
        party = await Party.opened(server, "Ada", "Bob", "Cleo", seats=3)
        await party.ask(0, "start")
        party.tickets.append((await server.post(f"{TABLES}/{party.code}/join", {"name": "Z", "watch": True})).body)
        ada, cleo = party.client(party.tickets[0]["token"]), party.client(party.tickets[2]["token"])
        for phone in (ada, cleo):
            await phone.hello()
        now[0] += 60
        await ada.session.end()
        whose = party.tickets[0 if lost == "host" else 2]["person"]
        if lost == "player":
            now[0] += 60  # the host has been away for long, the player only now
            await cleo.session.end()
        assert await party.ask(3, "seat/reclaim", {"person": whose}) == (204, None)
        grant = {"person": party.tickets[3]["person"], "agrees": True, "player": whose}
        now[0] += 29
        assert await party.ask(1, "seat/reclaim/answer", grant) == (409, "not-lost")
        assert await party.ask(1, "seat/reclaim/answer", {**grant, "agrees": False}) == (409, "not-lost")
        now[0] += 2
        assert await party.ask(1, "seat/reclaim/answer", grant) == (204, None)


async def test_whoever_only_took_the_remote_gives_no_seat_of_a_sleeping_phone_away(store: Store) -> None:
    """Anybody with the code can take the remote after half a minute, and come with two phones."""
    now = [100.0]
    async with online(store, now=lambda: now[0]) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        await party.ask(0, "start")
        for name in ("Y", "Z"):
            party.tickets.append((await server.post(f"{TABLES}/{party.code}/join", {"name": name, "watch": True})).body)
        bob = party.client(party.tickets[1]["token"])
        await bob.hello()
        now[0] += 31
        assert await party.ask(2, "host", {"person": party.tickets[2]["person"]}) == (204, None)
        await bob.session.end()
        whose, new = party.tickets[1]["person"], party.tickets[3]["person"]
        assert await party.ask(3, "seat/reclaim", {"person": whose}) == (204, None)
        grant = {"person": new, "agrees": True, "player": whose}
        assert await party.ask(2, "seat/reclaim/answer", grant) == (409, "not-lost")
        now[0] += 31
        assert await party.ask(2, "seat/reclaim/answer", grant) == (204, None)


async def test_results_of_a_game_are_no_secret_but_earlier_ones_are_for_those_who_may_watch(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        await played(party, 2)
        await party.ask(0, "access", {"locked": True, "spectators": "nobody"})
        assert (await party.seen())["evening"] == []
        answer = await server.get(f"{TABLES}/{party.code}", **bearer(party.tickets[0]))
        assert len(answer.body["evening"]) == 1


async def test_a_seat_whose_player_left_is_known_to_have_been_finished_by_a_bot(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        assert await party.ask(0, "start") == (204, None)
        assert await party.ask(1, "leave") == (204, None)
        ada = party.client(party.tickets[0]["token"])
        await ada.hello()
        for turn in range(200):
            if (seen := await party.seen())["status"] == "finished":
                break
            assert seen["ended_by_bots"] == []
            if ada.legal():
                await ada.act(ada.legal()[0], f"{turn}")
            await asyncio.sleep(0.05)
        assert (seen["status"], seen["ended_by_bots"]) == ("finished", [1])
        assert set(tonight(seen)[0]) == {"Ada", "Bob"}


async def test_an_end_that_is_not_stored_does_not_refuse_the_next_game(store: Store) -> None:
    async with a_registry(store) as registry:
        table = await registry.table(await registry.open_party("high-card", 2, {}))
        host = (await table.ask(Join("Ada"))).person
        hanging = Hanging(store, "Closed")
        opening = asyncio.ensure_future(registry.next_game(table.code, host, None, []))
        await asyncio.sleep(0)
        ending = table.submit(EndParty(), host)  # processed right after the first step of the other request
        await hanging.begun.wait()
        await asyncio.sleep(0.05)
        store.append = hanging.append  # type: ignore[method-assign]
        hanging.over.set()
        with pytest.raises(Refused, match="could not be saved"):
            await ending
        assert await opening in registry.tables
