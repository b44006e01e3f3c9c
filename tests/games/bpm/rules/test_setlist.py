"""Picking songs in secret: setlists and cues, sealed, replaced and revealed."""

import pytest

from jamboree.core.chance import Recorded, Seeded
from jamboree.core.game import Eye
from jamboree.games.bpm.box.cards import CARDS, COUNTS
from jamboree.games.bpm.box.components import BOX
from jamboree.games.bpm.box.dancers import LABELS
from jamboree.games.bpm.rules.actions import CueSong, Decline, DiscardSongs
from jamboree.games.bpm.rules.events import SetlistSealed, SetlistsPicked, SongCued, SongsDropped, StepDeclined
from jamboree.games.bpm.rules.setup import QUEST_LABELS, Options

from ..table import ADA, BIX, BPM, act, events_of, offered, only_event, phase, position, refused


def table(seats: int = 2):  # type: ignore[no-untyped-def]
    return BPM.setup(seats, Options(), Seeded(4))


@pytest.mark.parametrize(("seats", "cells"), [(2, 12), (3, 16), (4, 20)])
def test_the_table_is_set(seats: int, cells: int) -> None:
    state = table(seats)
    assert state.present.bit_count() == cells
    assert state.pile.total == 80 - cells
    assert [len(hand) for hand in state.hands] == [10] * seats
    assert len({song for hand in state.hands for song in hand}) == 10 * seats
    assert len(set(state.quests)) == seats
    assert state.tokens == [8] * seats
    assert BPM.to_act(state) == set(range(seats))


def test_the_census_counts_the_whole_box() -> None:
    counted = BPM.census(table(4))
    assert {card: counted[card] for card in CARDS} == dict(zip(CARDS, COUNTS, strict=True))
    assert sum(counted[label] for label in LABELS) == 80
    assert sum(counted[label] for label in QUEST_LABELS) == len(QUEST_LABELS)
    assert sum(counted[label] for label in table().crate.labels) == 60
    assert [counted[f"tokens of {seat}"] for seat in range(4)] == [8] * 4


def test_the_census_notices_a_token_on_no_dancer() -> None:
    state = table()
    state.fans[ADA] = 1
    assert BPM.census(state)["dancers with two tokens, or tokens on none"] == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_quests_and_songs_are_dealt_in_secret_and_the_floor_is_open(seats: int) -> None:
    chance = Recorded(Seeded(1))
    cells = BPM.setup(seats, Options(), chance).room.grid.size
    assert [pick.stream for pick in chance.picks] == ["open"] * (1 + cells) + ["hidden"] * seats * 11


def test_ruling_first_seat() -> None:
    """Each seat is first about equally often, and nothing but the deal starts from it."""
    firsts = [BPM.setup(3, Options(), Seeded(seed)).first for seed in range(300)]
    assert all(70 < firsts.count(seat) < 130 for seat in range(3))
    assert table().turn == table().first


def test_two_songs_are_discarded_in_secret() -> None:
    state = table()
    hand = state.hands[ADA]
    assert len(offered(state, ADA)) == 45
    events = act(state, DiscardSongs(2, 7), actor=ADA)
    discarded = only_event(events, SetlistSealed).discarded or []
    assert [song.number - 1 for song in discarded] == [hand[2], hand[7]]
    assert state.hands[ADA] == hand, "nothing happens before all have chosen"
    events = act(state, DiscardSongs(0, 1), "slow-burn", actor=BIX)
    assert len(events_of(events, SetlistsPicked)) == 1
    assert state.aside[ADA] == (hand[2], hand[7])
    assert state.hands[ADA] == hand[:2] + hand[3:7] + hand[8:]
    assert (state.round, phase(state)) == (1, "cue")


CUE = """
    round: 2 cue
    turn: -
    hype: slow-burn
    used: slow-burn
    seat 1: hand 1 2 3; {ada}
    seat 2: hand 4 5 6
    floor:
    r^  y>  g^
    yv  r<  b<
    bv  g>  r>
"""


def test_ruling_sealed_can_be_replaced() -> None:
    state = position(CUE.format(ada="changes 3"))
    act(state, CueSong(0), actor=ADA)
    for slot in (1, 2, 0):
        assert BPM.to_act(state) == {ADA, BIX}
        others = {CueSong(0), CueSong(1), CueSong(2)} - {CueSong(state.sealed[ADA])}
        assert set(offered(state, ADA)) == {*others, Decline()}
        act(state, CueSong(slot), actor=ADA)
    assert BPM.to_act(state) == {BIX}, "three times at most"
    assert refused(state, Decline(), ADA).key == "no-more-changes"
    assert refused(state, CueSong(1), ADA).key == "no-more-changes"
    dropped = only_event(act(state, CueSong(0), actor=BIX), SongsDropped)
    assert [song.number for song in dropped.songs] == [1, 4]


def test_a_sealed_choice_can_be_let_stand() -> None:
    state = position(CUE.format(ada="changes 3"))
    assert refused(state, Decline(), ADA).key == "nothing-sealed"
    act(state, CueSong(1), actor=ADA)
    (event,) = act(state, Decline(), actor=ADA)
    assert event == StepDeclined(ADA, "cue") == BPM.witness(event, BIX)
    assert BPM.to_act(state) == {BIX}
    assert state.sealed[ADA] == 1


def test_one_of_two_songs_can_still_be_replaced_in_a_drawn_position() -> None:
    state = position(CUE.format(ada="sealed 1; changes 1").replace("hand 1 2 3", "hand 1 2"))
    assert BPM.to_act(state) == {ADA, BIX}


def test_who_has_sealed_the_only_song_has_nothing_to_replace() -> None:
    state = position(CUE.format(ada="changes 3").replace("hand 1 2 3", "hand 1"))
    act(state, CueSong(0), actor=ADA)
    assert BPM.to_act(state) == {BIX}


def test_a_setlist_can_be_replaced_too() -> None:
    state = table()
    act(state, DiscardSongs(2, 7), actor=ADA)
    assert refused(state, DiscardSongs(2, 7), ADA).key == "same-choice"
    events = act(state, DiscardSongs(0, 9), actor=ADA)
    assert only_event(events, SetlistSealed).again
    assert BPM.view(state, ADA).sealed[ADA].slots == [0, 9]


def test_the_others_learn_that_a_choice_is_sealed_and_nothing_else() -> None:
    state = position(CUE.format(ada="changes 3"))
    (first,) = act(state, CueSong(0), actor=ADA)
    view = BPM.view(state, BIX)
    assert BPM.witness(first, BIX) == SongCued(ADA, None, False)
    assert BPM.witness(first, ADA) == first == BPM.witness(first, Eye.ALL)
    (second,) = act(state, CueSong(2), actor=ADA)
    assert BPM.witness(second, BIX) is None
    assert BPM.view(state, BIX) == view, "not even that it was replaced"
    assert BPM.view(state, None).sealed[ADA].slots is None
    assert BPM.view(state, ADA).sealed[ADA].slots == [2]


def test_who_looks_ahead_sees_no_further_than_the_own_seal() -> None:
    """The last choice triggers the Drop, which a preview does not know."""
    state = position(CUE.format(ada="sealed 1"))
    preview = BPM.preview(BPM.view(state, BIX), CueSong(0))
    assert [type(event) for event in preview.events] == [SongCued]
    assert preview.chance_follows


def test_dealing_and_discarding_as_the_box_says() -> None:
    assert (BOX.songs_dealt, BOX.songs_discarded, BOX.changes_of_mind) == (10, 2, 3)
