import json
import random
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from typer.testing import CliRunner

from jamboree.bots import RandomBot
from jamboree.cli import app
from jamboree.cli.commands.replay import ReplayScreen
from jamboree.cli.playing.journal_file import permitted_view
from jamboree.core import journal as journals
from jamboree.core.chance import Seeded
from jamboree.core.errors import BadJournal
from jamboree.core.game import Eye, Viewer
from jamboree.core.play import Match, play
from jamboree.games import find

from .terminal import Terminal

game = find("bebop")


def a_game() -> journals.Journal:
    about = journals.About("1.2.3", "2026-11-16")
    match = Match(game, 2, game.info.options(), Seeded(1), ["Ada", "Bob"], about)
    play(match, [RandomBot(1), RandomBot(2)], random.Random(1))
    return match.journal()


JOURNAL = a_game()
TEXT = journals.write(JOURNAL)
DATA = TEXT.encode()


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replay") / "game.json"
    path.write_bytes(DATA)
    return path


def invoke(*args: str | Path) -> Any:
    return CliRunner().invoke(app, ["replay", *map(str, args)])


def refused(path: Path, data: bytes, *args: str) -> str:
    """Replay bytes that are not a valid journal, and return the error message."""
    path.write_bytes(data)
    result = invoke(path, *args)
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    return str(result.stderr)


def resealed(document: dict[str, Any]) -> bytes:
    """Write an edited journal with a seal that fits."""
    journal = msgspec.convert(document, journals.Journal)
    journal.seal = journal.expected_seal()
    return journals.write(journal).encode()


def test_a_valid_journal_is_reported_as_valid(stored: Path) -> None:
    result = invoke(stored, "--check")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Valid: Bebop, 2 seats, {len(JOURNAL.entries)} actions, to the end.\n")
    assert "Played on 16 November 2026, written by version 1.2.3." in result.stdout
    assert re.search(r"Won by Ada. Points: \d+ for Ada and \d+ for Bob\.", result.stdout)


def test_without_a_terminal_the_final_position_is_printed(stored: Path) -> None:
    result = invoke(stored)
    assert result.exit_code == 0
    assert "The festival is over, and " in result.stdout
    assert f"Step {len(JOURNAL.entries)} of {len(JOURNAL.entries)}." in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines() if not line.startswith("  ") and line[-1:] != ".")


def test_a_step_shows_its_sentences_and_both_hands(stored: Path) -> None:
    result = invoke(stored, "--step", "1")
    assert result.exit_code == 0
    assert "Step 1 of" in result.stdout
    assert "??" not in result.stdout
    assert JOURNAL.entries[0].action["hex"] in result.stdout.splitlines()[0]


def test_undone_moves_are_marked(tmp_path: Path) -> None:
    document = json.loads(DATA)
    first = document["entries"][0]
    document["entries"][:0] = [first, {"actor": first["actor"], "action": {}, "picks": [], "undo": 0}]
    path = tmp_path / "game.json"
    path.write_bytes(resealed(document))
    mover = document["header"]["names"][first["actor"]]
    for lang, printed in (("en", "took a move back"), ("nl", "nam een zet terug")):
        result = invoke(path, "--step", "2", "--lang", lang)
        assert result.exit_code == 0
        assert f"{mover} {printed}" in result.stdout


def test_an_unknown_step_is_reported(stored: Path) -> None:
    result = invoke(stored, "--step", "9999")
    assert result.exit_code == 2
    assert "there is no step 9999" in result.stderr


def test_a_replay_can_be_stepped_through(stored: Path) -> None:
    terminal = Terminal("replay", stored)
    assert "Step 0 of" in terminal.read()
    assert "Step 1 of" in terminal.send("")
    assert "Step 2 of" in terminal.send("n")
    assert "Step 1 of" in terminal.send("p")
    assert "Steps go from 0" in terminal.send("-7")
    assert "Step 40 of" in terminal.send("40")
    terminal.send("q")
    assert terminal.close() == 0


