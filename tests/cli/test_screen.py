"""Prompts fit the window: no line wraps, and board, question, choices and prompt are visible together."""

import random
import re

import pytest
from rich.cells import cell_len

from jamboree.cli.language import CATALOGUE
from jamboree.cli.playing.online import OnlineHuman
from jamboree.core.words import LANGUAGES

from .terminal import Terminal

NUMBER = re.compile(r"^ +(\d+)  \S", re.MULTILINE)
TURNS = 14
GAMES = [
    ("bebop", "4", ["--board", "longchain"], r"^a  "),
    ("bpm", "4", ["--hypemaster"], r"^(?:Before the show|Round|Voor de show|Ronde)"),
    ("boogie", "8", [], r"^Jump ?run \d"),
]


def screen(text: str, first: str) -> list[str]:
    """Return the lines from the board to the prompt, if a board is shown."""
    starts = [match.start() for match in re.finditer(first, text, re.MULTILINE)]
    return text[starts[-1] :].split("\n") if starts else []


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (100, 30)])
@pytest.mark.parametrize(("game", "seats", "options", "first"), GAMES, ids=[game for game, *_ in GAMES])
def test_the_screen_fits_the_window(
    game: str, seats: str, options: list[str], first: str, columns: int, lines: int
) -> None:
    terminal = Terminal("play", game, "--seats", seats, "--seed", "5", *options, columns=columns, lines=lines)
    rng, shown, text = random.Random(3), 0, terminal.read()
    for _ in range(TURNS):
        seen = screen(text, first)
        shown += bool(seen)
        assert len(seen) <= lines, "\n".join(seen)
        assert [line for line in text.split("\n") if cell_len(line) > columns] == []
        if "(m: " in text.rsplit("\n", 1)[-1]:
            page = terminal.send("m")
            assert page.count("\n") <= lines
            assert [line for line in page.split("\n") if cell_len(line) > columns] == []
        text = terminal.send(rng.choice(NUMBER.findall(text) or ["1"]))
    assert shown > 1, terminal.transcript
    output = terminal.send("b")
    while "(m: " in output.rsplit("\n", 1)[-1]:
        assert output.count("\n") <= lines
        output = terminal.send("m")
    assert output.count("\n") <= lines
    assert "that was the whole list" in terminal.send("m")
    assert [line for line in terminal.transcript.split("\n") if cell_len(line) > columns] == []
    terminal.type("\x04", until="on with it.\n")
    assert terminal.close() == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_fits_into_80_columns(lang: str) -> None:
    lines = [line for key in OnlineHuman.explained for line in CATALOGUE.say(lang, key).splitlines()]
    assert [line for line in lines if cell_len(line) > 80] == []


def test_a_complete_list_of_targets_has_no_further_page() -> None:
    terminal = Terminal("play", "bebop", "--seats", "4", "--seat", "1", "--seed", "5", "--board", "longchain", lines=24)
    terminal.read()
    assert "which?" in terminal.send("1")
    assert "There is no more: that was the whole list." in terminal.send("m")
    terminal.type("\x04", until="on with it.\n")
    assert terminal.close() == 0


def test_a_long_list_is_paged() -> None:
    terminal = Terminal("play", "bebop", "--seats", "4", "--seat", "1", "--seed", "5", "--board", "longchain", lines=24)
    text = terminal.read()
    pages = [NUMBER.findall(text[text.index("Claim: basic seat") - 6 :])]
    while found := re.search(r"\(m: (\d+) more\) > $", text):
        text = terminal.send("m")
        assert 0 < len(NUMBER.findall(text)) <= int(found[1])
        pages.append(NUMBER.findall(text))
    assert len(pages) > 1
    assert "free   VIP VIP seats only" not in terminal.transcript, "the legend comes on request"
    board = terminal.send("b")
    while "(m: " in board.rsplit("\n", 1)[-1]:
        board += terminal.send("m")
    assert "free   VIP VIP seats only" in board
    listed = [number for page in pages for number in page]
    assert listed == [str(number) for number in range(1, len(listed) + 1)]
    terminal.type("\x04", until="on with it.\n")
    assert terminal.close() == 0
