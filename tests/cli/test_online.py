"""A live table in a terminal: join, play, chat, leave and return; or watch through a pipe."""

import asyncio
import os
import re
import signal
import socket
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jamboree.bots import RandomBot
from jamboree.cli.playing.connection_thread import ConnectionThread
from jamboree.client import Client, TableConnection, play
from tests.server.test_serve import served

from .terminal import COMMAND, DATA, ENVIRONMENT, Terminal, run


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with served(tmp_path / "tables.db", "--port", "0") as (_, port):
        yield f"http://127.0.0.1:{port}"


def with_a_client(url: str, errand: Callable[[Client], Any]) -> Any:
    async def go() -> Any:
        async with Client(url) as client:
            return await errand(client)

    return asyncio.run(go())


def until(true: Callable[[], Any]) -> Any:
    give_up = time.monotonic() + 20
    while not (found := true()):
        assert time.monotonic() < give_up
        time.sleep(0.05)
    return found


def test_a_person_joins_plays_chats_leaves_and_rejoins(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada"))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--name", "Tess", "--lang", "nl")
    terminal.find("vertrek je.")
    assert "Aan tafel: Ada, Tess. 0 plaatsen zijn vrij" in terminal.transcript
    with ConnectionThread(TableConnection(url, host.table, host.token, "en")) as ada:
        with_a_client(url, lambda client: client.start(host))
        asked = terminal.read()
        assert "BPMs Per Minute: je bent speler 2 van 2, met Ada." in asked
        assert "Je tien nummers: welke twee laat je thuis?" in asked
        printed(terminal, ada)
        terminal.send("1")
        sealed = terminal.send("1")
        assert "Je setlist is verzegeld" in sealed
        assert "  Jij laat " in sealed
        until(lambda: ada.connection.position and ada.connection.position.offers)
        assert "Spel" not in terminal.send("nonsense")
        leave(terminal, url, host.table)
        back = Terminal("play", "--url", url, "--table", host.table, "--lang", "nl")
        assert "Je setlist is verzegeld" in back.read()
        ada.call(ada.connection.act(ada.connection.position.offers[0].action))  # type: ignore[union-attr]
        assert "Welk nummer zet je klaar?" in back.read()
        leave(back, url, host.table)


def test_events_and_chat_are_printed_above_the_edited_line(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada"))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--name", "Tess", "--lang", "en")
    terminal.find("q leaves.")
    with ConnectionThread(TableConnection(url, host.table, host.token, "en")) as ada:
        with_a_client(url, lambda client: client.start(host))
        terminal.read()
        os.write(terminal.fd, b"/say Hel")
        terminal.find("/say Hel")
        ada.call(ada.connection.act(ada.connection.position.offers[0].action))  # type: ignore[union-attr]
        terminal.see(lambda lines: "  Ada seals the setlist." in lines and lines[-1].endswith("> /say Hel"))
        ada.call(ada.connection.say("Hi, Tess!"))
        shown = terminal.see(lambda lines: "  Ada: Hi, Tess!" in lines and lines[-1].endswith("> /say Hel"))
        assert not [line for line in shown[:-1] if "/say Hel" in line]
        os.write(terminal.fd, b"lo, Ada!\n")
        until(lambda: "Hello, Ada!" in [news.message.text for news in ada.received() if hasattr(news, "message")])
    terminal.process.terminate()
    terminal.close()


def test_a_bots_move_for_an_absent_player_is_announced(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada"))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--name", "Tess", "--lang", "nl")
    terminal.find("vertrek je.")
    with_a_client(url, lambda client: client.start(host))
    terminal.read()
    with_a_client(url, lambda client: client.leave(host))
    output = terminal.find("Ada verzegelt de setlist.")
    assert "  Ada is er even niet: een bot speelt zolang.\n  Ada verzegelt de setlist." in output.replace("\r", "")
    leave(terminal, url, host.table)


def test_a_request_to_undo_can_be_answered_in_the_terminal(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bebop", 3, "Ada"))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--name", "Tess", "--lang", "nl")
    terminal.find("vertrek je.")
    third = with_a_client(url, lambda client: client.join(host.table, "Bob"))
    seats = [TableConnection(url, host.table, token, "en") for token in (host.token, third.token)]
    with ConnectionThread(seats[0]) as ada, ConnectionThread(seats[1]) as bob:
        with_a_client(url, lambda client: client.start(host))
        until(lambda: ada.connection.position and bob.connection.position)
        answered_by_another(ada, bob, terminal)
        ada.call(ada.connection.undo())
        bob.call(bob.connection.answer_undo(True))
        terminal.find("Ada wil graag een zet terugnemen. Met /yes vind je dat goed, met /no niet.")
        os.write(terminal.fd, b"/yes\n")
        terminal.find("De vraag of een zet terug mag, is beantwoord.")
        until(lambda: ada.connection.position and ada.connection.position.offers)
        assert ada.connection.table
        assert ada.connection.table.undo_asked is None
    terminal.process.terminate()
    terminal.close()