def test_a_small_window_shows_the_small_board_with_what_happened(stored: Path) -> None:
    terminal = Terminal("replay", stored, columns=80, lines=24)
    for step in (0, 1, 40, len(JOURNAL.entries) - 1):
        shown = terminal.read() if step == 0 else terminal.send(str(step))
        window = terminal.seen.window
        assert f"Step {step} of {len(JOURNAL.entries)}." in window
        assert sum(bool(re.match(r"[a-k]  ", line)) for line in window) == 11, "all rows of the board"
        assert step == 0 or any(re.match(r"  (Ada|Bob) ", line) for line in window), "what happened"
        assert "free   VIP VIP seats only" not in shown, "the legend comes on request"
    board = terminal.send("b")
    while "(m: " in board.rsplit("\n", 1)[-1]:
        assert board.count("\n") <= 24
        board += terminal.send("m")
    assert "free   VIP VIP seats only" in board
    assert "that was the whole list" in terminal.send("m")
    terminal.type("q\n", until="\0")
    assert terminal.close() == 0


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\xff\xfe",
        b"hello",
        b"[]",
        b"null",
        b'{"header": 1, "entries": 2}',
        b"[" * 100_000,
        DATA[:-2],
        DATA[: len(DATA) // 2],
        DATA.replace(b'"version":1', b'"version":2', 1),
        DATA.replace(b'"game":"bebop"', b'"game":"chess"', 1),
        DATA.replace(b'"rules":', b'"rules":9', 1),
        DATA.replace(b'"picks":[{', b'"picks":[{"extra":1,', 1),
        DATA.replace(b'"options":{', b'"options":{"a":' + b"[" * 990 + b"]" * 990 + b",", 1),
        DATA.replace(b"Ada", b"Eve", 1),
    ],
    ids=range(15),
)
def test_files_that_are_not_journals_are_refused(data: bytes, tmp_path: Path) -> None:
    refused(tmp_path / "game.json", data)


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        result = invoke(path, "--check")
        assert result.exit_code == 2
        assert "can't be read" in result.stderr


def test_a_journal_of_another_rules_version_is_reported(tmp_path: Path) -> None:
    assert "version 2 of its format" in refused(tmp_path / "game.json", DATA.replace(b'"version":1', b'"version":2', 1))


def test_a_recomputed_seal_does_not_hide_an_illegal_action(tmp_path: Path) -> None:
    document = json.loads(DATA)
    document["entries"][2]["action"] = {**document["entries"][0]["action"]}
    complaint = refused(tmp_path / "game.json", resealed(document), "--check")
    assert "not sound at step 3" in complaint
    assert ".." not in complaint


def test_changed_picks_are_detected(tmp_path: Path) -> None:
    for change in ({"index": 1_000}, {"n": 7}, {"value": "gold"}, {"stream": "hidden"}, {"index": -1}):
        document = json.loads(DATA)
        document["setup"][5].update(change)
        assert "set-up is not sound" in refused(tmp_path / "game.json", resealed(document))


def test_control_characters_in_names_are_not_printed(tmp_path: Path) -> None:
    document = json.loads(DATA)
    document["header"]["names"][0] = "\x1b[31mEve\n[bold]\x07" * 50
    path = tmp_path / "game.json"
    path.write_bytes(resealed(document))
    result = invoke(path)
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert "\x07" not in result.stdout


