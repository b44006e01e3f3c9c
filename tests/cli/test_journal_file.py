"""Games are saved automatically, and can be resumed, undone and analysed."""

import io
import os
import re
import signal
import stat
import time
from pathlib import Path

import pytest
from rich.console import Console

from jamboree.cli.playing.journal_file import JournalFile
from jamboree.cli.playing.local import begin, resumable
from jamboree.cli.playing.shared_terminal import ENTER_DELAY
from jamboree.core.chance import Seeded
from jamboree.core.errors import JamboreeError
from jamboree.core.journal import About, Entry, Journal, check, read, steps
from jamboree.core.play import Match
from jamboree.games import find

from .terminal import Terminal, run

START = ("play", "bebop", "--seats", "3", "--seat", "1", "--seed", "1", "--name", "Ada")


def begun(data: Path, *more: str) -> Terminal:
    terminal = Terminal(*START, *more, XDG_DATA_HOME=str(data))
    terminal.read()
    return terminal


def stored(data: Path) -> tuple[Path, Journal]:
    (path,) = (data / "jamboree" / "games").iterdir()
    return path, read(path.read_bytes())


def words(text: str) -> str:
    return " ".join(text.split())


def own_actions(journal: Journal) -> int:
    return sum(entry.actor == 0 and entry.undo is None for entry in journal.entries)


def test_an_interrupted_game_can_be_resumed(tmp_path: Path) -> None:
    terminal = begun(tmp_path)
    terminal.send("1 d5")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == 130
    path, journal = stored(tmp_path)
    assert f"It is saved in {path}; `jamboree play --resume` resumes it." in words(terminal.transcript)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.name.startswith("bebop-")
    assert journal.about
    assert (journal.about.seat, journal.about.bots) == (0, ["regular", "regular"])
    before = len(journal.entries)
    again = Terminal("play", "--resume", XDG_DATA_HOME=str(tmp_path))
    assert f"after step {before}" in words(again.read())
    again.send("1")
    again.type("\x04", until="resumes it.\n")
    assert again.close() == 0
    _, later = stored(tmp_path)
    assert later.entries[:before] == journal.entries
    assert len(later.entries) > before
    assert not check(later, find("bebop"))


def test_a_move_can_be_undone(tmp_path: Path) -> None:
    terminal = begun(tmp_path)
    assert "There is no move of yours to take back." in terminal.send("u")
    assert "You claim d5" in terminal.send("1 d5")
    assert own_actions(stored(tmp_path)[1]) == 1
    output = terminal.send("undo")
    assert "Your last move is taken back." in output
    assert "Claim: basic seat" in output
    _, journal = stored(tmp_path)
    assert journal.entries[-1].undo == 0
    assert not check(journal, find("bebop"))
    assert "There is no move of yours to take back." in terminal.send("u")
    terminal.type("\x04", until="resumes it.\n")
    assert terminal.close() == 0


@pytest.mark.parametrize(
    ("game", "reason"), [("boogie", "Moves can't be taken back in Boogie Beasts."), ("bpm", "hidden")]
)
def test_an_impossible_undo_is_explained(game: str, reason: str, tmp_path: Path) -> None:
    terminal = Terminal("play", game, "--seats", "3", "--seed", "1", XDG_DATA_HOME=str(tmp_path))
    terminal.read()
    for _ in range(3):
        terminal.send("1")
    assert reason in words(terminal.send("u"))
    terminal.type("\x04", until="resumes it.\n")
    assert terminal.close() == 0


def test_a_hint_names_three_moves_with_reasons_and_help_names_every_command(tmp_path: Path) -> None:
    terminal = begun(tmp_path)
    hint = terminal.send("h")
    assert hint.count("Claim: ") >= 3 or "looks best at a glance" in hint, (
        "three moves, or one where nothing is compiled"
    )
    assert "you win about" in words(hint) or "looks best at a glance" in words(hint)
    helped = terminal.send("?")
    for command in "?bhrusqw":
        assert f"{command}  " in helped
    terminal.type("\x04", until="resumes it.\n")
    terminal.close()


def test_the_label_of_a_hint_plays_its_move(tmp_path: Path) -> None:
    terminal = begun(tmp_path)
    hint = terminal.send("h")
    labels = re.findall(r"^  (\w)  (Claim: .*? · (\w+))", hint, re.MULTILINE)
    assert labels, hint
    letter, _, hexagon = labels[-1]
    assert f"You claim {hexagon} with" in words(terminal.send(letter))
    _, journal = stored(tmp_path)
    assert [entry.action["hex"] for entry in journal.entries if entry.actor == 0] == [hexagon]
    terminal.type("\x04", until="resumes it.\n")
    terminal.close()