def offered(bridge: ConnectionThread) -> Any:
    return bridge.connection.position and bridge.connection.position.offers


def answered_by_another(ada: ConnectionThread, bob: ConnectionThread, terminal: Terminal) -> None:
    """Play until Ada has had a turn and another player has moved after it."""
    moved = False
    for _ in range(40):
        acting = until(lambda: (position := ada.connection.position) and position.actors)
        bridge = {0: ada, 2: bob}.get(acting[0])
        if bridge is None:
            os.write(terminal.fd, b"1\n")  # the next question may be for another player
        else:
            offers = until(partial(offered, bridge))
            bridge.call(bridge.connection.act(offers[0].action))
        time.sleep(0.2)  # for the news to come round
        if moved and bridge is not ada:
            return
        moved = moved or bridge is ada
    raise AssertionError("nobody moved after Ada")


def printed(terminal: Terminal, ada: ConnectionThread) -> None:
    """Speak from the terminal to another seat, and be answered."""
    terminal.enter("/say Hello, Ada!", "Hello, Ada!")
    lines = until(lambda: [news.message for news in ada.received() if hasattr(news, "message")])
    assert lines[0].text == "Hello, Ada!"
    ada.call(ada.connection.say("Hi, Tess!"))
    terminal.find("Ada: Hi, Tess!")


def leave(terminal: Terminal, url: str, table: str) -> None:
    terminal.type("q\n", until="(j/n) ")
    terminal.type("j\n", until="\0")
    assert terminal.close() == 0
    way_back = f"Om naar je plaats terug te komen: jamboree play --url {url} --table {table}"
    assert " ".join(terminal.transcript.split()).endswith(way_back)


def test_a_host_opens_a_table_seats_bots_starts_pauses_and_reconnects(url: str) -> None:
    terminal = Terminal("play", "bpm", "--url", url, "--seats", "3", "--name", "Ada", "--hypemaster")
    terminal.find("/bot 2 sends that bot away).")
    found = re.search(r"Table (\S+) is open\.", terminal.transcript)
    assert found
    table = found[1]
    seen = with_a_client(url, lambda client: client.table(table))
    assert (seen.game, seen.seats, seen.listed, seen.options["hypemaster"]) == ("bpm", 3, False, True)
    assert "Like this: /bot 2 champion, or /bots champion" in terminal.enter("/bot two", "sharp, star, champion")
    terminal.enter("/bot 2 rookie", "host starts the game.")
    terminal.enter("/bots regular", "host starts the game.")
    bots = until(lambda: len(found := with_a_client(url, lambda client: client.table(table)).bots) == 2 and found)
    assert [(bot.seat, bot.level) for bot in bots] == [(1, "rookie"), (2, "regular")]
    terminal.enter("/start", "you are player 1 of 3")
    terminal.enter("h", "You then play with the other eight.")
    terminal.enter("/pause", "/resume goes on.")
    terminal.enter("/resume", "The game goes on.")
    assert interrupted(terminal)
    way_back = f"To come back to your seat: jamboree play --url {url} --table {table}"
    assert " ".join(terminal.transcript.split()).endswith(way_back)
    back = Terminal("play", "--url", url, "--table", table)
    back.find("you are player 1 of 3")
    assert interrupted(back)


def test_bots_of_a_new_table_have_levels(url: str) -> None:
    wrong = run("play", "bpm", "--url", url, "--bots", "mybots:Swing")
    assert (wrong.returncode, wrong.stderr) == (
        2,
        "At a live table a bot is one of: rookie, regular, sharp, star, champion.\n",
    )
    terminal = Terminal("play", "bpm", "--url", url, "--bots", "sharp", "--seats", "2", "--name", "Bo")
    terminal.find("/bot 2 sends that bot away).")
    assert "0 seats are free" in " ".join(terminal.transcript.split())
    assert interrupted(terminal)


