import signal
import subprocess
import sys

import pytest

from jamboree.core.kit.reporting import FinishedGame, GameResult, Series
from jamboree.games import find
from jamboree.games.bebop.box.board import load
from jamboree.games.bebop.lab.measure import measure
from jamboree.lab import simulate as lab
from jamboree.lab.simulate import simulate
from jamboree.lab.workers import workers

BEBOP = Series("bebop", find("bebop").info.samples[0], ("greedy", "random"), measure)


def test_a_record_describes_a_game() -> None:
    (record,) = simulate(BEBOP, [7])
    assert record.failure is None
    assert record.seed == 7
    assert len(record.scores) == 2
    assert record.winners == [record.scores.index(max(record.scores))]
    assert record.decisions > 60
    assert sum(record.facts.sources) == sum(record.scores)


def test_a_board_can_be_given_by_name() -> None:
    board = load("longchain").source
    assert board != load("vanillaville").source
    records = [
        simulate(Series("bebop", options, BEBOP.bots), [7]) for options in ({"board": "longchain"}, {"board": board})
    ]
    assert records[0] == records[1] != simulate(Series("bebop", None, BEBOP.bots), [7])
    (record,) = simulate(Series("bebop", {"board": "longchian"}, BEBOP.bots), [7])
    assert record.failure
    assert "There is no board called 'longchian'; there are: cramped-valley, longchain" in record.failure


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    seeds = range(2 * lab.BATCH + 1)
    with workers(1) as here, workers(2) as pool:
        assert here is None
        assert simulate(BEBOP, seeds, here) == simulate(BEBOP, seeds, pool)


def test_progress_counts_finished_games() -> None:
    counted: list[int] = []
    simulate(BEBOP, range(lab.BATCH + 2), done=counted.append)
    assert counted == [lab.BATCH, 2]


def test_a_crashing_game_is_recorded_as_failed() -> None:
    def broken(played: FinishedGame) -> None:
        raise ValueError("no such thing")

    (record,) = simulate(Series("bebop", BEBOP.options, BEBOP.bots, broken), [1])
    assert record == GameResult(1, failure="ValueError: no such thing")


def test_an_endless_game_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "LONGEST", 20)
    (record,) = simulate(BEBOP, [1])
    assert record.failure == "Stalled: the game did not end after 20 decisions"


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_ctrl_c_ends_the_workers() -> None:
    command = [sys.executable, "-c", INTERRUPTED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout
        assert running.stdout.readline() == "started\n"
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=180)
    assert errors.count("Traceback") == 1
    assert "KeyboardInterrupt" in errors


INTERRUPTED = """
from tests.lab.test_simulate import BEBOP
from jamboree.lab.simulate import simulate
from jamboree.lab.workers import workers
if __name__ == "__main__":
    with workers(2) as pool:
        simulate(BEBOP, range(1000), pool, lambda games: print("started", flush=True))
"""
