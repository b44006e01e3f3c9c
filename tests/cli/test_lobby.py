"""The lobby of a live table in a terminal: avatars, swaps, and who begins."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from jamboree.cli.playing.connection_thread import ConnectionThread
from jamboree.client import Client, TableConnection
from tests.server.test_serve import served

from .terminal import Terminal
from .test_online import interrupted, until, with_a_client


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place: Path = tmp_path_factory.mktemp("lobby")
    with served(place / "tables.db", "--port", "0") as (_, port):
        yield f"http://127.0.0.1:{port}"


def test_an_avatar_is_chosen_requested_and_exchanged(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bebop", 3, "Ada"))
    bob = with_a_client(url, lambda client: client.join(host.table, "Bob"))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--name", "Tess", "--lang", "nl")
    terminal.find("met q vertrek je.")
    assert "Je speelt met: oranje. Nog vrij: roze." in " ".join(terminal.transcript.split())
    terminal.enter("/avatar paars", "/avatar en een van deze: wit, zwart, oranje, roze")
    terminal.enter("/avatar roze", "Je speelt met: roze. Nog vrij: oranje.")
    terminal.enter(
        "/avatar White", "Je hebt Ada gevraagd om te ruilen: jij geeft roze en krijgt wit."
    )  # known in every language
    terminal.enter("/yes", "Niemand vraagt je iets.")
    with_a_client(url, lambda client: client.choose_avatar(bob, 3))
    terminal.find("Bob wil graag ruilen: jij geeft roze en krijgt zwart.")
    terminal.enter("/no", "De vraag of je wilt ruilen, is beantwoord.")
    until(lambda: not wishes(url, host.table, "Bob"))
    with_a_client(url, lambda client: client.choose_avatar(bob, 3))
    terminal.find("Bob wil graag ruilen: jij geeft roze en krijgt zwart.")
    terminal.enter("/yes", "Je speelt met: zwart.")
    assert with_a_client(url, lambda client: client.table(host.table)).avatars[:3] == [0, 3, 1]
    assert interrupted(terminal)


def wishes(url: str, table: str, name: str) -> bool:
    people = with_a_client(url, lambda client: client.table(table)).people
    return any(person.wants_avatar is not None for person in people if person.name == name)


def test_input_before_the_first_frame_is_executed_afterwards(url: str) -> None:
    terminal = Terminal("play", "bpm", "--url", url, "--seats", "3", "--name", "Ada")
    terminal.enter("/bots", "0 seats are free")
    assert "connection is lost" not in " ".join(terminal.transcript.split())
    table = terminal.transcript.partition("Table ")[2].split()[0]
    assert [bot.level for bot in with_a_client(url, lambda client: client.table(table)).bots] == ["regular", "regular"]
    assert interrupted(terminal)


def test_starting_an_incomplete_table_suggests_bots(url: str) -> None:
    terminal = Terminal("play", "bpm", "--url", url, "--seats", "2", "--name", "Ada")
    terminal.enter("/start", "/bots gives the free seats to bots.")
    assert interrupted(terminal)


def test_the_host_chooses_the_first_player(url: str) -> None:
    terminal = Terminal("play", "bebop", "--url", url, "--seats", "2", "--bots", "rookie", "--name", "Ada")
    opened = terminal.find("/begins and a name says who begins.")
    table = opened.partition("Table ")[2].split()[0]
    seen = with_a_client(url, lambda client: client.table(table))
    bot = seen.bots[0].name
    assert "Chance decides who begins." in opened
    terminal.enter("/begins Nobody", f"/begins NAME, with one of: Ada, {bot}; /begins any leaves it to chance.")
    assert "Who went to a concert most recently?" in " ".join(terminal.transcript.split())
    terminal.enter(f"/begins {bot.upper()}", f"{bot} begins.")
    assert with_a_client(url, lambda client: client.table(table)).first == 1
    terminal.enter("/begins any", "Chance decides who begins.")
    assert with_a_client(url, lambda client: client.table(table)).first is None
    assert interrupted(terminal)


def test_chosen_avatars_appear_in_sentences(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("boogie", 3, "Ada", bots={1: "rookie", 2: "rookie"}))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--token", host.token)
    terminal.find("says who begins.")
    terminal.enter("/avatar Elephant", "You play with: Elephant.")
    terminal.enter("/start", "you are player 1 of 3")
    assert "Frog" not in terminal.enter("b", "Elephant")
    assert interrupted(terminal)


def test_the_host_lets_a_latecomer_replace_a_bot(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada", bots={1: "rookie"}))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--token", host.token)
    terminal.find("says who begins.")
    terminal.enter("/start", "you are player 1 of 2")
    bot = with_a_client(url, lambda client: client.table(host.table)).bots[0].name
    cleo = with_a_client(url, lambda client: client.join(host.table, "Cleo", watch=True))
    with_a_client(url, lambda client: client.request_seat(cleo, 1))
    terminal.find(f"Cleo would like to take {bot}'s seat. /yes lets them play, /no does not.")
    terminal.enter("/yes", "/yes")
    seen = until(lambda: not (found := with_a_client(url, lambda client: client.table(host.table))).bots and found)
    assert {person.name: person.seat for person in seen.people} == {"Ada": 0, "Cleo": 1}
    assert interrupted(terminal)


def test_the_host_chooses_between_two_latecomers(url: str) -> None:
    """The name after /yes was once ignored, so the first who asked got the seat."""
    host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada", bots={1: "rookie"}))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--token", host.token)
    terminal.find("says who begins.")
    terminal.enter("/start", "you are player 1 of 2")
    for name in ("Bob", "Cleo"):
        with_a_client(url, partial(ask_for_a_seat, host.table, name))
        terminal.find(f"{name} would like to take")
    terminal.enter("/yes", "Several people ask. /yes NAME or /no NAME, with one of: Bob, Cleo")
    terminal.enter("/yes cleo", "/yes")
    seen = until(lambda: not (found := with_a_client(url, lambda client: client.table(host.table))).bots and found)
    assert {person.name: person.seat for person in seen.people} == {"Ada": 0, "Bob": None, "Cleo": 1}
    assert interrupted(terminal)


async def ask_for_a_seat(table: str, name: str, client: Client) -> None:
    await client.request_seat(await client.join(table, name, watch=True), 1)


def test_a_pause_names_the_person_who_asked_for_it(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada"))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--name", "Tess")
    terminal.find("q leaves.")
    with ConnectionThread(TableConnection(url, host.table, host.token, "en")) as ada:
        with_a_client(url, lambda client: client.start(host))
        terminal.find("you are player 2 of 2")
        ada.call(ada.connection.pause(True))
        terminal.find("Ada pauses the game with the next turn.")
        ada.call(ada.connection.pause(False))
        terminal.find("The game goes on.")
    assert interrupted(terminal)