WILD: list[Any] = [None, -1, 0, 3, 99, 10**30, 1.5, True, "", "e5", "zz9" * 9, [], {}, "clock", "boot", "\x1b[31m"]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Flip, cut and insert bytes."""
    data = bytearray(DATA)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data) - 1))
        cut = draw(st.sampled_from([0, 1, 1, 30, 5000]))
        data[at : at + cut] = draw(st.binary(max_size=3))
    return bytes(data)


@st.composite
def edited(draw: st.DrawFn) -> bytes:
    """Change one value somewhere, and seal the result."""
    document = json.loads(DATA)
    node: Any = document[draw(st.sampled_from(["header", "setup", "entries"]))]
    while True:
        key = draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        if not isinstance(node[key], dict | list) or not node[key] or draw(st.booleans()):
            break
        node = node[key]
    node[key] = draw(st.sampled_from(WILD))
    try:
        return resealed(document)
    except msgspec.ValidationError:
        return json.dumps(document).encode()


@settings(max_examples=150)
@given(st.one_of(damaged(), edited()))
def test_damaged_journals_are_reported_in_one_sentence(data: bytes) -> None:
    try:
        journal = journals.read(data)
        sound = journals.check(journal, find(journal.header.game))
    except BadJournal as error:
        assert str(error)
    except Exception as error:
        assert "There is no game called" in str(error)
    else:
        assert sound in (True, False)


def test_the_person_who_saved_a_game_is_addressed_as_you(tmp_path: Path) -> None:
    about = journals.About("1.2.3", "2026-11-16", seat=1)
    match = Match(game, 2, game.info.options(), Seeded(1), ["Ada", "Bob"], about)
    play(match, [RandomBot(1), RandomBot(2)], random.Random(1))
    path = tmp_path / "game.json"
    path.write_bytes(journals.write(match.journal()).encode())
    printed = "".join(invoke(path, "--step", step).output for step in "2468")
    assert "  You " in printed
    assert not re.search(r"^  Bob ", printed, re.MULTILINE)
    assert re.search(r"^  Ada ", printed, re.MULTILINE)


def unfinished(key: str, about: journals.About, actions: int = 9) -> journals.Journal:
    rules, rng = find(key), random.Random(4)
    match = Match(rules, 3, rules.info.options(), Seeded(4), ["Ada", "Bob", "Cleo"], about)
    for _ in range(actions):
        actor = min(rules.to_act(match.state), key=str)
        match.act(actor, rng.choice(list(rules.legal(match.state, actor))).action)
    return match.journal()


PLAYED = {
    "one person": (journals.About(seat=1, bots=["random"] * 2), 1),
    "several people": (journals.About(people=2, bots=["random"]), None),
    "a seat that does not exist": (journals.About(seat=7, bots=["random"] * 2), None),
    "unknown players": (journals.About(), None),
    "bots": (journals.About(bots=["random"] * 3), Eye.ALL),
}


@pytest.mark.parametrize("key", ["bebop", "bpm", "boogie"])
@pytest.mark.parametrize(("about", "viewer"), PLAYED.values(), ids=PLAYED)
def test_an_unfinished_game_is_shown_from_its_players_seat(key: str, about: journals.About, viewer: Viewer) -> None:
    journal, rules = unfinished(key, deepcopy(about)), find(key)
    assert permitted_view(journal, over=False) == viewer
    assert permitted_view(journal, over=True) is Eye.ALL
    screen = ReplayScreen(rules, journal, permitted_view(journal, over=False), "en", Console())
    states = [step.state.clone() for step in journals.steps(journal, rules)]
    assert [frame.view for frame in screen.frames] == [rules.view(state, viewer) for state in states]


def titles(journal: journals.Journal) -> list[set[str]]:
    """Return the songs in every hand, without those that two players hold."""
    rules = find(journal.header.game)
    *_, last = journals.steps(journal, rules)
    hands = [{song.title for song in hand.songs} for hand in rules.view(last.state, Eye.ALL).hands]
    return [hand - set().union(*(other for other in hands if other is not hand)) for hand in hands]


@pytest.mark.parametrize("about", [about for about, viewer in PLAYED.values() if viewer is not Eye.ALL])
def test_no_command_reveals_hidden_information_of_an_unfinished_game(about: journals.About, tmp_path: Path) -> None:
    path, journal = tmp_path / "game.json", unfinished("bpm", deepcopy(about))
    path.write_text(journals.write(journal))
    hidden = set().union(*(hand for seat, hand in enumerate(titles(journal)) if about.people or seat != about.seat))
    assert hidden
    for options in (("--check",), (), *(("--step", step) for step in range(len(journal.entries)))):
        shown = invoke(path, *map(str, options))
        assert shown.exit_code == 0, shown.output
        assert not any(title in shown.output for title in hidden)
    assert "This game is still being played, so you only see what" in invoke(path, "--step", "3").stdout
    for refused in (["analyse", path], ["analyse", path, "--json"], ["analyse", path, "--seat", "1"]):
        answer = CliRunner().invoke(app, [str(word) for word in refused])
        assert (answer.exit_code, answer.stdout) == (2, "")
        assert "This game is not over" in answer.stderr
    resumable = about.seat is not None or about.people
    assert ("`jamboree play --resume --journal" in answer.stderr) == bool(resumable)
    terminal = Terminal("play", "--journal", path, "--step", "2", "--seat", "1")
    assert "This game is not over" in " ".join(terminal.read(until="\0").split())
    terminal.close()


def test_a_servers_journal_is_shown_completely() -> None:
    """A server publishes a journal with its seed only after the game, so everything may be shown."""
    journal = unfinished("bpm", journals.About())
    journal.fairness.append(journals.Fairness("abcdef", 0, "", "0" * 64, []))
    assert permitted_view(journal, over=False) is Eye.ALL
