"""Invariants of every state in random games, recomputed from scratch."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jamboree.core.chance import Seeded
from jamboree.core.geometry import bits
from jamboree.games.bpm.box.components import BOX
from jamboree.games.bpm.box.dancers import ARROW_OF, COLOUR_OF
from jamboree.games.bpm.rules.events import AnyEvent, ComboScored, OrderFound, SongsDropped
from jamboree.games.bpm.rules.state import NONE, OVER, State

from ..table import BPM, a_sample, events_of
from .special import SCARCE


def is_sound(state: State) -> None:
    room = state.room
    assert state.present == sum(1 << cell for cell, dancer in enumerate(state.floor) if dancer != NONE)
    for colour, mask in enumerate(state.colours):
        assert all((state.floor[cell] != NONE and COLOUR_OF[state.floor[cell]] == colour) for cell in bits(mask))
    assert sum(mask.bit_count() for mask in state.colours) == state.present.bit_count()
    assert state.taken & ~state.present == 0, "tokens are on dancers"
    assert sum(mask.bit_count() for mask in state.fans) == state.taken.bit_count(), "no dancer has two"
    assert all(tokens + mask.bit_count() == BOX.tokens for tokens, mask in zip(state.tokens, state.fans, strict=True))
    for column in room.columns:
        there = [state.floor[cell] != NONE for cell in column]
        assert there == sorted(there, reverse=True), "gaps are at the back"
    if state.present != room.all:
        assert state.pile.total == 0
        assert sum(state.gone) == 0, "gaps only when there is nobody left at all"
    if state.ball != NONE:
        assert room.around[state.ball].bit_count() == 4


def brute_lines(state: State, seat: int, row_line: int) -> set[int]:
    """Find fans in lines by walking from every cell in every direction."""
    grid, found = state.room.grid, set[int]()
    for cell in range(grid.size):
        for right, back in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            run = []
            column = grid.column(cell)
            row = grid.row(cell)
            while grid.holds(column, row) and state.fans[seat] >> grid.cell(column, row) & 1:
                run.append(grid.cell(column, row))
                column, row = column + right, row + back
            if len(run) >= (row_line if back == 0 else 3):
                found |= set(run)
    return found


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 2), st.booleans())
def test_every_position_of_a_random_game_is_sound(seed: int, seats: int, sample: int, scarce: bool) -> None:
    game = SCARCE if scarce else BPM
    rng, chance = random.Random(seed), Seeded(seed)
    state = game.setup(seats, a_sample(sample), chance)
    while actors := game.to_act(state):
        is_sound(state)
        for seat in range(seats):
            lines, row_line = brute_lines(state, seat, state.bends.row_line), state.bends.row_line
            assert set(bits(state.in_lines(seat))) == lines
            assert {cell for run in state.room.runs(state.fans[seat], row_line) for cell in run} == lines
        actor = rng.choice(sorted(actors, key=str))
        before, events = sum(map(sum, state.superfans)), list[AnyEvent]()
        game.apply(state, actor, rng.choice(game.legal(state, actor)).action, chance, events.append)
        for combo in events_of(events, ComboScored):
            assert len(combo.superfans) == len(combo.cells) - (combo.kept is not None)
        assert sum(map(sum, state.superfans)) >= before
    is_sound(state)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_songs_go_by_bpm_release_and_line(seed: int, seats: int) -> None:
    rng, chance = random.Random(seed), Seeded(seed)
    state = BPM.setup(seats, a_sample(seed % 3), chance)
    while actors := BPM.to_act(state):
        actor = rng.choice(sorted(actors, key=str))
        events: list[AnyEvent] = []
        BPM.apply(state, actor, rng.choice(BPM.legal(state, actor)).action, chance, events.append)
        if events_of(events, SongsDropped) and not state.bends.passed_left:
            songs, order = events_of(events, SongsDropped)[0].songs, events_of(events, OrderFound)[0].order
            sign = -1 if state.bends.order == "highest" else 1
            keys = [(sign * songs[seat].bpm, songs[seat].day, songs[seat].number) for seat in order]
            assert keys == sorted(keys)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_has_eight_rounds_unless_there_is_a_tie(seats: int) -> None:
    for seed in range(10):
        rng, chance = random.Random(seed), Seeded(seed)
        state = BPM.setup(seats, a_sample(0), chance)
        while actors := BPM.to_act(state):
            actor = rng.choice(sorted(actors, key=str))
            BPM.apply(state, actor, rng.choice(BPM.legal(state, actor)).action, chance)
        outcome = BPM.outcome(state)
        assert outcome is not None
        assert state.phase == OVER
        assert state.round >= BOX.rounds
        assert len(outcome.winners) == 1 or state.round == BOX.rounds + BOX.most_extra_rounds
        recounted = [
            sum(
                count * (2 + (COLOUR_OF[kind] == quest or ARROW_OF[kind] == quest - 4))
                for kind, count in enumerate(own)
            )
            for own, quest in zip(state.superfans, state.quests, strict=True)
        ]
        assert list(outcome.scores) == recounted == list(BPM.scores(state))
