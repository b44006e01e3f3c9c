"""How messages are written and read: as JSON, one a frame; what is open to all may be packed."""

import zlib
from functools import cached_property

import msgspec

from .requests import ClientMessage

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(ClientMessage).decode

SMALLEST = 1024  # bytes; less is not worth packing
RAW = -zlib.MAX_WBITS  # deflate without a head


class Packed(bytes):
    """A frame that goes out packed, as binary data."""


class Open(bytes):
    """A frame with nothing in it that is hidden from anybody at the table.

    No other is ever packed: how well a secret packs beside text that somebody else has chosen tells what it is.
    """

    @cached_property
    def packed(self) -> Packed:
        """Pack it by itself, and once for all who are sent it."""
        packing = zlib.compressobj(wbits=RAW)
        return Packed(packing.compress(self) + packing.flush())


def to_send(frame: bytes, packed: bool) -> bytes:
    """Give a frame as a client that can unpack is sent it, or one that can't."""
    return frame.packed if packed and isinstance(frame, Open) and len(frame) >= SMALLEST else frame


def milliseconds(seconds: float) -> int:
    """Write a time of the server's own clock for devices that compare theirs with it."""
    return round(seconds * 1000)


def unpacked(frame: bytes) -> bytes:
    return zlib.decompress(frame, RAW)
