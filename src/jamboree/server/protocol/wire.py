"""How messages are written and read: as JSON, one a frame; what is open to all may be packed."""

import zlib
from collections.abc import Sequence
from functools import cached_property

import msgspec

from .requests import ClientMessage

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(ClientMessage).decode

SMALLEST = 1024  # bytes; less is not worth packing
WORTH_IT = 2048  # bytes of a text that is packed apart
RAW = -zlib.MAX_WBITS  # deflate without a head


class Packed(bytes):
    """A frame that goes out packed, as binary data."""


class Common(bytes):
    """A long text that occurs in frames of many tables, such as a board."""

    @cached_property
    def piece(self) -> bytes:
        """Pack it once, as a piece that means the same whatever comes before it."""
        return _piece(self)


class Open(bytes):
    """A frame with nothing in it that is hidden from anybody at the table.

    No other is ever packed: how well a secret packs beside text that somebody else has chosen tells what it is.
    """

    def __new__(cls, frame: bytes, common: Sequence[Common] = ()) -> "Open":
        opened = super().__new__(cls, frame)
        opened.common = [part for part in common if len(part) >= WORTH_IT]  # in the order in which they occur
        return opened

    common: Sequence[Common]

    @cached_property
    def packed(self) -> Packed:
        """Pack it by itself, and once for all who are sent it; what many frames have is packed already."""
        pieces, rest = list[bytes](), bytes(self)
        for part in self.common:
            before, found, after = rest.partition(part)
            if found:
                pieces, rest = [*pieces, _piece(before), part.piece], after
        return Packed(b"".join(pieces) + zlib.compress(rest, wbits=RAW))


def _piece(text: bytes) -> bytes:
    """Pack a text so that another may follow, which knows nothing of it."""
    packing = zlib.compressobj(wbits=RAW)
    return packing.compress(text) + packing.flush(zlib.Z_FULL_FLUSH)


def to_send(frame: bytes, packed: bool) -> bytes:
    """Give a frame as a client that can unpack is sent it, or one that can't."""
    return frame.packed if packed and isinstance(frame, Open) and len(frame) >= SMALLEST else frame


def milliseconds(seconds: float) -> int:
    """Write a time of the server's own clock for devices that compare theirs with it."""
    return round(seconds * 1000)


def unpacked(frame: bytes) -> bytes:
    return zlib.decompress(frame, RAW)
