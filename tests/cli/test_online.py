"""A live table from a terminal: join, play, speak, leave and come back; or watch through a pipe."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jamboree.bots import RandomBot
from jamboree.cli.playing.bridge import Bridge
from jamboree.client import Client, Seat, play
from tests.server.test_serve import served

from .terminal import COMMAND, ENVIRONMENT, Terminal, run


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


def test_a_person_joins_plays_speaks_leaves_and_comes_back(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada"))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--name", "Tess", "--lang", "nl")
    terminal.read(until="begint het spel.\n")
    assert "Aan tafel: Ada, Tess. 0 plaatsen zijn vrij" in terminal.transcript
    with Bridge(Seat(url, host.table, host.token, "en")) as ada:
        with_a_client(url, lambda client: client.start(host))
        asked = terminal.read()
        assert "BPMs Per Minute: je bent speler 2 van 2, met Ada." in asked
        assert "Je tien nummers: welke twee laat je thuis?" in asked
        said(terminal, ada)
        terminal.send("1")
        sealed = terminal.send("1")
        assert "Je setlist is verzegeld" in sealed
        until(lambda: ada.seat.position and ada.seat.position.offers)
        assert "Spel" not in terminal.send("nonsense")
        token = leave(terminal)
        back = Terminal("play", "--url", url, "--table", host.table, "--token", token, "--lang", "nl")
        assert "Je setlist is verzegeld" in back.read()
        ada.call(ada.seat.act(ada.seat.position.offers[0].action))  # type: ignore[union-attr]
        assert "Welk nummer zet je klaar?" in back.read()
        leave(back)


def test_who_left_is_said_to_be_away_when_a_bot_chooses(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada"))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--name", "Tess", "--lang", "nl")
    terminal.read(until="begint het spel.\n")
    with_a_client(url, lambda client: client.start(host))
    terminal.read()
    with_a_client(url, lambda client: client.leave(host))
    told = terminal.find("Ada verzegelt de setlist.")
    assert "  Ada is er even niet: een bot speelt zolang.\n  Ada verzegelt de setlist." in told.replace("\r", "")
    leave(terminal)


def test_somebody_asks_to_take_a_move_back_and_the_terminal_answers(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bebop", 3, "Ada"))
    terminal = Terminal("play", "--url", url, "--table", host.table, "--name", "Tess", "--lang", "nl")
    terminal.read(until="begint het spel.\n")
    third = with_a_client(url, lambda client: client.join(host.table, "Bob"))
    seats = [Seat(url, host.table, token, "en") for token in (host.token, third.token)]
    with Bridge(seats[0]) as ada, Bridge(seats[1]) as bob:
        with_a_client(url, lambda client: client.start(host))
        until(lambda: ada.seat.position and bob.seat.position)
        answered_by_another(ada, bob, terminal)
        ada.call(ada.seat.undo())
        bob.call(bob.seat.agree(True))
        terminal.find("Ada wil graag een zet terugnemen. Met /yes vind je dat goed, met /no niet.")
        os.write(terminal.fd, b"/yes\n")
        terminal.find("De vraag of een zet terug mag, is beantwoord.")
        until(lambda: ada.seat.position and ada.seat.position.offers)
        assert ada.seat.table
        assert ada.seat.table.undo_asked is None
    terminal.process.terminate()
    terminal.close()


def offered(bridge: Bridge) -> Any:
    return bridge.seat.position and bridge.seat.position.offers


def answered_by_another(ada: Bridge, bob: Bridge, terminal: Terminal) -> None:
    """Play until Ada has had a turn, and somebody has moved after it."""
    moved = False
    for _ in range(40):
        acting = until(lambda: (position := ada.seat.position) and position.actors)
        bridge = {0: ada, 2: bob}.get(acting[0])
        if bridge is None:
            os.write(terminal.fd, b"1\n")  # what is asked next may be asked of somebody else
        else:
            offers = until(partial(offered, bridge))
            bridge.call(bridge.seat.act(offers[0].action))
        time.sleep(0.2)  # for the news to come round
        if moved and bridge is not ada:
            return
        moved = moved or bridge is ada
    raise AssertionError("nobody moved after Ada")


def said(terminal: Terminal, ada: Bridge) -> None:
    """Speak from the terminal to another seat, and be answered."""
    terminal.type("/say Hello, Ada!\n", until="Hello, Ada!\n")
    lines = until(lambda: [news.line for news in ada.heard() if hasattr(news, "line")])
    assert lines[0].text == "Hello, Ada!"
    ada.call(ada.seat.say("Hi, Tess!"))
    assert "Ada: Hi, Tess!" in terminal.read(until="Tess!\n")


def leave(terminal: Terminal) -> str:
    terminal.type("q\n", until="(j/n) ")
    terminal.type("j\n", until="\0")
    assert terminal.close() == 0
    found = re.search(r"--token ([\w-]+)", terminal.transcript.replace("\n", " "))
    assert found
    return found[1]


def test_without_a_terminal_one_watches_to_the_end(url: str) -> None:
    host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada"))
    command = [*COMMAND, "play", "--url", url, "--table", host.table]
    watching = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=ENVIRONMENT)
    playing = threading.Thread(target=with_a_client, args=(url, lambda client: bots_play(client, host)))
    playing.start()
    out, _ = watching.communicate(timeout=100)
    playing.join()
    told = out.decode()
    assert watching.returncode == 0
    assert "The show is over, and " in told
    assert re.search(r"Winners?: (Ada|Bob)", told)


async def bots_play(client: Client, host: Any) -> None:
    guest = await client.join(host.table, "Bob")
    async with client.sit(host) as ada, client.sit(guest) as bob:
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
def test_what_is_missing_is_said_in_a_sentence(arguments: list[str], complaint: str) -> None:
    done = run("play", *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_a_table_or_server_that_is_not_there_is_said_in_a_sentence(url: str) -> None:
    done = run("play", "--url", url, "--table", "nowhere")
    assert (done.returncode, done.stderr) == (2, "There is no such table.\n")
    for token in ([], ["--token", "x"]):
        done = run("play", "--url", "http://127.0.0.1:1", "--table", "x", *token)
        assert (done.returncode, done.stderr) == (2, "No server answers at http://127.0.0.1:1.\n")


@pytest.mark.parametrize("token", [[], ["--token", "x"]], ids=["to join", "to come back"])
def test_a_server_that_is_silent_is_complained_of_until_one_has_enough(token: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = f"http://127.0.0.1:{silent.getsockname()[1]}"
        terminal = Terminal("play", "--url", where, "--table", "x", *token)
        with silent.accept()[0]:
            complaint = terminal.read(until="ends it.\n")
            assert complaint == f"Nobody answers at {where} yet; still trying. Ctrl+C ends it.\n"
            assert interrupted(terminal)


def test_a_connection_that_is_lost_is_told_and_comes_back(tmp_path: Path) -> None:
    with served(tmp_path / "tables.db", "--port", "0") as (server, port):
        url = f"http://127.0.0.1:{port}"
        host = with_a_client(url, lambda client: client.open("bpm", 2, "Ada"))
        terminal = Terminal("play", "--url", url, "--table", host.table, "--token", host.token)
        terminal.read(until="starts the game.\n")
        server.kill()
        terminal.find("The connection is lost; trying to come back. Ctrl+C ends it.")
        terminal.find("no connection 0:0")
    with served(tmp_path / "tables.db", "--port", str(port)):
        terminal.find("The connection is back.")
    terminal.find("The connection is lost")
    assert interrupted(terminal)


def interrupted(terminal: Terminal) -> bool:
    """Press Ctrl+C, and tell whether that ends it politely."""
    terminal.process.send_signal(signal.SIGINT)
    return terminal.close() == 130 and "Traceback" not in terminal.transcript
