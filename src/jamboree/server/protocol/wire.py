"""How messages are written and read: as JSON, one a frame; what is open to all may be packed."""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, groupby
from struct import Struct

import msgspec

encode = msgspec.json.Encoder().encode

SMALLEST = 1024  # bytes; less is not worth packing
WORTH_IT = 2048  # bytes of a text that is packed apart
RAW = -zlib.MAX_WBITS  # deflate without a head
BLOCK_HEAD = Struct("<BHH")  # of text that is stored in deflate: whether it is the last, its length, and that inverted
LARGEST_BLOCK = 0xFFFF
EMPTY, END = (BLOCK_HEAD.pack(is_last, 0, LARGEST_BLOCK) for is_last in (0, 1))
HOLE = b"\0"  # for what is written apart: no JSON has it


class Packed(bytes):
    """A frame that goes out packed, as binary data."""


class Public(bytes):
    """A text with nothing in it that is hidden from anybody at the table. It is packed by itself, and once."""

    @cached_property
    def piece(self) -> bytes:
        """Pack it so that it means the same whatever comes before it, and nothing after it can refer to it."""
        packing = zlib.compressobj(wbits=RAW)
        return packing.compress(self) + packing.flush(zlib.Z_FULL_FLUSH)


class Common(Public):
    """A long text that occurs in frames of many tables, such as a board."""


class Pieced(bytes):
    """A frame in pieces: some are public, and every other is for its receiver alone.

    How well a secret packs beside text that somebody else has chosen tells what it is. So what is not public goes into
    blocks that are stored as they are. Which pieces are public is known by what they are for, never by what is in them.
    """

    def __new__(cls, pieces: Sequence[bytes]) -> "Pieced":
        frame = super().__new__(cls, b"".join(pieces))
        frame.pieces = pieces
        return frame

    pieces: Sequence[bytes]

    @cached_property
    def packed(self) -> Packed:
        """Pack it once for all who are sent it. Of what is not public, its length depends on the length alone."""
        own = [each for each in self.pieces if not isinstance(each, Public)]
        blocks = [each.piece if isinstance(each, Public) else _stored(each) for each in self.pieces]
        most = len(own) + sum(map(len, own)) // LARGEST_BLOCK  # whichever of them is the long one
        return Packed(b"".join([*blocks, EMPTY * (most - sum(map(_blocks, own))), END]))

    def opened(self) -> "Pieced":
        """Say that all of it is public; what many tables have is still packed once for all of them."""
        return Pieced([run if isinstance(run, Common) else Public(run) for run in _joined(self.pieces, Common)])


def in_pieces(message: msgspec.Struct, filling: bytes = b"", **parts: Sequence[bytes]) -> Pieced:
    """Write a message of which some fields, in their order, are written in pieces already."""
    holes = msgspec.structs.replace(message, **dict.fromkeys(parts, msgspec.Raw(HOLE)))
    first, *others = (encode(holes) + filling).split(HOLE)
    pieces = [first, *chain(*([*part, after] for part, after in zip(parts.values(), others, strict=True)))]
    return Pieced(list(_joined(pieces, Public)))


def _joined(pieces: Iterable[bytes], apart: type[Public]) -> Iterator[bytes]:
    """Join what follows each other, but for what stands apart."""
    for stands_apart, group in groupby(pieces, lambda piece: isinstance(piece, apart)):
        run = [*group]
        yield from run if stands_apart else [b"".join(run)]


def _blocks(text: bytes) -> int:
    """Count the blocks it takes to store a text."""
    return -(-len(text) // LARGEST_BLOCK)


def _stored(text: bytes) -> bytes:
    cut = (text[at : at + LARGEST_BLOCK] for at in range(0, len(text), LARGEST_BLOCK))
    return b"".join(BLOCK_HEAD.pack(0, len(each), len(each) ^ LARGEST_BLOCK) + each for each in cut)


def to_send(frame: bytes, packed: bool) -> bytes:
    """Give a frame as a client that can unpack is sent it, or one that can't."""
    return frame.packed if packed and isinstance(frame, Pieced) and len(frame) >= SMALLEST else frame


def milliseconds(seconds: float) -> int:
    """Write a time of the server's own clock for devices that compare theirs with it."""
    return round(seconds * 1000)


def unpacked(frame: bytes) -> bytes:
    return zlib.decompress(frame, RAW)
