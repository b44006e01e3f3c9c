"""Journals round-trip, and invalid ones are rejected."""

import json
import random
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jamboree import __version__
from jamboree.core.chance import Seeded
from jamboree.core.errors import BadJournal
from jamboree.core.journal import Journal, check, read, steps, write
from jamboree.core.play import Match, play
from tests.contract.toy import HighCard, Options

from .test_play import First

GAME = HighCard()


def played() -> bytes:
    table = Match(GAME, 2, Options(timed=True), Seeded(1), ["Ella", "Duke"])
    play(table, [First(), First()], random.Random(1))
    return write(table.journal()).encode()


WRITTEN = played()


def sealed_again(document: dict[str, Any]) -> bytes:
    """Write a changed document with a seal that fits it."""
    journal = msgspec.convert(document, Journal)
    journal.seal = journal.expected_seal()
    return write(journal).encode()


def test_a_journal_survives_serialization() -> None:
    journal = read(WRITTEN)
    assert write(journal).encode() == WRITTEN
    assert check(journal, GAME)


def test_a_journal_can_be_read_as_plain_json() -> None:
    document = json.loads(WRITTEN)
    assert document["header"]["game"] == "high-card"
    assert document["header"]["names"] == ["Ella", "Duke"]
    assert document["header"]["options"] == {"timed": True}
    entry = document["entries"][1]
    assert entry.keys() == {"actor", "action", "picks"}
    assert entry["picks"][0].keys() == {"stream", "n", "index", "value"}


def test_a_journal_names_its_result_and_its_program() -> None:
    journal = read(WRITTEN)
    assert journal.about
    assert journal.about.program == __version__
    *_, last = steps(journal, GAME)
    assert journal.about.result == GAME.outcome(last.state) is not None
    document = json.loads(WRITTEN)
    document["about"]["result"]["scores"][0] += 1
    with pytest.raises(BadJournal, match="its seal does not fit"):
        read(json.dumps(document).encode())
    with pytest.raises(BadJournal, match="ended in another way"):
        check(read(sealed_again(document)), GAME)


def test_an_earlier_format_keeps_its_seal() -> None:
    """Those know nothing of dates and results: header, setup, entries, state and seal."""
    earlier = Path(__file__).with_name("journal-before-about.json").read_bytes()
    journal = read(earlier)
    assert journal.about is None
    assert check(journal, GAME)
    assert write(journal).encode() == earlier


def test_formatting_does_not_change_the_seal() -> None:
    assert read(json.dumps(json.loads(WRITTEN), indent=4).encode()) == read(WRITTEN)


def test_a_replay_yields_every_step() -> None:
    journal = read(WRITTEN)
    numbers = [step.number for step in steps(journal, GAME)]
    assert numbers == list(range(len(journal.entries) + 1))


def test_an_unfinished_game_is_valid() -> None:
    table = Match(GAME, 2, Options(), Seeded(1))
    assert not check(table.journal(), GAME)


@given(st.data())
def test_damaged_bytes_are_refused_or_harmless(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(WRITTEN) - 1))
    junk = data.draw(st.binary(max_size=3))
    damaged = WRITTEN[:at] + junk + WRITTEN[at + data.draw(st.integers(0, 3)) :]
    with suppress(BadJournal):
        assert read(damaged) == read(WRITTEN)


@given(st.integers(0, len(WRITTEN) - 3))
def test_a_truncated_file_is_refused(length: int) -> None:
    with pytest.raises(BadJournal):
        read(WRITTEN[:length])


@given(st.binary())
def test_foreign_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(BadJournal):
        read(data)


@pytest.mark.parametrize("foreign", [b"{}", b"[]", b"null", b'{"header": 1, "entries": 2}', b"[" * 100_000])
def test_foreign_json_is_refused(foreign: bytes) -> None:
    with pytest.raises(BadJournal):
        read(foreign)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("change", ["d['header']['options'] = {'timed': v}", "e[0]['action']['slot'] = v"])
def test_deeply_nested_values_are_refused(change: str) -> None:
    """Some depths can still be read, and are too much only where the value is used."""
    usual = sys.getrecursionlimit()
    for depth in [100, 500, *range(usual - 150, usual + 5), 5_000]:
        document: dict[str, Any] = json.loads(WRITTEN)
        exec(change, {"d": document, "e": document["entries"], "v": nested(depth)})
        sys.setrecursionlimit(20_000)
        try:
            sealed = sealed_again(document)
        finally:
            sys.setrecursionlimit(usual)
        with pytest.raises(BadJournal):
            check(read(sealed), GAME)


def test_an_edited_name_invalidates_the_seal() -> None:
    with pytest.raises(BadJournal, match="changed after it was written"):
        read(WRITTEN.replace(b"Ella", b"Etta"))


def edit(change: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(WRITTEN)
    exec(change, {"d": document, "e": document["entries"]})
    return document


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("d['header']['rules'] = 99", "version 99"),
        ("d['header']['names'] = ['Ella']", "names 1 players for 2 seats"),
        ("d['header']['seats'] = 7; d['header']['names'] = list('abcdefg')", "set-up is not sound"),
        ("d['header']['options'] = {'timed': 3}", "set-up is not sound"),
        ("d['setup'].pop()", "set-up is not sound"),
        ("d['setup'].append(d['setup'][0])", "set-up is not sound: it records more picks"),
        ("e[0]['action']['slot'] = 5", "not sound at step 1"),
        ("e[0]['action'] = {'type': 'Fly'}", "not sound at step 1"),
        ("e[0]['actor'] = 9", "not sound at step 1"),
        ("e[0]['actor'] = 'clock'", "not sound at step 1"),
        ("e[1]['picks'][0]['value'] = 'nine'", "not sound at step 2"),
        ("e[1]['picks'].clear()", "not sound at step 2"),
        ("e[0]['picks'] = e[1]['picks']", "records more picks"),
        ("e.pop()", "another position"),
        ("e.append(e[-1])", "not sound at step"),
        ("d['state'] = '0' * 64", "another position"),
    ],
)
def test_a_journal_that_does_not_replay_is_refused(change: str, reason: str) -> None:
    with pytest.raises(BadJournal, match=reason):
        check(read(sealed_again(edit(change))), GAME)


def test_undone_steps_are_listed_but_have_no_effect() -> None:
    document = json.loads(WRITTEN)
    first = document["entries"][0]
    back = {"actor": first["actor"], "action": {}, "picks": [], "undo": 0}
    document["entries"][:0] = [first, back]
    journal = read(sealed_again(document))
    assert check(journal, GAME)
    assert journal.entries[1].undo == 0
    laid = [max(step.state.laid) for step in steps(journal, GAME)]
    assert laid[:3] == [-1, 0, -1], "as before the first action"


@pytest.mark.parametrize(
    "wrong", [{"undo": 9}, {"undo": 2}, {"undo": -1}, {"actor": 5}, {"actor": "clock"}, {"action": {"type": "TimeUp"}}]
)
def test_an_impossible_undo_is_refused(wrong: dict[str, Any]) -> None:
    document = json.loads(WRITTEN)
    back = {"actor": 0, "action": {}, "picks": [], "undo": 0}
    document["entries"][:0] = [document["entries"][0], {**back, **wrong}]
    with pytest.raises(BadJournal, match="not sound at step 2: it takes back"):
        check(read(sealed_again(document)), GAME)


def test_a_journal_is_stored_as_bytes(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(WRITTEN)
    assert read(path.read_bytes()) == read(WRITTEN)
