"""Provably fair picks: reproducible from the seeds, uniform, and unpredictable without them."""

import doctest
import math
from collections import Counter
from pathlib import Path

import pytest

from jamboree.core.chance import EVERYONE, Bag, only
from jamboree.core.fair import RANGE, Fair, commitment, index_of, key_of

SECRET = "00" * 31 + "01"
KEY = key_of(SECRET, ["ab", "", "cd"])


def test_the_fairness_algorithm_is_stable() -> None:
    """Stored games depend on it; docs/fairness.md has the same numbers."""
    assert commitment(SECRET) == "ec4916dd28fc4c10d78e287ca5d9cc51ee1ae73cbfde08c6b37324cbfaac8bc5"
    assert KEY.hex() == "63f3186e4b663ddcfa11a4ab8ea7d64708f6c6b122281a5e977edb937100535a"
    assert [index_of(KEY, "open", number, 6) for number in range(8)] == [3, 2, 3, 4, 5, 1, 5, 5]
    assert [index_of(KEY, "hidden", number, 52) for number in range(4)] == [45, 19, 45, 20]


def test_the_documented_algorithm_equals_the_implementation() -> None:
    page = Path(__file__).parent.parent.parent / "docs" / "fairness.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert (failed, tried > 5) == (0, True)
    for text in (SECRET, commitment(SECRET), KEY.hex()):
        assert text in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("n", [2, 3, 6, 7, 60])
def test_indices_are_uniform(n: int) -> None:
    """Chi-square over a million picks in all."""
    picks = 200_000
    counts = Counter(index_of(KEY, "open", number, n) for number in range(picks))
    assert set(counts) == set(range(n))
    expected = picks / n
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < n - 1 + 4 * math.sqrt(2 * (n - 1))


def test_rejection_sampling_avoids_modulo_bias() -> None:
    n = RANGE // 4 * 3
    counts = Counter(index_of(KEY, "hidden", number, n) * 3 // n for number in range(30_000))
    assert all(abs(count - 10_000) < 500 for count in counts.values()), (
        "without it the first third comes twice as often"
    )


def test_open_picks_do_not_reveal_the_number_of_hidden_ones() -> None:
    plain, mixed = Fair(KEY), Fair(KEY)
    hidden = []
    for number in range(200):
        hidden += [mixed.index(20, only(0)) for _ in range(number % 4)]
        assert mixed.index(20, EVERYONE) == plain.index(20, EVERYONE)
    later = Fair(KEY)
    assert [later.index(20, only(1)) for _ in hidden] == hidden, "whoever sees it"


def test_chance_continues_after_a_restart() -> None:
    one, bag = Fair(KEY), Bag.of("abc", [5, 5, 5])
    drawn = [one.draw(bag) for _ in range(4)] + [one.roll("123456", only(2)) for _ in range(3)]
    again, other = Fair(KEY, 4, 3), Fair(KEY, 3, 3)
    assert len(drawn) == 7
    assert [again.index(99, EVERYONE) for _ in range(5)] == [one.index(99, EVERYONE) for _ in range(5)]
    assert other.index(99, EVERYONE) != again.index(99, EVERYONE)


def test_every_seed_and_its_seat_affect_the_result() -> None:
    keys = {
        key_of(SECRET, seeds) for seeds in (["", ""], ["ab", ""], ["", "ab"], ["a", "b"], ["ab", "cd"], ["abc", "d"])
    }
    assert len(keys) == 6
    assert key_of("11" * 32, ["ab", ""]) != key_of(SECRET, ["ab", ""])
