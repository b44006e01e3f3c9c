"""Encodes frames as JSON, and compresses them without leaking secrets by their length (CRIME, BREACH).

How well a secret compresses beside text chosen by somebody else reveals the secret. So only public pieces of a frame
are compressed, each by itself; all others are stored in the deflate stream as they are.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, groupby
from struct import Struct

import msgspec

encode = msgspec.json.Encoder().encode

SMALLEST = 1024  # bytes; smaller frames are not compressed
WORTH_IT = 2048  # bytes; smaller texts are not compressed apart
RAW = -zlib.MAX_WBITS  # deflate without a header
BLOCK_HEAD = Struct("<BHH")  # of a stored deflate block: the final bit, the length, and its complement
LARGEST_BLOCK = 0xFFFF
EMPTY, END = (BLOCK_HEAD.pack(is_last, 0, LARGEST_BLOCK) for is_last in (0, 1))
PLACEHOLDER = b"\0"  # stands for parts that are encoded apart; it never occurs in JSON


class CompressedFrame(bytes):
    """A compressed frame, which is sent as binary data."""


class PublicText(bytes):
    """A text that everyone at the table may see. It is compressed by itself, and once."""

    @cached_property
    def compressed(self) -> bytes:
        """Deflate blocks that do not depend on what precedes them, and that later blocks can't refer to."""
        packing = zlib.compressobj(wbits=RAW)
        return packing.compress(self) + packing.flush(zlib.Z_FULL_FLUSH)


class SharedText(PublicText):
    """A long public text that occurs in frames of many tables, such as a board."""


class MixedFrame(bytes):
    """A frame made of public and private pieces. A piece is public by its purpose, never by its content."""

    def __new__(cls, pieces: Sequence[bytes]) -> "MixedFrame":
        frame = super().__new__(cls, b"".join(pieces))
        frame.pieces = pieces
        return frame

    pieces: Sequence[bytes]

    @cached_property
    def packed(self) -> CompressedFrame:
        """The compressed frame, whose length depends on private pieces only by their length."""
        own = [each for each in self.pieces if not isinstance(each, PublicText)]
        blocks = [each.compressed if isinstance(each, PublicText) else _stored(each) for each in self.pieces]
        # the number of stored blocks must not reveal which piece is long
        most = len(own) + sum(map(len, own)) // LARGEST_BLOCK
        return CompressedFrame(b"".join([*blocks, EMPTY * (most - sum(map(_blocks, own))), END]))

    def all_public(self) -> "MixedFrame":
        """The same frame with all pieces public."""
        return MixedFrame(
            [run if isinstance(run, SharedText) else PublicText(run) for run in _merged(self.pieces, SharedText)]
        )


def mixed_frame(message: msgspec.Struct, filling: bytes = b"", **parts: Sequence[bytes]) -> MixedFrame:
    """Encode a message of which some fields, in order, are encoded in pieces already."""
    holes = msgspec.structs.replace(message, **dict.fromkeys(parts, msgspec.Raw(PLACEHOLDER)))
    first, *others = (encode(holes) + filling).split(PLACEHOLDER)
    pieces = [first, *chain(*([*part, after] for part, after in zip(parts.values(), others, strict=True)))]
    return MixedFrame(list(_merged(pieces, PublicText)))


def _merged(pieces: Iterable[bytes], kept_apart: type[PublicText]) -> Iterator[bytes]:
    """Join adjacent pieces, except those of a type."""
    for stands_apart, group in groupby(pieces, lambda piece: isinstance(piece, kept_apart)):
        run = [*group]
        yield from run if stands_apart else [b"".join(run)]


def _blocks(text: bytes) -> int:
    return -(-len(text) // LARGEST_BLOCK)


def _stored(text: bytes) -> bytes:
    cut = (text[at : at + LARGEST_BLOCK] for at in range(0, len(text), LARGEST_BLOCK))
    return b"".join(BLOCK_HEAD.pack(0, len(each), len(each) ^ LARGEST_BLOCK) + each for each in cut)


def for_client(frame: bytes, packed: bool) -> bytes:
    """The frame for a client: compressed if the client can decompress and the frame is long enough."""
    return frame.packed if packed and isinstance(frame, MixedFrame) and len(frame) >= SMALLEST else frame


def milliseconds(seconds: float) -> int:
    """A time of the server's clock, in the unit of `pong` and `at`."""
    return round(seconds * 1000)


def decompressed(frame: bytes) -> bytes:
    return zlib.decompress(frame, RAW)
