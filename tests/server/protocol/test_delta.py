"""Deltas lead from any position to any other, and contain only what changed."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from jamboree.server.protocol.canonical import canonical
from jamboree.server.protocol.delta import apply_delta, checksum, delta_between

scalars = st.none() | st.booleans() | st.integers(2, 9) | st.text("ab", max_size=2)
values = st.recursive(
    scalars, lambda parts: st.lists(parts, max_size=5) | st.dictionaries(st.sampled_from("pqrs"), parts), max_leaves=20
)


def difference(before: Any, after: Any) -> Any:
    texts = [msgspec.json.encode(value) for value in (before, after)]
    return msgspec.json.decode(delta_between(*texts))


@given(values, values)
def test_a_delta_transforms_the_old_value_into_the_new(before: Any, after: Any) -> None:
    change = difference(before, after)
    stored = msgspec.json.encode(before)
    assert msgspec.json.encode(apply_delta(before, change)) == msgspec.json.encode(after), "in the same order, too"
    assert msgspec.json.encode(before) == stored, "what was before stays as it was"


@given(values)
def test_a_new_element_is_sent_alone(element: Any) -> None:
    before = [{"hex": f"a{number}", "die": None} for number in range(20)]
    after = [*before[:7], {"hex": "new", "die": element}, *before[7:]]
    assert difference(before, after) == [7, 0, [{"hex": "new", "die": element}]]


def test_a_nested_change_is_addressed_by_its_path() -> None:
    before = {"hands": [{"dice": ["red", "blue"], "count": 2}, {"dice": ["green"], "count": 1}], "bag": 40}
    after = {"hands": [before["hands"][0], {"dice": ["green", "yellow"], "count": 2}], "bag": 40}  # type: ignore[index]
    assert difference(before, after) == {"hands": {"1": {"dice": [1, 0, ["yellow"]], "count": [2]}}}


def test_short_values_are_replaced() -> None:
    board = {"board": "long" * 10}
    for before, after, change in (
        ([1, 2, 3, 4], [1, 2, 3, 5], [[1, 2, 3, 5]]),
        ([100, 200, 300, 400], [100, 200, 300, 401], [3, 1, [401]]),
    ):
        assert difference({"points": before, **board}, {"points": after, **board}) == {"points": change}


def test_removed_keys_are_listed() -> None:
    before = {"a": ["long" * 10], "b": ["long" * 10], "c": 1}
    assert difference(before, {"a": before["a"], "c": 1}) == {"b": []}


def test_integers_are_formatted_as_in_javascript() -> None:
    text = msgspec.json.encode({"weights": [1.0, 0.5, 0.00001], "name": "1.0"})
    assert canonical(text) == b'{"weights":[1,0.5,0.00001],"name":"1.0"}'
    assert checksum(b"123456789") == "cbf43926"
