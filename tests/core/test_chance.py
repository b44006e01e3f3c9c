"""Bags, decks and the sources of chance."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jamboree.core.chance import EVERYONE, NOBODY, Bag, Deck, Pick, Recorded, Replayed, Scripted, Seeded, only, sees
from jamboree.core.errors import BadJournal

counts = st.lists(st.integers(0, 5), min_size=1, max_size=20)


def labelled(numbers: list[int]) -> Bag:
    return Bag.of([f"kind {at}" for at in range(len(numbers))], numbers)


def test_picks_are_visible_to_their_audience() -> None:
    assert sees(EVERYONE, None) and sees(EVERYONE, 7)
    assert sees(only(2), 2) and not sees(only(2), 1) and not sees(only(2), None)
    assert not sees(NOBODY, 0) and not sees(only(0) | only(1), None)


@given(counts)
def test_every_index_of_a_bag_is_an_item(numbers: list[int]) -> None:
    bag = labelled(numbers)
    found = Counter(bag.kind_at(index) for index in range(bag.total))
    assert [found[kind] for kind in range(len(numbers))] == numbers
    for kind in range(len(numbers)):
        assert all(bag.kind_at(index) == kind for index in bag.span(kind))
    with pytest.raises(IndexError):
        bag.kind_at(bag.total)


@given(counts, st.integers())
def test_drawing_all_items_empties_a_bag(numbers: list[int], seed: int) -> None:
    bag, chance = labelled(numbers), Seeded(seed)
    drawn = Counter(chance.draw(bag) for _ in range(bag.total))
    assert [drawn[kind] for kind in range(len(numbers))] == numbers
    assert bag.total == 0


@given(counts, st.sets(st.integers(0, 5)))
def test_only_excludes_other_items(numbers: list[int], stored: set[int]) -> None:
    bag = labelled(numbers)
    part = bag.only(stored)
    assert part.counts == [n if kind in stored else 0 for kind, n in enumerate(numbers)]
    assert bag.counts == numbers


def test_a_bag_refuses_items_it_does_not_contain() -> None:
    with pytest.raises(ValueError, match="no kind 0 left"):
        labelled([0, 1]).take(0)


def test_a_deck_is_drawn_layer_by_layer() -> None:
    deck = Deck([labelled([1, 0]), labelled([0, 2])])
    deck.put_under(labelled([1, 0]))
    chance = Seeded(1)
    assert deck.total == 4
    assert [chance.draw(deck.top()) for _ in range(4)] == [0, 1, 1, 0]


def test_a_cloned_deck_is_independent() -> None:
    deck = Deck([labelled([2])])
    twin = deck.clone()
    Seeded(1).draw(twin.top())
    assert (deck.total, twin.total) == (2, 1)


def test_seeded_picks_are_uniform() -> None:
    """Chi-square over a hundred thousand rolls of three faces; 13.8 is passed by chance once in a thousand times."""
    chance, rolls = Seeded(5), 100_000
    found = Counter(chance.roll(("a", "b", "c")) for _ in range(rolls))
    assert sum((found[face] - rolls / 3) ** 2 / (rolls / 3) for face in range(3)) < 13.8


def test_recorded_picks_have_stream_number_index_and_value() -> None:
    chance = Recorded(Seeded(3))
    bag = labelled([2, 3])
    kind = chance.draw(bag, only(1))
    face = chance.roll(("up", "down"))
    hidden, shown = chance.take_picks()
    assert (hidden.stream, hidden.n, hidden.value) == ("hidden", 5, f"kind {kind}")
    assert (shown.stream, shown.n, shown.index, shown.value) == ("open", 2, face, ("up", "down")[face])
    assert chance.take_picks() == []


@given(counts.filter(any), st.integers())
def test_recorded_picks_replay(numbers: list[int], seed: int) -> None:
    recorded = Recorded(Seeded(seed))
    bag = labelled(numbers)
    first = [recorded.draw(bag) for _ in range(bag.total)]
    replayed, again = Replayed(recorded.take_picks()), labelled(numbers)
    assert [replayed.draw(again) for _ in range(again.total)] == first
    assert replayed.spent


@pytest.mark.parametrize(
    ("pick", "reason"),
    [
        (Pick("open", 4, 0, "kind 0"), "among 4 should be among 3"),
        (Pick("hidden", 3, 0, "kind 0"), "stream"),
        (Pick("open", 3, 2, "kind 0"), "does not fit its index"),
        (Pick("open", 3, 0, "kind 9"), "does not fit its index"),
    ],
)
def test_an_inconsistent_pick_is_refused(pick: Pick, reason: str) -> None:
    with pytest.raises(BadJournal, match=reason):
        Replayed([pick]).draw(labelled([1, 2]))


def test_a_missing_pick_is_refused() -> None:
    with pytest.raises(BadJournal, match="missing"):
        Replayed([]).roll(("a", "b"))


def test_scripted_chance_returns_its_script() -> None:
    chance, bag = Scripted("kind 1", "down"), labelled([1, 1])
    assert chance.draw(bag) == 1
    assert chance.roll(("up", "down")) == 1
    with pytest.raises(AssertionError, match="no value left"):
        chance.roll(("up", "down"))
    with pytest.raises(AssertionError, match="possible"):
        Scripted("kind 1").draw(bag)
