"""Three temperaments: their honesty, their timing, and their use of cards."""

import random
from functools import lru_cache
from typing import Any

import pytest

from jamboree.core.chance import Seeded
from jamboree.core.play import Later, Match, play
from jamboree.games.boogie.bots.players import BOTS, guest
from jamboree.games.boogie.bots.temperaments import TEMPERAMENTS
from jamboree.games.boogie.bots.tempered import GLANCE, TemperedPlayer
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.rules.actions import PlayCard, SayDone
from jamboree.games.boogie.rules.setup import Options

from ..table import BOOGIE, lay, promise, table
from .honesty import TABLE, Habits, habits

every_temperament = pytest.mark.parametrize("name", TEMPERAMENTS)
LOYAL, OPPORTUNIST, ROGUE = TEMPERAMENTS


@lru_cache
def watched() -> Habits:
    return habits(range(12))


def test_temperaments_differ_in_how_they_keep_their_word() -> None:
    kept = [watched().kept(name) for name in (LOYAL, OPPORTUNIST, ROGUE)]
    assert kept[0] > 0.9
    assert 0.5 < kept[1] < 0.8
    assert 0.2 < kept[2] < 0.5


@every_temperament
def test_cards_are_laid_over_the_whole_minute(name: str) -> None:
    first, *_, last = watched().moments(name)
    assert first < 27
    assert 38 < last < 60
    assert watched().laid[name][0] != watched().laid[name][-1]


def test_some_are_silent_in_some_planes_but_none_always() -> None:
    silent = [watched().silence(name) for name in TEMPERAMENTS]
    assert max(silent) > 0.05
    assert max(silent) < 0.5


def game(number: int) -> bytes:
    match = Match(BOOGIE, 6, Options(pace="standard"), Seeded(number))
    play(match, [BOTS[name](number + seat) for seat, name in enumerate(TABLE)], random.Random(number))
    return match.journal().state.encode()


def test_the_same_seeds_play_the_same_game_against_the_clock() -> None:
    assert game(1) == game(1) != game(2)


def test_a_guest_has_a_temperament_of_its_own_and_keeps_it() -> None:
    tempers = [guest(seed).temper for seed in range(40)]
    assert tempers == [guest(seed).temper for seed in range(40)]
    assert {*map(id, tempers)} == {*map(id, TEMPERAMENTS.values())}


def all_laid(name: str, marks: str, hand: str, seed: int = 1) -> list[PlayCard]:
    """Let a bot on the first seat of five lay everything it wants, after the others have laid."""
    state = table(5, phase="plane", p1=hand)
    promise(state, "1>all sure@3")
    promise(state, "2>all sure@3")
    promise(state, "3>all sure@3")
    state.phase += 1
    lay(state, marks)
    for seat in (1, 2):
        BOOGIE.apply(state, seat, SayDone(), Seeded(1))
    bot: Any = TemperedPlayer(TEMPERAMENTS[name], seed)
    found = []
    while not isinstance(said := bot.choose(BOOGIE.view(state, 0), BOOGIE.legal(state, 0)), SayDone):
        BOOGIE.apply(state, 0, said, Seeded(1))
        found.append(said)
    return found


def figures_on(plays: list[PlayCard], jump: Jump) -> int:
    return sum(play.jump == jump and play.card.isdigit() for play in plays)


def test_it_looks_at_the_table_before_it_adds_to_a_formation() -> None:
    """Two others are done and stand on the 3, or on the 2: that counts for more than what they said."""
    came = [all_laid(LOYAL, "2@3:sure 3@3:sure", "3 3 4 2 1", seed) for seed in range(8)]
    stayed_away = [all_laid(LOYAL, "2@2:sure 3@2:sure", "3 3 4 2 1", seed) for seed in range(8)]
    with_them, without = (sum(figures_on(plays, Jump(3)) for plays in each) for each in (came, stayed_away))
    assert with_them > 2 * without


def test_a_rogue_spoils_a_formation_that_others_have_completed() -> None:
    spoilt = [all_laid(ROGUE, "2@2:sure 3@2:sure 4@4:sure", "", seed) for seed in range(20)]
    assert any(PlayCard("sure", Jump(2)) in plays for plays in spoilt)
    assert not any(PlayCard("sure", Jump(2)) in all_laid(LOYAL, "2@2:sure 3@2:sure", "", seed) for seed in range(20))


@every_temperament
def test_it_waits_for_its_moment_and_looks_up_now_and_then(name: str) -> None:
    view = BOOGIE.view(table(5, timed=True, p1="1 2"), 0)  # figures for a solo
    bot = TemperedPlayer(TEMPERAMENTS[name], 1)
    waits = bot.in_time(view, [], 60.0)
    assert isinstance(waits, Later)
    assert 0 < waits.seconds <= GLANCE
    assert isinstance(bot.in_time(view, [], 0.5), PlayCard)


@every_temperament
def test_it_does_not_keep_the_others_waiting(name: str) -> None:
    state = table(5, timed=True, p1="3 4")
    for seat in range(1, 5):
        BOOGIE.apply(state, seat, SayDone(), Seeded(1))
    assert not isinstance(TemperedPlayer(TEMPERAMENTS[name], 1).in_time(BOOGIE.view(state, 0), [], 60.0), Later)
