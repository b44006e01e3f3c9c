"""The life cycle of a batch: games that end once, winners, copies, threads and processes."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from jamboree.core.twin.interface import CLOCK
from jamboree.fast import Batch, DamagedRow, IllegalId
from jamboree.games import find

MANY = 300  # so many that threads share them


def random_ids(batch: Batch, rng: Any) -> Any:
    return (rng.random(batch.legal.shape) * batch.legal).argmax(axis=1)


def play(batch: Batch, steps: int) -> Any:
    rng = np.random.default_rng(1)
    for _ in range(steps):
        batch.step(random_ids(batch, rng))
    return batch.smalls


def test_a_game_without_restart_ends_once() -> None:
    batch, rng, ended = Batch("bpm", 2, games=20, again=False), np.random.default_rng(1), np.zeros(20, int)
    for _ in range(400):
        batch.step(random_ids(batch, rng))
        ended += batch.ended
    assert (batch.actor == -1).all() and not batch.legal.any()
    assert (ended == 1).all()


@pytest.mark.parametrize("greedy", [False, True])
def test_finished_games_restart_if_requested(greedy: bool) -> None:
    once, again = Batch("bpm", games=5, seed=2, again=False), Batch("bpm", games=5, seed=2)
    assert (once.finish(greedy) == again.finish(greedy)).all()
    assert (once.scores == again.scores).all() and once.scores.any()
    assert (once.winners == again.winners).all() and again.ended.all()
    assert (once.actor == -1).all() and (again.actor >= 0).all()
    assert not once.finish(greedy).any() and not once.ended.any()
    assert again.finish(greedy).all()


def test_winners_are_reported_only_at_the_end() -> None:
    """In Bebop tokens decide between equal points."""
    batch, rng, decided = Batch("bebop", 2, games=100, seed=1), np.random.default_rng(1), 0
    for _ in range(700):
        batch.step(random_ids(batch, rng))
        assert (batch.winners.any(axis=1) == batch.ended).all()
        best = batch.scores == batch.scores.max(axis=1, keepdims=True)
        assert not (batch.winners & ~best).any()
        decided += int((best & batch.ended[:, None] & ~batch.winners).sum())
    assert decided > 0


def test_all_simultaneous_actors_can_be_queried() -> None:
    options = find("boogie").info.samples[1]
    batch = Batch("boogie", 3, options, games=4)
    assert (batch.acting == 0b111 | 1 << CLOCK).all()
    batch.turn_to([0, 1, 2, CLOCK])
    assert batch.actor.tolist() == [0, 1, 2, CLOCK]
    assert batch.legal[3].sum() == 1
    batch.turn_to([3, 3, -1, 5])  # nobody sits there
    assert batch.actor.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copied_batch_is_independent(copied: Any) -> None:
    batch = Batch("bpm", games=MANY, seed=3)
    play(batch, 5)
    other, before = copied(batch), batch.smalls.copy()
    then = play(other, 20)
    assert (batch.smalls == before).all()
    assert (play(batch, 20) == then).all()


def test_a_forked_process_continues() -> None:
    """Threads do not come along when a process is forked."""
    batch = Batch("bpm", games=MANY, seed=3)
    batch.engine.threads = 2
    play(batch, 5)
    child = multiprocessing.get_context("fork").Process(target=play, args=(batch, 5))
    child.start()
    child.join(60)
    stuck = child.is_alive()
    child.kill()
    assert not stuck and child.exitcode == 0


def test_concurrent_threads_leave_a_batch_consistent() -> None:
    """Each step is validated against the current rows; ids that are no longer legal are refused."""
    batch = Batch("bpm", games=MANY, seed=3)

    def go_on(number: int) -> None:
        rng = np.random.default_rng(number)
        for _ in range(60):
            try:
                batch.step(random_ids(batch, rng))
            except IllegalId:
                continue

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(go_on, range(4)))
    batch.check()


def test_an_endless_game_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch("bpm", games=2, seed=1)
    run = batch.engine.run

    def not_run(name: str, *arguments: Any, rows: int) -> None:
        if name != "finish_rows":
            run(name, *arguments, rows=rows)

    monkeypatch.setattr(batch.engine, "run", not_run)
    with pytest.raises(DamagedRow, match=r"Game 0 .* end"):
        batch.finish()
