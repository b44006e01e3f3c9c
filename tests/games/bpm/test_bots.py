"""The greedy bot: stronger than chance, and sensible in drawn positions."""

import random

import pytest

from jamboree.bots import RandomBot
from jamboree.core.chance import Seeded
from jamboree.core.play import WAIT, Answer, Match, Player, play
from jamboree.core.twin.chance import CHANCE
from jamboree.games.bpm.bots.players import BOTS
from jamboree.games.bpm.rules.actions import (
    AnyAction,
    CueSong,
    FinishSong,
    KeepFan,
    MakeSuperfan,
    PlaceToken,
    RecoverToken,
    SwapDancers,
)
from jamboree.games.bpm.rules.setup import Options

from .table import ADA, BPM, position

GREEDY = BOTS["greedy"]


def deterministic_choice(drawing: str, seat: int = ADA) -> AnyAction | Answer:
    """Ask a bot that has no whims."""
    state, bot = position(drawing), GREEDY(1)
    bot.chance = [0] * CHANCE  # all its random numbers are 0
    action: AnyAction | Answer = bot.choose(BPM.view(state, seat), BPM.legal(state, seat))
    assert action is WAIT or action in [offer.action for offer in BPM.legal(state, seat)]
    return action


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("hypemaster", [False, True])
def test_greedy_beats_random(seats: int, hypemaster: bool) -> None:
    wins = 0
    for seed in range(12):
        players: list[Player] = [RandomBot(seed + seat) for seat in range(seats)]
        players[seed % seats] = GREEDY(seed)
        match = Match(BPM, seats, Options(hypemaster=hypemaster), Seeded(seed))
        play(match, players, random.Random(seed))
        outcome = BPM.outcome(match.state)
        wins += outcome is not None and outcome.winners == [seed % seats]
    assert wins >= 10


def test_the_same_seed_plays_the_same() -> None:
    states = []
    for _ in range(2):
        match = Match(BPM, 3, Options(), Seeded(5))
        play(match, [GREEDY(seat) for seat in range(3)], random.Random(5))
        states.append(match.journal().state)
    assert states[0] == states[1]


SONG = """
    round: 5 {phase}
    at: 1
    hype: {hype}
    seat 1: quest {quest}; song {song}
    seat 2: song blue left-right
    floor:
"""


def song(floor: str, song: str = "red hop", phase: str = "song", hype: str = "power-cut", quest: str = "right") -> str:
    return SONG.format(phase=phase, hype=hype, quest=quest, song=song) + floor


def test_it_completes_a_line_by_placing() -> None:
    assert deterministic_choice(
        song("""
    r^1 r<  rv1
    y^  b<2 g>
    rv  b^  r>
    """)
    ) == PlaceToken("b1")


def test_it_completes_a_line_by_moving() -> None:
    assert deterministic_choice(
        song(
            """
    r^1 g<1 yv
    y^  b<2 g>
    yv  b^  r>1
    """,
            hype="slow-burn",
        )
    ) == SwapDancers("c1", "c3")


def test_it_gets_in_the_way_of_others() -> None:
    """Where it has nothing to gain of its own, it takes the dancer another player needs."""
    assert deterministic_choice(
        song("""
    r^2 r<  rv2
    y^  b<  g>
    rv  b^  r>
    """)
    ) == PlaceToken("b1")


def test_it_keeps_its_quest_in_mind() -> None:
    floor = """
    r^1 r<1 rv1
    y^  b<2 g>
    yv  b^  r>
    """
    assert deterministic_choice(song(floor, phase="stay", quest="forward")) != KeepFan("a1")
    assert deterministic_choice(song(floor, phase="stay", quest="left")) != KeepFan("b1")
    assert deterministic_choice(
        song(floor.replace("b<2", "b<1"), phase="bonus", hype="front-row", quest="left")
    ) == MakeSuperfan("b1")


def test_it_gives_up_the_fan_it_needs_least() -> None:
    assert deterministic_choice(
        song(
            """
    r^1 r<1 gv
    y^  b<2 g>
    yv  b^  r>1
    """,
            phase="recover",
        ).replace("quest right", "tokens 0; quest right")
    ) == RecoverToken("c3")


def test_what_it_has_sealed_stays_sealed() -> None:
    state = position("""
        round: 2 cue
        turn: -
        hype: slow-burn
        seat 1: hand 1 2 3; sealed 1
        seat 2: hand 4 5 6
        floor:
        r^  y>  g^
        yv  r<  b<
        bv  g>  r>
    """)
    assert GREEDY(1).choose(BPM.view(state, ADA), BPM.legal(state, ADA)) is WAIT


def test_it_cues_the_song_that_completes_a_line() -> None:
    drawing = """
        round: 2 cue
        turn: -
        hype: slow-burn
        seat 1: hand 16 31 46 1
        seat 2: hand 4 5 6
        floor:
        g^1 r>  g^1
        yv  y<  b<
        bv  g>  y>
    """
    assert deterministic_choice(drawing) == CueSong(3)


def test_it_finishes_rather_than_spoil_its_own_line() -> None:
    assert (
        deterministic_choice(
            song(
                """
    r^1 r<1 rv1
    y^2 b<2 g>2
    yv2 b^2 r>2
    """,
                hype="slow-burn",
            )
        )
        == FinishSong()
    )
