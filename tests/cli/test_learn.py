"""The lessons in a terminal: followed, gone astray, left and come back to."""

import re
from pathlib import Path

import pytest

from .terminal import Terminal, run

NEXT, BACK, PLAY = "Enter goes on", "Enter takes it back", "against Rookie now?"


def words(text: str) -> str:
    return " ".join(text.split())


def follow(terminal: Terminal, seen: str) -> str:
    """Have every move shown and then find it in the lists; go on to the end of the course."""
    while PLAY not in words(seen):
        if NEXT in words(seen) or BACK in words(seen):
            seen = terminal.send("")
        else:
            seen = terminal.send("n")  # skips
    return seen


def test_a_first_lesson_with_a_mistake_and_a_move_that_is_shown(tmp_path: Path) -> None:
    terminal = Terminal("learn", "bebop", XDG_DATA_HOME=str(tmp_path))
    assert "Lesson 1 of 9: First, a chair" in words(terminal.read())
    wrong = words(terminal.send("1 a2"))
    assert "A fine spot for a picnic." in wrong and BACK in wrong
    assert "Put a basic seat next to the two red fans." in words(terminal.send(""))
    shown = words(terminal.send("h"))
    assert "You claim" in shown and "Now you." in shown
    terminal.send("")
    forbidden = words(terminal.send("1 e5"))
    assert "VIP" in forbidden  # the game's own reason
    right = words(terminal.send("1 d6"))
    assert "A chair of your own" in right
    assert "Lesson 2 of 9" in words(terminal.send(""))
    left = words(terminal.type("q\n", until="\0"))
    assert "`jamboree learn bebop` goes on where you were" in left
    terminal.close()
    back = Terminal("learn", "bebop", XDG_DATA_HOME=str(tmp_path))
    assert "Lesson 2 of 9" in words(back.read())
    back.type("q\n", until="\0")
    assert back.close() == 0


@pytest.mark.parametrize("key", ["bebop", "bpm", "boogie"])
def test_the_course_leads_to_a_free_game(key: str, tmp_path: Path) -> None:
    terminal = Terminal("learn", key, XDG_DATA_HOME=str(tmp_path))
    assert PLAY in words(follow(terminal, terminal.read()))
    begun = words(terminal.send("y"))
    assert re.search(r"you are player 1 of \d, with Rookie", begun)
    terminal.type("q\n", until="(y/n) ")
    terminal.type("y\n", until="\0")
    assert terminal.close() == 0


def test_lessons_speak_dutch(tmp_path: Path) -> None:
    terminal = Terminal("learn", "boogie", "--lang", "nl", "--lesson", "4", XDG_DATA_HOME=str(tmp_path))
    begun = words(terminal.read())
    assert "Les 4 van 8: Helemaal alleen daarboven" in begun and "Kapitein Gander" in begun
    terminal.type("q\n", until="\0")
    assert terminal.close() == 0


def test_what_can_not_be_learnt_is_said() -> None:
    assert "they go from 1 to 9" in run("learn", "bebop", "--lesson", "10").stderr
    assert "no terminal" in run("learn", "bebop").stderr
