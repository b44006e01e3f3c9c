"""Several people at one terminal: nobody sees another person's screen."""

import io
import random
import re

import pytest
from rich.console import Console
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.cli.playing.shared_terminal import SharedGame, begin_shared
from jamboree.cli.screen import WIPE
from jamboree.core.journal import About, check
from jamboree.games import find

PEOPLE = ["Ada", "Bob", "Cleo"]
NUMBER = re.compile(r"^ +(\d+)  \S", re.MULTILINE)


class Screen(io.StringIO):
    """Collects all output, and has the last part of it at hand."""

    tail = ""

    def write(self, text: str) -> int:
        self.tail = (self.tail + text)[-6000:]
        return super().write(text)


def a_game(key: str, people: int, bots: int, seed: int = 1) -> tuple[SharedGame, Screen]:
    """Set up a game at a terminal with random numeric input."""
    game, written = find(key), Screen()
    out = Console(file=written, force_terminal=True, color_system=None, width=100, height=60)
    about = About(bots=["random"] * bots, people=people)
    options = game.info.options(**({"promises": False} if key == "boogie" else {}))  # it takes less long
    begun = begin_shared(game, people + bots, options, seed, about, PEOPLE[:people], "en", out)
    rng = random.Random(seed)

    def read(prompt: str) -> str:
        out.print(prompt, end="", markup=False)
        if "Press Enter" in prompt:
            return "\n"
        numbers = NUMBER.findall(written.tail.rpartition("> ")[0].rpartition("> ")[2]) or ["1"]
        return f"{rng.choice(numbers)}\n"

    for person in begun.people:
        person.read = read
    return begun, written


@pytest.mark.parametrize(("key", "people", "bots"), [("bebop", 2, 1), ("bpm", 2, 0), ("boogie", 3, 1)])
def test_a_whole_game_on_a_shared_terminal(key: str, people: int, bots: int) -> None:
    begun, written = a_game(key, people, bots)
    begun.play()
    assert begun.game.outcome(begun.match.state)
    check(begun.match.journal(), begun.game)
    screens = written.getvalue().split(WIPE)
    passing = [at for at, screen in enumerate(screens) if "Press Enter" in screen]
    assert len(passing) > people
    for at in passing:
        lines = [line for line in screens[at].splitlines() if line.strip()]
        assert len(lines) == 2, "nothing but whom to pass it to stands there"
    names = [re.search(r"Press Enter, (\w+)", screens[at]) for at in passing]
    assert {name and name.group(1) for name in names} == set(PEOPLE[:people])


def test_players_of_a_shared_terminal_do_not_see_each_others_songs() -> None:
    begun, written = a_game("bpm", 2, 0)
    state, game = begun.match.state, begun.game
    held = {seat: {song.title for song in game.view(state, seat).hands[seat].songs or []} for seat in (0, 1)}
    answers = iter(["\n"])
    begun.people[0].read = lambda prompt: next(answers, "")  # takes the device, looks, and leaves
    begun.play()
    shown = written.getvalue()
    own, others = held[0] - held[1], held[1] - held[0]
    assert any(title in shown for title in own)
    assert not any(title in shown for title in others)


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["--people", "1"], "Between 2 and"),
        (["--people", "9"], "Between 2 and"),
        (["--people", "3", "--seats", "2"], "too small for 3 people"),
        (["--people", "2", "--name", "Ada"], "1 names for 2 people"),
        (["--people", "2", "--name", "Ada,ada"], "need different names"),
        (["--people", "2", "--auto"], "no effect"),
        (["--people", "2", "--resume"], "--resume can only be combined with"),
    ],
)
def test_invalid_options_are_refused(flags: list[str], why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jamboree.cli.commands.play._can_ask", lambda *_: True)
    answer = CliRunner().invoke(app, ["play", "bpm", *flags])
    assert answer.exit_code
    assert why in " ".join(answer.output.split())


def test_timed_games_cannot_share_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jamboree.cli.commands.play._can_ask", lambda *_: True)
    answer = CliRunner().invoke(app, ["play", "boogie", "--people", "3", "--timed"])
    assert "without a clock" in " ".join(answer.output.split())
