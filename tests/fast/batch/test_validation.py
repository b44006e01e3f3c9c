"""Validation: compiled code gets only types it was compiled for; anything else is refused in a sentence."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, JamboreeError
from jamboree.fast import Batch, DamagedRow, IllegalId, TooManyGames, memory
from jamboree.games import find
from jamboree.games.bebop.box.board import load

HUGE = 1 << 70


@pytest.fixture(scope="module")
def batch() -> Batch:
    return Batch("bpm", games=3, seed=1)


def legal_ids(batch: Batch) -> Any:
    return batch.legal.argmax(axis=1)


@pytest.mark.parametrize(
    "ids",
    [
        lambda ids: ids + 0.7,  # a number that is rounded would be another move
        lambda ids: ids.astype(float),
        lambda ids: ids * np.nan,
        lambda ids: [str(each) for each in ids],
        lambda ids: ids.astype(bool),
        lambda ids: ids[:, None],
        lambda ids: ids[:2],
        lambda ids: int(ids[0]),
        lambda ids: [[1], [2, 3], 4],
        lambda ids: [HUGE] * 3,
        lambda ids: np.array([1 << 63] * 3, "u8"),
        lambda ids: [],
        lambda ids: None,
    ],
)
def test_ids_must_be_one_integer_per_game(batch: Batch, ids: Any) -> None:
    before = batch.smalls.copy()
    with pytest.raises(IllegalId, match="3"):
        batch.step(ids(legal_ids(batch)))
    assert (batch.smalls == before).all()


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u8", "O"])
def test_any_integer_type_is_accepted(dtype: str) -> None:
    batch, ids = Batch("bpm", games=3, seed=1), legal_ids(Batch("bpm", games=3, seed=1))
    batch.step(ids.tolist() if dtype == "O" else ids.astype(dtype))
    other = Batch("bpm", games=3, seed=1)
    other.step(ids)
    assert (batch.smalls == other.smalls).all()


@pytest.mark.parametrize("actors", [[0], [0, 0, 64], [0, 0, -2], [0.0] * 3, [HUGE] * 3, "abc", None])
def test_only_actors_can_be_queried(batch: Batch, actors: Any) -> None:
    """Too few would be read past the end of their array, and seat 64 looks like seat 0 to a processor."""
    before = batch.actor.copy()
    with pytest.raises(JamboreeError):
        batch.turn_to(actors)
    assert (batch.actor == before).all()


@pytest.mark.parametrize("wrong", [-1, 1 << 63, 1.5, "7", None])
def test_a_seed_is_a_number_of_63_bits(wrong: Any) -> None:
    """A negative one would leave chance empty: every game the same, and set-ups that never end."""
    with pytest.raises(JamboreeError, match="seed"):
        Batch("bpm", seed=wrong)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, "3", None, 1 << 45, HUGE])
def test_the_number_of_games_is_limited(wrong: Any) -> None:
    with pytest.raises(JamboreeError, match="games"):
        Batch("bpm", games=wrong)


@pytest.mark.parametrize("wrong", [0, -1, 99, 2.0, "2", [2], HUGE])
def test_the_number_of_seats_is_checked(wrong: Any) -> None:
    with pytest.raises(JamboreeError):
        Batch("bpm", seats=wrong)


@pytest.mark.parametrize("wrong", [-2, 4, 1.5, "0", None, float("nan"), HUGE])
def test_only_seats_and_spectators_have_observations(batch: Batch, wrong: Any) -> None:
    with pytest.raises(JamboreeError, match="seat"):
        batch.observe(wrong)


@pytest.mark.parametrize("wrong", [{"tempo": 1}, {"hypemaster": 3}, "fast", 3, [], find("boogie").info.options()])
def test_options_are_validated(wrong: Any) -> None:
    with pytest.raises(BadOptions, match="BPM"):
        Batch("bpm", options=wrong)


def test_options_can_be_a_dictionary() -> None:
    game = find("bpm")
    one, two = Batch("bpm", options={"hypemaster": True}), Batch("bpm", options=game.info.options(hypemaster=True))
    assert (one.table == two.table).all()
    assert (one.table != Batch("bpm").table).any()


def test_a_board_can_be_given_by_name() -> None:
    board = load("longchain").source
    named, given = Batch("bebop", 2, {"board": "longchain"}), Batch("bebop", 2, {"board": board})
    assert (named.table == given.table).all()
    assert (named.table != Batch("bebop", 2).table).any()
    with pytest.raises(BadOptions, match="There is no board called 'nowhere'; there are: cramped-valley, longchain"):
        Batch("bebop", 2, {"board": "nowhere"})
    with pytest.raises(BadOptions, match="id:"):
        Batch("bebop", 2, {"board": "nowhere\n"})


def test_a_view_must_fit_the_game_and_its_options() -> None:
    game = find("boogie")
    view = game.view(game.setup(4, game.info.options(), Seeded(1)), 0)
    with pytest.raises(JamboreeError, match="view of BPM"):
        Batch("bpm", view=view)
    with pytest.raises(JamboreeError, match="not both"):
        Batch("boogie", 4, view=view)


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows + 0.5,
        lambda rows: rows * np.nan,
        lambda rows: rows.astype(str),
        lambda rows: rows[0],
        lambda rows: rows[:, 1:],
        lambda rows: np.array(rows, "i8") + (1 << 16),  # the same numbers again, if nobody looks
    ],
)
def test_rows_must_be_integers_of_the_right_shape(batch: Batch, change: Any) -> None:
    before = batch.smalls.copy()
    with pytest.raises(DamagedRow):
        batch.put(batch.masks, change(batch.smalls))
    assert (batch.smalls == before).all()


def test_the_legal_mask_is_read_only(batch: Batch) -> None:
    """A program that writes its own preferences into the mask would make anything legal."""
    for array in (batch.legal, batch.actor, batch.acting):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 1


def test_the_memory_limit_of_the_container_is_respected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    most, taken, machine = tmp_path / "max", tmp_path / "current", tmp_path / "meminfo"
    machine.write_text("MemFree: 10 kB\nMemAvailable: 3000000 kB\n")
    monkeypatch.setattr(memory, "MACHINE", machine)
    monkeypatch.setattr(memory, "CONTAINERS", ((most, taken), (tmp_path / "none", tmp_path / "none")))
    assert memory.free() == 3_000_000 * 1024
    taken.write_text("600000\n")
    most.write_text("max\n")
    assert memory.free() == 3_000_000 * 1024
    most.write_text("1000000\n")
    assert memory.free() == 400_000
    with pytest.raises(TooManyGames, match=r"1,000 games .* would"):
        Batch("bpm", games=1000)
