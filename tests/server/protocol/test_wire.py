"""Encoded frames: pieces, of which public ones are compressed, some of them once for all tables."""

import zlib
from unittest.mock import Mock

import msgspec
import pytest

from jamboree.server.protocol.wire import (
    LARGEST_BLOCK,
    SMALLEST,
    MixedFrame,
    PublicText,
    SharedText,
    decompressed,
    for_client,
    mixed_frame,
)

BOARD, ACTIONS = SharedText(b"a board with many hexes, " * 100), SharedText(b"[all the actions], " * 150)
NAMES = PublicText(b"Ada, Bob, Cleo and all the others " * 20)
OWN = b'{"cards": ["two", "two", "two"]}' * 40


class Message(msgspec.Struct):
    seq: int
    board: object
    cards: list[str]
    actions: object


@pytest.mark.parametrize(
    "pieces",
    [
        [],
        [OWN],
        [BOARD],
        [OWN, NAMES],
        [NAMES, OWN],
        [BOARD, OWN, ACTIONS],
        [OWN, BOARD, NAMES, OWN],
        [b"x" * LARGEST_BLOCK, NAMES, OWN * 200],
    ],
)
def test_separately_compressed_pieces_decompress_as_one(pieces: list[bytes]) -> None:
    frame = MixedFrame([b"x" * SMALLEST, *pieces])
    for form in (frame, frame.all_public()):
        assert decompressed(for_client(form, packed=True)) == frame == for_client(form, packed=False)


def test_private_pieces_are_not_compressed() -> None:
    packed = MixedFrame([NAMES, OWN, BOARD]).packed
    assert OWN in bytes(packed)
    assert len(packed) < len(OWN) + 400


def test_pieces_are_inserted_in_their_places() -> None:
    message = Message(7, None, ["two", "\0"], None)
    frame = mixed_frame(message, b"   ", board=[BOARD, b"!"], actions=[ACTIONS])
    assert frame == b'{"seq":7,"board":' + BOARD + b'!,"cards":["two","\\u0000"],"actions":' + ACTIONS + b"}   "
    assert [isinstance(compressed, SharedText) for compressed in frame.pieces] == [False, True, False, True, False]


def test_the_length_of_a_frame_follows_from_its_private_length() -> None:
    """Whichever of its pieces is the long one, and whatever is in them."""
    total, lengths = 3 * LARGEST_BLOCK, set[int]()
    for first in (1, 500, LARGEST_BLOCK - 1, LARGEST_BLOCK, LARGEST_BLOCK + 1, 2 * LARGEST_BLOCK, total - 1):
        frame = MixedFrame([b"x" * first, NAMES, OWN.ljust(total)[: total - first]])
        lengths.add(len(frame.packed))
        assert decompressed(frame.packed) == frame
    assert len(lengths) == 1


def test_pieces_are_compressed_independently() -> None:
    assert len(MixedFrame([NAMES, NAMES]).packed) - len(MixedFrame([NAMES]).packed) == len(NAMES.compressed)


def test_a_shared_text_is_compressed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, board = Mock(wraps=zlib.compressobj), SharedText(b"another board " * 200)
    monkeypatch.setattr(zlib, "compressobj", counted)
    for number in range(3):
        frame = MixedFrame([b"%d" % number * SMALLEST, board])
        assert decompressed(frame.packed) == decompressed(frame.all_public().packed) == frame
    assert counted.call_count == 3 + 1
