"""Bots promise, lie at their rates, remember liars; and promises change what the others do."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jamboree.core.chance import Seeded
from jamboree.core.geometry import bits
from jamboree.core.play import WAIT, Match, play
from jamboree.core.twin.chance import CHANCE
from jamboree.core.twin.chance import seed as seed_chance
from jamboree.core.twin.greedy_player import GreedyPlayer
from jamboree.games.boogie.bots.adapter import ADAPTER
from jamboree.games.boogie.bots.players import BOTS
from jamboree.games.boogie.box.components import cards_in, hand_of
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.fast import layout as at
from jamboree.games.boogie.fast.bridge import row_of, table_for
from jamboree.games.boogie.fast.evaluation import least_worth, pledged, pledged_on, trusted
from jamboree.games.boogie.fast.greedy import make_plan, spite
from jamboree.games.boogie.lab.report import count_of, play_games, tables
from jamboree.games.boogie.rules.actions import PlayCard, Promise, SayReady, Term
from jamboree.games.boogie.rules.events import PromiseJudged
from jamboree.games.boogie.rules.setup import Options
from jamboree.games.boogie.rules.state import State
from jamboree.lab.simulate import simulate

from ..table import BOOGIE, lay, promise, table

GREEDY = BOTS["greedy"]


class Seat:
    """What a seat sees of a position, as the rows that its player thinks about."""

    def __init__(self, state: State, seat: int, number: int = 1, lies: float | None = None) -> None:
        known = BOOGIE.restore(BOOGIE.view(state, seat))
        (self.m, self.s), self.t, self.seat = row_of(known), list(table_for(known)), seat
        if lies is not None:
            self.t[at.LYING] = round(1000 * lies)
        self.c, self.scratch = [0] * CHANCE, [0.0] * at.SCRATCH
        seed_chance(self.c, number, 0)

    def pledged(self, number: int) -> set[int]:
        """List the players whose word counts and who said that they are in on a formation for sure."""
        pledges = pledged(self.s, self.t, self.seat, trusted(self.s, self.t, self.seat))
        formation = self.t[at.NEEDED + self.t[at.PLAYERS] : at.VALUE].index(number)
        return set(bits(pledged_on(pledges, formation)))

    def plan(self) -> list[PlayCard]:
        make_plan(self.m, self.s, self.c, self.t, self.seat, self.scratch)
        first, every = at.PLAN + at.PLAN_MOST * self.seat, BOOGIE.actions(table(self.t[at.PLAYERS]))
        return [every[self.t[at.PLAYS] + spot - 1] for spot in self.s[first : first + at.PLAN_MOST] if spot]

    def harms(self) -> bool:
        return spite(self.m, self.s, self.c, self.t, self.seat) != at.SAY_DONE


def sincere(table: list[int]) -> None:
    table[at.LYING] = 0


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
        play(match, [GREEDY(seat) for seat in range(4)], random.Random(1))
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
        said = GREEDY(1).choose(BOOGIE.view(state, 2), [])
        BOOGIE.apply(state, 2, said, Seeded(1))
    assert said == Promise(Term("sure", Jump(3)))


def test_a_bot_remembers_who_lied() -> None:
    state = table(4, phase="plane")
    promise(state, "1>all sure@3")
    assert Seat(state, 2).pledged(3) == {0}
    state.told_all[0] = (0, 3, 0)
    assert Seat(state, 2).pledged(3) == set()


@pytest.mark.parametrize(("lies", "kept"), [(0.0, 1.0), (1.0, 0.0)])
def test_a_bot_lies_at_its_rate(lies: float, kept: float) -> None:
    state = table(4, phase="plane", p1="4 5")
    promise(state, "1>all sure@2")
    state.phase += 1
    plan = Seat(state, 0, lies=lies).plan()
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
        play(match, [GreedyPlayer(ADAPTER, 100 * seed + seat, sincere) for seat in range(seats)], random.Random(seed))
    assert verdicts["figures", "kept"] > 0
    assert verdicts["sure", "kept"] > 0
    assert not {pledge for pledge, verdict in verdicts if verdict == "broken"}


def figures_for(hand: Sequence[str], worth: int) -> list[str]:
    """Choose figures of a hand for a promise of so much."""
    held = hand_of([hand.count(str(figure)) for figure in range(1, at.FIGURES + 1)])
    chosen = least_worth(list(table_for(table(3))), held, worth, [0.0] * at.SCRATCH)
    return sorted(str(card + 1) for card in cards_in(chosen))


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
    assert figures_for(hand.split(), worth) == sorted(cards.split())


@given(st.lists(st.sampled_from("123456"), max_size=8), st.integers(1, 12))
def test_figures_for_a_promise_are_found_if_there_are_any(hand: list[str], worth: int) -> None:
    found = figures_for(hand, worth)
    assert not Counter(found) - Counter(hand)
    sums = {sum(map(int, some)) for size in range(len(hand) + 1) for some in combinations(hand, size)}
    assert sum(map(int, found)) == min((total for total in sums if total >= worth), default=max(sums))


@pytest.mark.parametrize("lies", [0.0, 1.0])
def test_a_bot_spares_a_jump_only_if_it_meant_to(lies: float) -> None:
    state = table(4, phase="plane", p1="+3")
    promise(state, "1>2 harmless@s2")
    state.phase += 1
    lay(state, "2@s2:sure")
    seats = [Seat(state, 0, number, lies) for number in range(20)]
    for seat in seats:
        seat.plan()
    harmed = [seat.harms() for seat in seats]
    assert any(harmed) == bool(lies)


def test_a_bot_can_take_over_in_the_middle() -> None:
    rng, chance = random.Random(2), Seeded(2)
    state = BOOGIE.setup(5, Options(), chance)
    while actors := BOOGIE.to_act(state):
        seat = rng.choice(sorted(actors))
        action = GREEDY(rng.getrandbits(32)).choose(BOOGIE.view(state, seat), BOOGIE.legal(state, seat))
        if action is not WAIT:
            BOOGIE.apply(state, seat, action, chance)
    assert BOOGIE.outcome(state)


def test_a_bot_is_quiet_when_it_has_nothing_to_do() -> None:
    state = table(phase="plane", promising=False)
    assert GREEDY(1).choose(BOOGIE.view(state, 0), []) == SayReady()
    BOOGIE.apply(state, 0, SayReady(), Seeded(1))
    assert GREEDY(1).choose(BOOGIE.view(state, 0), []) is WAIT


def test_the_report_has_a_column_for_every_number_of_players() -> None:
    tallies = {seats: play_games(seats, True, range(2), simulate) for seats in range(3, 9)}
    rows = [line for line in tables(tallies, tallies) if line.startswith("|")]
    assert {line.count("|") for line in rows} == {8}
    assert next(line for line in rows if line.startswith("| formation 5 |")).count("–") == 3  # not in play