def test_a_whisper_reaches_one_person(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bpm", 3, "Ada Lovelace"))
    guest = with_a_client(url, lambda client: client.join(host.table, "Bob"))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--name", "Tess")
    terminal.find("q leaves.")
    with (
        ConnectionThread(TableConnection(url, host.table, host.token, "en")) as ada,
        ConnectionThread(TableConnection(url, host.table, guest.token, "en")) as bob,
    ):
        until(lambda: ada.connection.table and bob.connection.table)
        terminal.enter("/whisper Nobody hello", "with one of: Ada Lovelace, Bob")
        terminal.enter("/whisper ada lovelace Only you", "Only you")
        lines = until(lambda: [news.message for news in ada.received() if hasattr(news, "message")])
        assert lines[0].text == "Only you"
        ada.call(ada.connection.say("Psst", guest.person))
        ada.call(ada.connection.say("Hello all"))
        received = until(lambda: [news.message.text for news in bob.received() if hasattr(news, "message")])
        assert "Only you" not in received
        terminal.find("Hello all")
        assert "Psst" not in terminal.transcript
    terminal.enter("/dance", "There is no such command; there are: /say, /whisper")
    assert interrupted(terminal)


def test_a_spectator_is_told_that_all_seats_are_taken(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada", bots={1: "rookie"}))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--name", "Late")
    terminal.find("You only watch: you have no seat at this table. q leaves.")
    terminal.enter("1", "q leaves.")
    terminal.enter("q", "left the game.")
    assert terminal.close() == 0
    assert "To come back" not in terminal.transcript


def test_another_name_joins_as_another_person(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bpm", 4, "Ada"))
    for name in ("Tess", "Theo", "Tess"):
        terminal = Terminal("play", "--url", url, "--table", host.table, "--name", name)
        terminal.find("You have a seat.")
        assert interrupted(terminal)
    people = with_a_client(url, lambda client: client.table(host.table)).people
    assert [person.name for person in people] == ["Ada", "Tess", "Theo"]
    assert stat.S_IMODE((Path(DATA) / "jamboree" / "places.json").stat().st_mode) == 0o600


def test_without_a_terminal_a_game_is_watched_to_its_end(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada"))
    command = [*COMMAND, "play", "--url", url, "--table", host.table]
    watching = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=ENVIRONMENT)
    playing = threading.Thread(target=with_a_client, args=(url, lambda client: bots_play(client, host)))
    playing.start()
    out, _ = watching.communicate(timeout=100)
    playing.join()
    output = out.decode()
    assert watching.returncode == 0
    assert "The show is over, and " in output
    assert re.search(r"Winners?: (Ada|Bob)", output)


async def bots_play(client: Client, host: Any) -> None:
    guest = await client.join(host.table, "Bob")
    async with client.connect(host) as ada, client.connect(guest) as bob:
        await asyncio.sleep(1)  # the spectator has come by then, or hears of it from the welcome
        await client.start(host)
        await asyncio.gather(play(ada, RandomBot(1)), play(bob, RandomBot(2)))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "Which game?"),
        (["--table", "abc"], "--table and --token need --url"),
        (["bebop", "--token", "abc"], "--table and --token need --url"),
        (["--url", "http://127.0.0.1:1"], "Which table?"),
        (["--url", "http://127.0.0.1:1", "--table", "x", "--lang", "tlh"], "There is no language 'tlh'"),
    ],
)
def test_missing_arguments_are_reported(arguments: list[str], complaint: str) -> None:
    done = run("play", *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_unknown_tables_and_servers_are_reported(url: str) -> None:
    done = run("play", "--url", url, "--table", "nowhere")
    assert (done.returncode, done.stderr) == (2, "There is no such table.\n")
    for token in ([], ["--token", "x"]):
        done = run("play", "--url", "http://127.0.0.1:1", "--table", "x", *token)
        assert (done.returncode, done.stderr) == (2, "No server answers at http://127.0.0.1:1.\n")


@pytest.mark.parametrize("token", [[], ["--token", "x"]], ids=["to join", "to come back"])
def test_an_unresponsive_server_is_reported_until_the_user_quits(token: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = f"http://127.0.0.1:{silent.getsockname()[1]}"
        terminal = Terminal("play", "--url", where, "--table", "x", *token)
        with silent.accept()[0]:
            complaint = terminal.read(until="ends it.\n")
            assert complaint == f"Nobody answers at {where} yet; still trying. Ctrl+C ends it.\n"
            assert interrupted(terminal)


def test_a_lost_connection_is_reported_and_restored(tmp_path: Path) -> None:
    with served(tmp_path / "tables.db", "--port", "0") as (server, port):
        url = f"http://127.0.0.1:{port}"
        host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada"))
        terminal = Terminal("play", "--url", url, "--table", host.table, "--token", host.token)
        terminal.find("sends that bot away).")
        server.kill()
        terminal.find("The connection is lost; trying to come back. Ctrl+C ends it.")
        terminal._read(lambda written: "no connection 0:0" in written)
    with served(tmp_path / "tables.db", "--port", str(port)):
        terminal.find("The connection is back.")
    terminal.find("The connection is lost")
    assert interrupted(terminal)


def interrupted(terminal: Terminal) -> bool:
    """Press Ctrl+C, and return whether the program ends without a traceback."""
    terminal.process.send_signal(signal.SIGINT)
    return terminal.close() == 130 and "Traceback" not in terminal.transcript
