"""Ending the game: points, ties, extra rounds and what is reshuffled for them."""

import pytest

from jamboree.core.chance import Recorded, Scripted, Seeded
from jamboree.core.game import Eye
from jamboree.core.kit.events import Emitter
from jamboree.games.bpm.box.components import BOX
from jamboree.games.bpm.rules import setlist
from jamboree.games.bpm.rules.actions import ChooseHype, FinishSong
from jamboree.games.bpm.rules.events import (
    GameEnded,
    HypeRevealed,
    QuestsRevealed,
    RoundBegan,
    SongDealt,
    SongsReshuffled,
    TieFound,
)

from ..table import ADA, BIX, BPM, act, events_of, only_event, phase, position

LAST = """
    round: {round} song
    at: 1
    hype: mosh-pit
    used: slow-burn any-request two-step beachball-bop mosh-pit stage-dive pairs-dance power-cut
    options: {options}
    seat 1: song red hop; superfans {ada}; quest red
    seat 2: song blue hop; superfans {bix}; quest left
    floor:
    r^1 y>  g^
       o
    yv  r<  b<2
    bv  g>  r>
"""
DEALT = ("2 Loud Enough for Your Mother", "3 My Amp Goes to Ten (It's a Nice Ten)")


def ending(ada: str, bix: str, *values: str, round: int = 8, options: str = ""):  # type: ignore[no-untyped-def]
    state = position(
        LAST.format(ada=ada, bix=bix, round=round, options=options).replace("r^1", "r^ ").replace("b<2", "b< ")
    )
    return state, act(state, FinishSong(), *values)


def test_two_points_a_superfan_and_one_more_for_the_quest() -> None:
    state, events = ending("r^ rv b^", "y< b< gv", *DEALT, "stage-dive")
    assert only_event(events, QuestsRevealed).quests == ["red", "left"]
    assert BPM.scores(state) == (8, 8)
    state, events = ending("r^ rv b^", "y< b<")
    assert only_event(events, GameEnded).winners == [ADA]
    assert only_event(events, GameEnded).scores == [8, 6]
    assert BPM.to_act(state) == frozenset()
    assert (BPM.view(state, BIX).points[ADA].superfans, BPM.view(state, BIX).points[ADA].quest) == (6, 2)


def test_quests_are_secret_until_the_end() -> None:
    state = position(LAST.format(ada="r^", bix="", round=8, options=""))
    assert BPM.view(state, BIX).quests == [None, "left"]
    assert BPM.view(state, None).quests == [None, None]
    assert BPM.view(state, BIX).points[ADA].quest == 0
    assert BPM.view(state, ADA).points[ADA].quest == 1


def test_looking_ahead_does_not_tell_a_hidden_quest() -> None:
    state = position(LAST.format(ada="r^", bix="", round=8, options="").replace("r^1", "r^ ").replace("b<2", "b< "))
    events = BPM.preview(BPM.view(state, ADA), FinishSong()).events
    assert not events_of(events, QuestsRevealed)


def test_a_tie_for_first_place_brings_an_extra_round() -> None:
    state, events = ending("b^", "bv", *DEALT, "stage-dive")
    assert only_event(events, TieFound).leaders == [ADA, BIX]
    assert only_event(events, RoundBegan).extra
    assert [dealt.seat for dealt in events_of(events, SongDealt)] == [ADA, BIX]
    assert [len(hand) for hand in state.hands] == [1, 1]
    assert (state.round, phase(state)) == (9, "cue")


def test_songs_of_an_extra_round_are_dealt_in_secret() -> None:
    state = position(LAST.format(ada="b^", bix="bv", round=8, options="").replace("r^1", "r^ ").replace("b<2", "b< "))
    chance = Recorded(Seeded(1))
    BPM.apply(state, ADA, FinishSong(), chance)
    assert [pick.stream for pick in chance.picks] == ["hidden", "hidden", "open"]


def test_a_tie_for_another_place_does_not_matter() -> None:
    state = position("""
        seats: 3
        round: 8 song
        turn: 3
        at: 2
        seat 1: song red hop; superfans b^
        seat 2: song blue hop; superfans b^
        seat 3: song green hop; superfans b^ b^
        floor:
        r^  y>  g^  r^
        yv  r<  b<  r^
        bv  g>  r>  r^
        g<  y^  rv  r^
    """)
    assert only_event(act(state, FinishSong()), GameEnded).winners == [2]


def test_ruling_open_quests_in_extra_rounds() -> None:
    state, _ = ending("b^", "bv", *DEALT, "stage-dive")
    assert BPM.view(state, BIX).quests == ["red", "left"] == BPM.view(state, None).quests


@pytest.mark.parametrize("card", ["slow-burn", "mosh-pit", "power-cut"])
def test_ruling_extra_hype(card: str) -> None:
    """All eight used cards are in the deck of every extra round, the one just played among them."""
    for round in (8, 9, 12):
        state, events = ending("b^", "bv", *DEALT, card, round=round)
        assert only_event(events, HypeRevealed).card == card
        assert len(state.used) == 8