def test_a_resumed_game_keeps_its_language_and_prints_no_seed(tmp_path: Path) -> None:
    start = ("play", "bpm", "--seats", "2", "--seed", "1", "--bots", "random", "--lang", "nl")
    terminal = Terminal(*start, XDG_DATA_HOME=str(tmp_path))
    assert "Typ ? voor hulp." in words(terminal.read())
    terminal.type("\x04", until="speel je verder.\n")
    terminal.close()
    again = Terminal("play", "--resume", XDG_DATA_HOME=str(tmp_path))
    text = again.read()
    assert "Je speelt verder met het spel in" in words(text)
    while text.endswith("> "):
        text = again.send("1")
    assert again.close() == 0
    output = words(again.transcript)
    assert "--seed 1" not in output and "geen --seed herhaalt het" in output
    assert "met `jamboree replay` kijk je het terug" in output
    replayed = Terminal("replay", "--lang", "nl", XDG_DATA_HOME=str(tmp_path))
    assert "Stap 0 van" in words(replayed.read())
    replayed.type("q\n", until="\0")
    assert replayed.close() == 0
    english = Terminal("play", "--resume", "--lang", "en", XDG_DATA_HOME=str(tmp_path))
    assert "There is no unfinished game to resume" in words(english.read(until=".\n"))
    english.close()


def test_the_seed_is_printed_unless_a_move_was_undone() -> None:
    for entries, key in (([Entry(0, {}, [])], "--seed 7"), ([Entry(0, {}, []), Entry(0, {}, [], undo=0)], "no seed")):
        out = Console(file=io.StringIO(), width=200)
        played = begin(find("bebop"), 2, find("bebop").info.options(), 7, About(bots=["random"] * 2), None, "en", out)
        played.match._journal.entries += entries
        played.journal = JournalFile.__new__(JournalFile)
        played._print_seed()
        assert key in out.file.getvalue()  # type: ignore[attr-defined]


def test_replay_and_review_without_an_argument_use_the_last_game(tmp_path: Path) -> None:
    assert "No game is saved yet" in run("replay", XDG_DATA_HOME=str(tmp_path)).stderr
    assert "No game is saved yet" in run("analyse", XDG_DATA_HOME=str(tmp_path)).stderr
    for game in ("bpm", "bebop"):
        terminal = Terminal("play", game, "--seats", "2", "--seed", "1", XDG_DATA_HOME=str(tmp_path))
        terminal.read()
        terminal.type("\x04", until="resumes it.\n")
        terminal.close()
    assert run("replay", "--check", XDG_DATA_HOME=str(tmp_path)).stdout.startswith("Valid so far: Bebop")
    os.utime(next((tmp_path / "jamboree" / "games").glob("bpm-*")))  # played again
    assert run("replay", "--check", XDG_DATA_HOME=str(tmp_path)).stdout.startswith("Valid so far: BPMs")


def test_messages_name_a_custom_journal_path(tmp_path: Path) -> None:
    named = tmp_path / "my game.json"
    terminal = begun(tmp_path, "--journal", str(named))
    assert f"`jamboree replay '{named}'` shows the game" in words(terminal.send("s"))
    terminal.type("\x04", until="resumes it.\n")
    terminal.close()
    assert f"`jamboree play --resume --journal '{named}'` resumes it" in words(terminal.transcript)


def hand_over(terminal: Terminal) -> str:
    """Take the device as the next person, and return the screen from then on."""
    time.sleep(ENTER_DELAY)
    return terminal.type("\n", until=("\n> ", ") > "))  # a dancer that faces right looks like a prompt


def test_several_people_at_one_terminal_can_resume_in_secret(tmp_path: Path) -> None:
    start = ("play", "bpm", "--people", "2", "--name", "Ada,Bob", "--seed", "4", "--lang", "en")
    terminal = Terminal(*start, XDG_DATA_HOME=str(tmp_path))
    terminal.find("Press Enter, Ada:")
    hand_over(terminal)
    terminal.send("1")
    terminal.send("1")
    terminal.type("1\n", until="Press Enter, Bob: ")
    hand_over(terminal)
    terminal.type("q\n", until="(y/n) ")
    left = terminal.type("y\n", until="resumes it.\n")
    assert "`jamboree play --resume` resumes it" in words(left)
    assert terminal.close() == 0
    _, journal = stored(tmp_path)
    assert journal.about and (journal.about.people, journal.about.seat) == (2, None)
    held = songs_of(journal)
    looked_at_by_others(tmp_path, held)
    again = Terminal("play", "--resume", XDG_DATA_HOME=str(tmp_path))
    before = again.find("Press Enter, Bob:")
    assert not any(title in before for titles in held.values() for title in titles)
    wiped = hand_over(again)
    assert "Since you last looked:" in wiped and "Ada seals the setlist." in wiped
    assert any(title in wiped for title in held[1])
    assert not any(title in wiped for title in held[0] - held[1])
    again.send("1")
    again.type("1\n", until="> ")
    again.process.send_signal(signal.SIGINT)
    assert again.close() == 130
    assert len(stored(tmp_path)[1].entries) > len(journal.entries)
    assert "is saved in" in words(again.transcript)


