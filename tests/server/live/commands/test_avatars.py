"""Everybody chooses their colour, animal or token before the game, and the table may name who begins."""

import random

import pytest

from jamboree.core.fair import check_luck
from jamboree.core.journal import check, read, write
from jamboree.core.words import Language
from jamboree.games import find
from jamboree.games.boogie.rules.events import SaidReady
from jamboree.server.errors import Refused
from jamboree.server.live.commands.host import SeatBot
from jamboree.server.live.commands.joining import AnswerAvatar, ChooseAvatar, Join, Leave, TakeSeat
from jamboree.server.live.commands.playing import AddSeed, Start
from jamboree.server.live.rendering import Sentences, painted
from jamboree.server.live.replay import journal_of
from jamboree.server.live.roster import Roster
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store.store import Store

from ...bench.local import EVERY, Client, a_registry, gathered, play_on, started


def avatars_of(roster: Roster) -> list[int]:
    return [roster.avatars.of(seat) for seat in range(roster.seats)]


async def test_a_free_avatar_can_be_taken_and_bots_take_the_rest(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, (ada, bob) = await gathered(registry, "boogie", 3, {1: "rookie"})
        table = await registry.table(code)
        await table.ask(ChooseAvatar(7), ada.person)
        await table.ask(ChooseAvatar(1), bob.person)  # the bot's
        assert avatars_of(table.state.roster) == [7, 2, 1]
    async with a_registry(store, EVERY) as registry:
        assert avatars_of((await registry.table(code)).state.roster) == [7, 2, 1]


@pytest.mark.parametrize(("language", "animal", "seats_own"), [("en", "Elephant", "Frog"), ("nl", "Olifant", "Kikker")])
async def test_sentences_and_drawings_use_the_chosen_avatar(
    store: Store, language: Language, animal: str, seats_own: str
) -> None:
    async with a_registry(store, EVERY) as registry:
        code, (ada, _, _) = await gathered(registry, "boogie", 3)
        table = await registry.table(code)
        await table.ask(ChooseAvatar(7), ada.person)
        await table.ask(Start(), ada.person)
        state = table.state
        seat = state.roster.people[ada.person].seat or 0
        sentences = Sentences(state, language).of_events([SaidReady(seat)])
        picture = painted(state, find("boogie").view(state.position, None), (), language)
        shown = "".join(span.text for line in picture.lines for span in line)
    assert f"({animal})" in sentences[0]
    assert animal in shown
    assert seats_own not in shown + sentences[0]


async def test_an_occupied_avatar_is_exchanged_by_request(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, (ada, bob, cleo) = await gathered(registry, "bpm", 3)
        table, client = await registry.table(code), Client(registry, code)
        await client.hello()
        await table.ask(ChooseAvatar(0), bob.person)
        assert [each["wants_avatar"] for each in client.table["people"]] == [None, 0, None]
        assert client.table["avatars"] == [0, 1, 2, 3]
        with pytest.raises(Refused) as refusal:
            await table.ask(AnswerAvatar(bob.person, True), cleo.person)
        assert refusal.value.code == "not-asked"
        await table.ask(AnswerAvatar(bob.person, False), ada.person)
        with pytest.raises(Refused):
            await table.ask(AnswerAvatar(bob.person, True), ada.person)
        await table.ask(ChooseAvatar(0), bob.person)
        await table.ask(AnswerAvatar(bob.person, True), ada.person)
        assert client.table["avatars"] == [1, 0, 2, 3]
        assert [each["wants_avatar"] for each in client.table["people"]] == [None, None, None]


async def test_an_unanswerable_request_is_withdrawn(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, (ada, bob) = await gathered(registry, "bpm", 2)
        table = await registry.table(code)
        await table.ask(ChooseAvatar(0), bob.person)
        await table.ask(Leave(), ada.person)
        assert table.state.roster.avatars.asked == {}
        await table.ask(ChooseAvatar(0), bob.person)
        assert avatars_of(table.state.roster) == [1, 0]


async def test_an_avatar_moves_with_its_person(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, host = await registry.open(OpenTable(game="bebop", seats=4, name="Ada"))
        table = await registry.table(code)
        bob = await table.ask(Join("Bob"))
        await table.ask(ChooseAvatar(3), host.person)
        await table.ask(TakeSeat(2, host.person), host.person)
        await registry.arrange(code, host.person, {"seats": 2})
        assert table.state.roster.avatars.of(table.state.roster.people[host.person].seat or 0) == 3
        await table.ask(TakeSeat(0, bob.person), host.person)
        assert table.state.roster.avatars.of(table.state.roster.people[host.person].seat or 0) == 3
        assert sorted(table.state.roster.avatars.by_seat) == [0, 1, 2, 3]


@pytest.mark.parametrize(("game", "look"), [("boogie", 8), ("bebop", 4), ("high-card", 0)])
async def test_only_avatars_of_the_game_can_be_chosen(store: Store, game: str, look: int) -> None:
    async with a_registry(store, EVERY) as registry:
        code, host = await registry.open(OpenTable(game=game, seats=3, name="Ada"))
        with pytest.raises(Refused) as refusal:
            await (await registry.table(code)).ask(ChooseAvatar(look), host.person)
        assert refusal.value.code == "no-avatar"


async def test_avatars_are_fixed_during_a_game_and_spectators_have_none(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry, "bebop")
        table = registry.tables[ada.session.code]
        subscriber = await table.ask(Join("Cleo", watch=True))
        for person, code in (("p1", "started"), (subscriber.person, "players-only")):
            with pytest.raises(Refused) as refusal:
                await table.ask(ChooseAvatar(3), person)
            assert refusal.value.code == code


@pytest.mark.parametrize("game", ["bebop", "bpm", "boogie"])
@pytest.mark.parametrize("seed", range(4))
async def test_the_first_player_is_reached_by_rotating_the_seats(store: Store, game: str, seed: int) -> None:
    begins = find(game).info.begins
    assert begins
    async with a_registry(store, EVERY, seed) as registry:
        code, tickets = await gathered(registry, game, 4, {3: "rookie"})
        table, host = await registry.table(code), tickets[0].person
        await table.ask(ChooseAvatar(3), tickets[1].person)
        await registry.arrange(code, host, {"first": 1})
        bot = table.state.roster.bots[3].name
        clients = [Client(registry, code, ticket.token) for ticket in tickets]
        for client in clients:
            await client.hello()
        await table.ask(Start(), host)
        for number, ticket in enumerate(tickets):
            await table.ask(AddSeed(f"{number:x}", id="1"), ticket.person)
        assert table.state.roster.names()[begins(table.state.position)] == "Bob"
        assert table.state.roster.avatars.of(begins(table.state.position)) == 3
        at = [client.received[-1]["you"]["seat"] for client in clients]
        assert [(seat - at[0]) % 4 for seat in at] == [0, 1, 2]
        assert table.state.roster.names()[(at[0] + 3) % 4] == bot
        await table.ask(AddSeed("2", id="1"), tickets[2].person)  # again: it is known
        names = table.state.roster.names()
    async with a_registry(store, EVERY, seed) as registry:
        again = (await registry.table(code)).state
        assert again.outdated is None
        assert again.roster.names() == names
        assert again.roster.avatars.of(begins(again.position)) == 3
    journal = read(write(journal_of(await store.history(code))).encode())
    assert not check(journal, EVERY[game])
    assert check_luck(journal)
    assert journal.fairness[0].seeds == ["0", "1", "2", ""]
    assert journal.header.names[(2 + journal.fairness[0].turned) % 4] == "Cleo"


async def test_the_first_player_is_random_by_default(store: Store) -> None:
    async with a_registry(store, EVERY, 1) as registry:
        clients = await started(registry, "bebop", 4)
        assert [client.received[0]["you"]["seat"] for client in clients] == [0, 1, 2, 3]


async def test_the_right_to_begin_moves_with_its_person(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, ada = await registry.open(OpenTable(game="bebop", seats=3, name="Ada"))
        table = await registry.table(code)
        bob = await table.ask(Join("Bob", 1))
        await registry.arrange(code, ada.person, {"first": 1})
        await table.ask(TakeSeat(2, bob.person), ada.person)
        assert table.state.roster.first == 2
        await registry.arrange(code, ada.person, {"seats": 2})
        assert table.state.roster.first == 1
        await table.ask(Leave(), bob.person)
        assert table.state.roster.first is None


async def test_an_absent_player_does_not_begin(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, tickets = await gathered(registry, "bebop", 2)
        with pytest.raises(Refused) as refusal:
            await registry.arrange(code, tickets[0].person, {"first": 2})
        assert refusal.value.code == "taken"


async def test_a_rematch_keeps_avatars(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, (ada, bob) = await gathered(registry, "bebop", 2)
        table = await registry.table(code)
        await table.ask(ChooseAvatar(3), bob.person)
        await table.ask(Start(), ada.person)
        clients = [Client(registry, code, ticket.token) for ticket in (ada, bob)]
        for client in clients:
            await client.hello()
        await play_on(clients, random.Random(1))
        again = await registry.table(await registry.rematch(code, ada.person))
        assert avatars_of(again.state.roster) == [0, 3]


async def test_a_new_bot_takes_the_avatar_of_its_seat(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, host = await registry.open(OpenTable(game="bebop", seats=2, name="Ada"))
        table = await registry.table(code)
        await table.ask(ChooseAvatar(1), host.person)
        await table.ask(SeatBot(1, "rookie"), host.person)
        assert avatars_of(table.state.roster) == [1, 0]
