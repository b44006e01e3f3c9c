"""A batch of games: results, and errors for invalid arguments."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numba import cuda

from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, JamboreeError
from jamboree.fast import Batch, DamagedRow, IllegalId, NoGpu, TooManyGames, load, sources, twin_keys
from jamboree.games import find


def random_ids(batch: Batch, rng: Any) -> Any:
    return (rng.random(batch.legal.shape) * batch.legal).argmax(axis=1)


@pytest.mark.parametrize("key", twin_keys())
def test_finished_games_restart_in_a_batch(key: str) -> None:
    batch, rng, ended = Batch(key, find(key).info.seats[0], games=130, seed=3), np.random.default_rng(3), 0
    for _ in range(900):
        assert batch.legal.any(axis=1).all()
        batch.step(random_ids(batch, rng))
        ended += int(batch.ended.sum())
    batch.check()
    assert ended > 130
    assert batch.scores.shape == (130, batch.seats)


@pytest.mark.parametrize("key", twin_keys())
def test_the_same_seed_gives_the_same_games(key: str) -> None:
    one, two, other = (Batch(key, games=70, seed=seed, again=False) for seed in (1, 1, 2))
    assert (one.smalls == two.smalls).all()
    assert (one.smalls != other.smalls).any()
    assert (one.finish() == two.finish()).all()
    assert (one.masks == two.masks).all()
    other.finish()
    assert (one.smalls != other.smalls).any(axis=1).all()
    assert len({row.tobytes() for row in one.smalls}) == 70
    assert (one.scores == two.scores).all()


@pytest.mark.parametrize("key", twin_keys())
def test_an_illegal_id_leaves_the_batch_unchanged(key: str) -> None:
    batch = Batch(key, games=3, seed=1)
    before, rng = batch.smalls.copy(), np.random.default_rng(1)
    for wrong in (-1, batch.actions, 1 << 40, int(np.flatnonzero(~batch.legal[2])[0])):
        ids = random_ids(batch, rng)
        ids[2] = wrong
        with pytest.raises(IllegalId, match="game 2"):
            batch.step(ids)
        assert (batch.smalls == before).all()
    with pytest.raises(IllegalId, match="3 whole numbers"):
        batch.step([0])
    batch.step(random_ids(batch, rng))


@pytest.mark.parametrize("key", twin_keys())
def test_a_damaged_row_is_refused(key: str) -> None:
    batch = Batch(key, games=2, seed=1)
    masks, smalls = batch.masks.copy(), batch.smalls.copy()
    smalls[1, :] = 77
    with pytest.raises(DamagedRow, match="Game 1"):
        batch.put(masks, smalls)
    with pytest.raises(DamagedRow):
        batch.put(masks[:, :-1], smalls)
    assert (batch.masks == masks).all()
    batch.put(masks, batch.smalls.copy())


@pytest.mark.parametrize("key", twin_keys())
def test_debug_mode_detects_a_row_damaged_by_a_step(key: str) -> None:
    batch, rng = Batch(key, games=2, seed=1), np.random.default_rng(1)
    batch.debug = True
    batch.step(random_ids(batch, rng))
    ids = random_ids(batch, rng)
    batch.smalls[0, 1:] += 5
    damaged, chance = batch.smalls.copy(), batch.chance.copy()
    with pytest.raises(DamagedRow, match="Game 0"):
        batch.step(ids)
    assert (batch.smalls == damaged).all() and (batch.chance == chance).all()


def test_debug_mode_reverts_a_step_that_wrote_out_of_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch("bpm", games=2, seed=1)
    batch.debug, before = True, batch.smalls.copy()
    ids = random_ids(batch, np.random.default_rng(1))

    def leave(*_: Any, **__: Any) -> None:
        batch.smalls[:] = 7
        raise IndexError("index is out of bounds")

    with monkeypatch.context() as patch:
        patch.setattr(batch, "_update_legal", leave)
        with pytest.raises(DamagedRow, match="No game was touched"):
            batch.step(ids)
    assert (batch.smalls == before).all()
    batch.step(ids)


def test_kernels_check_their_bounds_in_debug_mode() -> None:
    loop, layout = load("bpm", debug=True).rank, sources.layout("bpm")
    row, table = np.zeros(layout.MASKS, "i8"), np.zeros(layout.TABLE, "i8")
    assert loop(row, np.zeros(layout.SMALLS, "i2"), table, 0) == 0
    with pytest.raises(IndexError):
        loop(row, np.zeros(3, "i2"), table, 0)


@pytest.mark.parametrize("key", twin_keys())
def test_invalid_arguments_are_reported_in_a_sentence(key: str) -> None:
    for wrong, error in (
        ({"games": 1 << 50}, TooManyGames),
        ({"games": 0}, JamboreeError),
        ({"target": "abacus"}, JamboreeError),
        ({"seats": 40}, BadOptions),
    ):
        with pytest.raises(error):
            Batch(key, **wrong)
    with pytest.raises(JamboreeError, match="no fast twin"):
        Batch("chess")
    with pytest.raises(JamboreeError):
        Batch(key).observe(9)


@pytest.mark.parametrize("key", twin_keys())
def test_a_row_converts_back_to_a_playable_state(key: str) -> None:
    game, bridge, twin = find(key), sources.bridge(key), load(key, "python")
    for number, options in enumerate(game.info.samples):
        seats = game.info.seats[number % 2]
        state, chance = game.setup(seats, options, Seeded(number)), Seeded(number)
        for step in range(60):
            acting = sorted(game.to_act(state), key=str)
            if not acting:
                break
            row = bridge.row_of(state)
            assert bridge.row_of(bridge.state_of(*row, seats, options)) == row
            assert twin.sound(*row, bridge.table(seats, options))
            again = bridge.state_of(*row, seats, options)
            assert game.census(game.imagine(game.view(again, 0), Seeded(step))) == game.census(state)
            offers = game.legal(state, acting[0])
            assert [offer.action for offer in game.legal(again, acting[0])] == [offer.action for offer in offers]
            game.apply(state, acting[0], offers[(step * 7) % len(offers)].action, chance)


def test_a_missing_gpu_is_reported_in_a_sentence() -> None:
    if cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(NoGpu, match="No GPU"):
        Batch("bebop", target="cuda")


def test_the_python_engine_works_without_numba() -> None:
    """Everything except the twins works, and they report the missing package."""
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import jamboree.cli\n"
        "from jamboree.fast import Batch, NoNumba\n"
        "for target in ('cpu', 'cuda'):\n"
        "    try:\n        Batch('bebop', target=target)\n    except NoNumba as error:\n        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.count("need numba, which is not installed: make fast") == 2, done.stderr
