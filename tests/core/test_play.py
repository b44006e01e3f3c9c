"""The local driver: turns, sealed choices, real time, and the clock."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, Illegal, Stalled
from jamboree.core.game import Nature
from jamboree.core.journal import check
from jamboree.core.play import WAIT, Later, Match, play
from tests.contract.toy import CardsTurned, HighCard, Lay, Options

GAME = HighCard()


class First:
    """Takes the first offer."""

    def choose(self, view: Any, offers: Sequence[Any]) -> Any:
        return offers[0].action


class Sleeper:
    """Always waits."""

    def choose(self, view: Any, offers: Sequence[Any]) -> Any:
        return WAIT


class Dawdler(First):
    """Uses a part of the remaining time before each choice, and records what is left."""

    def __init__(self, part: float) -> None:
        self.part, self.lefts = part, list[float]()

    def in_time(self, view: Any, offers: Sequence[Any], left: float) -> Any:
        if not self.lefts or left > self.lefts[-1] * (1 - self.part) + 1e-9:
            self.lefts = [left]
            return Later(left * self.part)
        self.lefts.append(left)
        return self.choose(view, offers)


def match(timed: bool = False, seats: int = 3) -> Match:
    return Match(GAME, seats, Options(timed=timed), Seeded(1))


def actors_of(table: Match) -> list[Any]:
    return [entry.actor for entry in table.journal().entries]


def test_a_match_plays_to_its_end_with_a_valid_journal() -> None:
    table = match()
    play(table, [First()] * 3, random.Random(1))
    assert GAME.outcome(table.state) is not None
    assert check(table.journal(), GAME)


def test_the_timer_expires_if_all_players_wait() -> None:
    table = match(timed=True)
    play(table, [Sleeper()] * 3, random.Random(1))
    assert set(actors_of(table)) == {Nature.CLOCK}


def test_the_timer_does_not_expire_while_a_player_acts() -> None:
    table = match(timed=True)
    play(table, [First()] * 3, random.Random(1))
    assert Nature.CLOCK not in actors_of(table)


def test_only_the_timer_ends_the_wait_for_an_inactive_player() -> None:
    table = match(timed=True)
    play(table, [First(), Sleeper(), First()], random.Random(1))
    assert Counter(actors_of(table)).keys() == {0, 2, Nature.CLOCK}


def test_time_passes_only_while_players_think() -> None:
    table, dawdler = match(timed=True), Dawdler(0.5)
    table.listeners.append(lambda actor, action, events: moments.append((actor, table.watch.now)))
    moments = list[tuple[Any, float]]()
    play(table, [First(), dawdler, First()], random.Random(1))
    seconds = GAME.timer(match(timed=True).state)
    assert seconds is not None
    assert moments[2] == (1, seconds.seconds / 2), "the others acted at once"
    assert Nature.CLOCK not in actors_of(table)


def test_a_player_who_uses_the_whole_time_does_not_stop_the_timer() -> None:
    table = match(timed=True)
    play(table, [First(), Dawdler(1.0), First()], random.Random(1))
    assert Counter(actors_of(table)).keys() == {0, 2, Nature.CLOCK}


def test_mutual_waiting_without_a_timer_is_an_error() -> None:
    with pytest.raises(Stalled):
        play(match(), [Sleeper()] * 3, random.Random(1))


def test_simultaneous_actors_are_asked_in_fair_order() -> None:
    firsts: Counter[Any] = Counter()
    for seed in range(600):
        table = match()
        play(table, [First()] * 3, random.Random(seed))
        firsts[actors_of(table)[0]] += 1
    assert all(150 < firsts[seat] < 250 for seat in range(3))


def test_listeners_receive_every_event() -> None:
    table, observed = match(), list[Any]()
    table.listeners.append(lambda actor, action, events: observed.extend(events))
    play(table, [First()] * 3, random.Random(1))
    assert sum(isinstance(event, CardsTurned) for event in observed) == len(observed) // 7 + 1


def test_an_illegal_action_is_not_recorded() -> None:
    table = match()
    with pytest.raises(Illegal):
        table.act(0, Lay(9))
    assert table.journal().entries == []


def test_invalid_options_are_refused() -> None:
    with pytest.raises(BadOptions):
        Match(GAME, 5, Options(), Seeded(1))