def looked_at_by_others(data: Path, held: dict[int, set[str]]) -> None:
    """Replay and review of a running game show no hand of another person."""
    path, _ = stored(data)
    for step in ("0", "1", "2"):
        shown = run("replay", "--step", step, XDG_DATA_HOME=str(data)).stdout
        assert f"Step {step} of" in shown
        assert not any(title in shown for titles in held.values() for title in titles)
    assert "when it is; `jamboree play --resume` resumes it" in run("analyse", XDG_DATA_HOME=str(data)).stderr
    again = Terminal("play", "--journal", path, "--step", "1", "--seat", "2", XDG_DATA_HOME=str(data))
    assert "when it is; `jamboree play --resume` resumes it" in words(again.read(until="\0"))
    again.close()


def test_a_journal_with_invalid_seats_is_refused() -> None:
    game = find("bebop")
    for about in (About(seat=7, bots=["random"]), About(people=3), About(people=1), About(seat=0, bots=[])):
        journal = Match(game, 2, game.info.options(), Seeded(1), ["Ada", "Bob"], about).journal()
        with pytest.raises(JamboreeError, match="This journal"):
            resumable(journal, "2026-11-18", "en")


def songs_of(journal: Journal) -> dict[int, set[str]]:
    """Return the titles that each person holds in BPM."""
    game = find(journal.header.game)
    *_, last = steps(journal, game)
    views = {seat: game.view(last.state, seat) for seat in range(2)}
    return {seat: {song.title for song in view.hands[seat].songs} for seat, view in views.items()}


def test_a_game_without_installed_rules_is_not_resumed(tmp_path: Path) -> None:
    nothing = run("play", "--resume", XDG_DATA_HOME=str(tmp_path))
    assert (nothing.returncode, nothing.stderr.count("\n")) == (2, 1)
    assert "There is no unfinished game to resume" in nothing.stderr
    over = tmp_path / "over.json"
    assert run("play", "bebop", "--auto", "--seed", "1", XDG_DATA_HOME=str(tmp_path)).returncode == 0
    assert not any((tmp_path / "jamboree" / "games").iterdir()), "games between bots are kept only if asked"
    assert run("play", "bebop", "--auto", "--seed", "1", "--journal", over).returncode == 0
    assert "--resume can only be combined with" in run("play", "bebop", "--resume", "--seats", "2").stderr
    assert "interactive terminal" in run("play", "--resume", "--journal", over).stderr


def test_a_game_is_played_even_if_it_cannot_be_saved(tmp_path: Path) -> None:
    (tmp_path / "jamboree").write_text("in the way", encoding="utf-8")
    terminal = Terminal(*START, XDG_DATA_HOME=str(tmp_path))
    assert "This game is not saved: " in words(terminal.read())
    assert "not saved" in terminal.send("s")
    terminal.type("\x04", until="left the game.\n")
    assert terminal.close() == 0


def test_a_new_game_can_begin_at_a_step_of_a_journal(tmp_path: Path) -> None:
    over = tmp_path / "over game.json"
    assert run("play", "bpm", "--seats", "2", "--auto", "--seed", "1", "--journal", over).returncode == 0
    before, steps = over.read_bytes(), len(read(over.read_bytes()).entries)
    terminal = Terminal("play", "--journal", str(over), "--step", "6", "--seat", "2", XDG_DATA_HOME=str(tmp_path))
    terminal.read()
    assert "You play on after step 6, in the seat of Regular 2." in words(terminal.transcript)
    terminal.type("\x04", until="resumes it.\n")
    terminal.close()
    _, again = stored(tmp_path)
    assert again.entries[:6] == read(before).entries[:6]
    assert again.about and (again.about.seat, again.about.bots) == (1, ["regular"])
    assert not check(again, find("bpm")), "it is sound, and not over"
    assert over.read_bytes() == before
    for more, complaint in {
        ("--step", "2"): "--step needs --journal",
        ("--step", "2", "--journal", str(over), "--seats", "3"): "--step needs --journal, and can only",
        ("--step", "2", "--journal", str(over)): "interactive terminal",
    }.items():
        assert complaint in run("play", *more).stderr
    late = Terminal("play", "--journal", str(over), "--step", str(steps), XDG_DATA_HOME=str(tmp_path))
    late.read()
    assert f"This game ended after step {steps}; name an earlier step." in words(late.transcript)
    late.close()