def test_the_hypemaster_of_an_extra_round_draws_from_the_used_cards() -> None:
    state, _ = ending("b^", "bv", *DEALT, "slow-burn", "power-cut", options="hypemaster")
    assert state.turn == (state.first + 8) % 2
    assert state.hype.total == 6
    act(state, ChooseHype(0))
    assert [under.card for under in BPM.view(state, Eye.ALL).under] == ["power-cut"]
    assert state.hype.total == 7


def test_ruling_floor_carries_over() -> None:
    """The ball brings both a superfan and goes its way; dancers and tokens stay where they are."""
    state = position(LAST.format(ada="b^", bix="bv", round=8, options="").replace("yv  r<", "yv2 r<"))
    floor, fans = state.floor[:], state.fans[:]
    act(state, FinishSong(), "y^", "y>", *DEALT, "stage-dive")
    assert (state.round, state.floor, state.fans, state.tokens) == (9, floor, fans, [7, 6])
    assert BPM.view(state, None).ball == "a2", "it looped along the arrow of a1"


def deal(left: list[int], aside: list[tuple[int, ...]], played: tuple[int, ...], *values: str, first: int = ADA):  # type: ignore[no-untyped-def]
    state = position(LAST.format(ada="", bix="", round=9, options=""))
    state.deck.counts = [int(song in left) for song in range(60)]
    state.deck.total = len(left)
    state.aside = aside
    state.played = played
    state.first = first
    events: list = []  # type: ignore[type-arg]
    script = Scripted(*values)
    setlist.deal_one_each(state, script, Emitter(events.append))
    assert script.values == []
    return state, events


def test_ruling_songs_reshuffled() -> None:
    """In mid-deal: Ada gets the last song of the old deck, Bix one that was played or discarded before."""
    state, events = deal([0], [(10, 11), (12, 13)], (20, 21, 22), state_label(0), state_label(12))
    assert [type(event) for event in events] == [SongDealt, SongsReshuffled, SongDealt]
    assert only_event(events, SongsReshuffled).count == 7
    assert state.deck.total == 6
    assert (state.played, state.aside) == ((), [(), ()])
    assert state.hands == [(0,), (12,)]
    assert state.early == 1 << ADA


def test_songs_are_reshuffled_when_the_second_seat_is_first() -> None:
    state, _ = deal([0], [(10, 11), (12, 13)], (20, 21, 22), state_label(0), state_label(12), first=BIX)
    assert state.hands == [(12,), (0,)]
    assert state.early == 1 << BIX, "Bix got the last song of the old deck"


def state_label(song: int) -> str:
    state = position(LAST.format(ada="", bix="", round=9, options=""))
    return state.crate.labels[song]


def test_a_reshuffle_is_forgotten_at_the_drop() -> None:
    """Everything that was dealt from the old deck is open by then."""
    state, _ = deal([0], [(10, 11), (12, 13)], (20, 21, 22), state_label(0), state_label(12))
    assert (state.early, state.recycled, state.returned) == (1, (20, 21, 22), [(10, 11), (12, 13)])
    state.sealed = [0, 0]
    setlist.drop(state, Emitter(lambda event: None))
    assert (state.early, state.recycled, state.returned) == (0, (), [(), ()])


def test_songs_are_not_reshuffled_before_the_deck_is_empty() -> None:
    _, events = deal([0, 1], [(10, 11), (12, 13)], (20, 21, 22), state_label(0), state_label(1))
    assert events_of(events, SongsReshuffled) == []


def test_what_is_known_of_a_reshuffle_in_mid_deal() -> None:
    """Bix knows that Ada's song was neither played before nor one of Bix's discards; Ada knows what is in the deck."""
    state, _ = deal([0], [(10, 11), (12, 13)], (20, 21, 22), state_label(0), state_label(12))
    state.phase, state.playing = 2, [-1, -1]
    state.played = tuple(range(23, 60)) + tuple(song for song in range(1, 20) if song not in (10, 11, 12, 13))
    ada, bix = set[int](), set[int]()
    for seed in range(300):
        ada |= set(BPM.imagine(BPM.view(state, BIX), Seeded(seed)).hands[ADA])
        bix |= set(BPM.imagine(BPM.view(state, ADA), Seeded(seed)).hands[BIX])
    assert ada == {0, 10, 11}, "the rest of the old deck, or a discard of Ada's"
    assert bix == {10, 11, 12, 13, 20, 21, 22}


def test_ruling_twenty_extra_rounds() -> None:
    state, events = ending("b^", "bv", round=BOX.rounds + BOX.most_extra_rounds)
    assert events_of(events, QuestsRevealed) == [], "they were open before"
    assert only_event(events, GameEnded).winners == [ADA, BIX]
    outcome = BPM.outcome(state)
    assert outcome is not None
    assert outcome.winners == [ADA, BIX]
    again, events = ending("b^", "bv", *DEALT, "stage-dive", round=BOX.rounds + BOX.most_extra_rounds - 1)
    assert again.round == BOX.rounds + BOX.most_extra_rounds
