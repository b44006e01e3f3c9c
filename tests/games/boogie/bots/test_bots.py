"""Bots talk, lie at their rate, remember who lied; and promises change what the others do."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jamboree.core.chance import Seeded
from jamboree.core.play import WAIT, Match, play
from jamboree.games.boogie.bots.evaluation import Situation, least_worth
from jamboree.games.boogie.bots.greedy import GreedyBot
from jamboree.games.boogie.bots.players import BOTS
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.lab.report import count_of, play_games, tables
from jamboree.games.boogie.rules.actions import Promise, SayReady, Term
from jamboree.games.boogie.rules.events import PromiseJudged
from jamboree.games.boogie.rules.setup import Options
from jamboree.lab.simulate import simulate

from ..table import BOOGIE, lay, promise, table


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("pace", ["untimed", "standard"])
def test_games_of_bots_end(name: str, pace: Any) -> None:
    for seats in (3, 5, 8):
        match = Match(BOOGIE, seats, Options(pace=pace), Seeded(seats))
        play(match, [BOTS[name](seat) for seat in range(seats)], random.Random(seats))
        assert BOOGIE.outcome(match.state)


def test_a_bot_plays_the_same_with_the_same_seed() -> None:
    scores = set()
    for _ in range(2):
        match = Match(BOOGIE, 4, Options(), Seeded(1))
        play(match, [GreedyBot(seat) for seat in range(4)], random.Random(1))
        scores.add(BOOGIE.scores(match.state))
    assert len(scores) == 1


def test_promises_bring_formations_about() -> None:
    talking = play_games(5, True, range(15), simulate)
    silent = play_games(5, False, range(15), simulate)
    came_about = [count_of(tally, "jump", {2, 3, 4}, "exact") for tally in (talking, silent)]
    assert came_about[0] > 1.5 * came_about[1]


def test_a_bot_joins_where_somebody_is_missing() -> None:
    state = table(4, phase="plane", p3="4 5")
    promise(state, "1>all sure@3")
    promise(state, "2>all sure@3")
    said = None
    while not isinstance(said, Promise):
        said = GreedyBot(1).choose(BOOGIE.view(state, 2), [])
        BOOGIE.apply(state, 2, said, Seeded(1))
    assert said == Promise(Term("sure", Jump(3)))


def test_a_bot_remembers_who_lied() -> None:
    state = table(4, phase="plane")
    promise(state, "1>all sure@3")
    assert Situation(BOOGIE.view(state, 2)).pledged(3) == {0}
    state.told_all[0] = (0, 3, 0)
    assert Situation(BOOGIE.view(state, 2)).pledged(3) == set()


@pytest.mark.parametrize(("lies", "kept"), [(0.0, 1.0), (1.0, 0.0)])
def test_a_bot_lies_at_its_rate(lies: float, kept: float) -> None:
    state = table(4, phase="plane", p1="4 5")
    promise(state, "1>all sure@2")
    state.phase += 1
    plan = GreedyBot(1, lies=lies).plan(Situation(BOOGIE.view(state, 0)))
    laid = [play.card for play in plan if play.jump == Jump(2)]
    assert (laid[0] == "sure") == bool(kept)


@pytest.mark.parametrize("seats", [3, 5, 8])
def test_a_bot_that_means_its_promises_keeps_them(seats: int) -> None:
    """Nothing is broken for lack of cards: no card is promised twice."""
    verdicts = Counter[tuple[str, str]]()

    def hear(actor: Any, action: Any, events: list[Any]) -> None:
        verdicts.update((event.term.pledge, event.verdict) for event in events if isinstance(event, PromiseJudged))

    for seed in range(12):
        match = Match(BOOGIE, seats, Options(), Seeded(seed))
        match.listeners.append(hear)
        play(match, [GreedyBot(100 * seed + seat, lies=0.0) for seat in range(seats)], random.Random(seed))
    assert verdicts["figures", "kept"] > 0
    assert verdicts["sure", "kept"] > 0
    assert not {pledge for pledge, verdict in verdicts if verdict == "broken"}


@pytest.mark.parametrize(
    ("hand", "worth", "cards"),
    [
        ("6 5 4 3 2 1", 12, "5 4 3"),
        ("5 4 4 3", 8, "4 4"),
        ("5 5 5", 7, "5 5"),
        ("4 2", 9, "4 2"),
        ("4 2", 0, ""),
        ("", 3, ""),
    ],
)
def test_figures_for_a_promise_are_chosen_with_little_to_spare(hand: str, worth: int, cards: str) -> None:
    assert sorted(least_worth(tuple(hand.split()), worth)) == sorted(cards.split())


@given(st.lists(st.sampled_from("123456"), max_size=8), st.integers(1, 12))
def test_figures_for_a_promise_are_found_if_there_are_any(hand: list[str], worth: int) -> None:
    found = least_worth(tuple(hand), worth)
    assert not Counter(found) - Counter(hand)
    sums = {sum(map(int, some)) for size in range(len(hand) + 1) for some in combinations(hand, size)}
    assert sum(map(int, found)) == min((total for total in sums if total >= worth), default=max(sums))


@pytest.mark.parametrize("lies", [0.0, 1.0])
def test_a_bot_spares_a_jump_only_if_it_meant_to(lies: float) -> None:
    state = table(4, phase="plane", p1="+3")
    promise(state, "1>2 harmless@s2")
    state.phase += 1
    lay(state, "2@s2:sure")
    bots = [GreedyBot(seed, lies=lies) for seed in range(20)]
    for bot in bots:
        bot.plan(Situation(BOOGIE.view(state, 0)))
    harmed = [bot.spite(Situation(BOOGIE.view(state, 0))) for bot in bots]
    assert any(harmed) == bool(lies)


def test_a_bot_can_take_over_in_the_middle() -> None:
    rng, chance = random.Random(2), Seeded(2)
    state = BOOGIE.setup(5, Options(), chance)
    while actors := BOOGIE.to_act(state):
        seat = rng.choice(sorted(actors))
        action = GreedyBot(rng.getrandbits(32)).choose(BOOGIE.view(state, seat), BOOGIE.legal(state, seat))
        if action is not WAIT:
            BOOGIE.apply(state, seat, action, chance)
    assert BOOGIE.outcome(state)


def test_a_bot_is_quiet_when_it_has_nothing_to_do() -> None:
    state = table(phase="plane", promising=False)
    assert GreedyBot(1).choose(BOOGIE.view(state, 0), []) == SayReady()
    BOOGIE.apply(state, 0, SayReady(), Seeded(1))
    assert GreedyBot(1).choose(BOOGIE.view(state, 0), []) is WAIT


def test_the_report_has_a_column_for_every_number_of_players() -> None:
    tallies = {seats: play_games(seats, True, range(2), simulate) for seats in range(3, 9)}
    rows = [line for line in tables(tallies, tallies) if line.startswith("|")]
    assert {line.count("|") for line in rows} == {8}
    assert next(line for line in rows if line.startswith("| formation 5 |")).count("–") == 3  # not in play
