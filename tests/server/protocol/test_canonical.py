"""Canonical JSON: numbers as in JavaScript, compared with the real one."""

import math
import random
import struct
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jamboree.server.protocol.canonical import canonical, number_text
from jamboree.server.protocol.delta import checksum

from ..bench.javascript import DIFFERENCE, evaluated

REWRITTEN = "console.log(JSON.stringify(given.map((text) => JSON.stringify(JSON.parse(text)))))"
CHECKED = f"""const {{ checksumOf }} = await import("file://{DIFFERENCE}");
console.log(JSON.stringify(given.map((text) => checksumOf(JSON.parse(text)))));"""
LARGEST = 1.7976931348623157e308
EDGES = [
    *(
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        8.2e-6,
        1e-5,
        9.999e-6,
        1e-6,
        9.999999e-7,
        1e-7,
        1.5e-7,
        5e-324,
        2.2250738585072014e-308,
    ),
    *(
        1e15,
        1e16,
        123456789012345680.0,
        1e20,
        1.2345678901234568e20,
        999999999999999900000.0,
        1e21,
        1.5e21,
        1e22,
        LARGEST,
    ),
    *(2.0**53, 2.0**53 + 2, 2.0**63, 2.0**64, 4.35, 0.000001, 0.0000012345, 100.0, 0.3333333333333333),
]
INTEGERS = [
    0,
    7,
    -7,
    2**31,
    2**53 - 1,
    2**53,
    2**53 + 1,
    -(2**53) - 1,
    10**16,
    10**17 + 1,
    2**63 - 1,
    2**64 - 1,
    2**64,
    10**21,
    10**400,
]


def random_doubles(count: int) -> list[float]:
    """Draw numbers of every size, as many small as large ones, subnormal ones, and those that people write."""
    rng = random.Random(6)
    bits = [float(struct.unpack("<d", rng.randbytes(8))[0]) for _ in range(count)]
    near = [rng.uniform(-10, 10) * 10.0 ** rng.randint(-9, 23) for _ in range(count)]
    tiny = [rng.randrange(2**52) * 5e-324 for _ in range(count // 10)]
    short = [round(rng.uniform(0, 1), rng.randint(0, 9)) * 10.0 ** rng.randint(-7, 21) for _ in range(count)]
    return [number for number in bits + near + tiny + short if math.isfinite(number)]


def test_numbers_are_formatted_as_in_javascript() -> None:
    numbers = [sign * each for each in EDGES + random_doubles(20_000) for sign in (1, -1)]
    texts = [msgspec.json.encode(number) for number in numbers]
    expected = evaluated(REWRITTEN, [text.decode() for text in texts])
    wrong = [
        (number, ours, theirs)
        for number, text, theirs in zip(numbers, texts, expected, strict=True)
        if not (ours := canonical(b"[" + text + b"]").decode()[1:-1]) == number_text(number) == theirs
    ]
    assert not wrong, wrong[:5]


def test_powers_of_ten_are_formatted_as_in_javascript() -> None:
    numbers = [digits * 10.0**power for power in range(-8, 23) for digits in (1, 1.5, 9.99, 1 / 3, 123456789)]
    assert [number_text(number) for number in numbers] == evaluated(
        "console.log(JSON.stringify(given.map((each) => JSON.stringify(each))))", numbers
    )


def test_large_integers_are_rounded_to_doubles() -> None:
    texts = [msgspec.json.encode({"n": [number, -number]}) for number in INTEGERS]
    assert [canonical(text).decode() for text in texts] == evaluated(REWRITTEN, [text.decode() for text in texts])
    assert canonical(b"9007199254740993") == b"9007199254740992"


def test_array_index_keys_come_first() -> None:
    names = ["b", "10", "9", "01", "-1", "4294967294", "4294967295", "0", "1.0", "٣", "a1"]
    text = msgspec.json.encode({"x": [dict.fromkeys(names, 1)]})
    assert canonical(text).decode() == evaluated(REWRITTEN, [text.decode()])[0]


@pytest.mark.parametrize(
    "text",
    [
        b'{"name":"1.0","code":"a1e0","long":"12345678901234567890","quoted":"\\",1.0,\\"","sum":[1,0.5,0.00001]}',
        b'["[1.0]",",12345678901234567890","\\\\",{"a1":0.1234567890123456}]',
        b'""',
        b"null",
    ],
)
def test_canonical_json_is_idempotent(text: bytes) -> None:
    assert canonical(text) == text


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=4) | st.just("1.0,1e5"),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.sampled_from(("p", "12", "3", "q.0")), parts),
    max_leaves=12,
)


@settings(max_examples=20)
@given(st.lists(values, min_size=20, max_size=60))
def test_the_browser_computes_the_same_checksum(several: list[Any]) -> None:
    texts = [canonical(msgspec.json.encode(value)) for value in several]
    assert [checksum(text) for text in texts] == evaluated(CHECKED, [text.decode() for text in texts])
    assert [canonical(text) for text in texts] == texts
