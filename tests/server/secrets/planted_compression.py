"""Leaks to plant in a server: by compression, by checksums and by deltas."""

import re
import zlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import msgspec
import pytest

from jamboree.core.game import Eye
from jamboree.server.http import history_routes
from jamboree.server.http.compression import compressed
from jamboree.server.live.viewers import frame_builder
from jamboree.server.live.viewers.position_cache import Parts, PositionCache, Written
from jamboree.server.live.visibility import Viewer
from jamboree.server.protocol.frames import Welcome
from jamboree.server.protocol.wire import RAW, CompressedFrame, MixedFrame, PublicText, encode, mixed_frame

WORD = re.compile(rb'("\w+")')


def one_context(patch: pytest.MonkeyPatch) -> None:
    """Pack a frame as one text, whatever is in it."""
    whole = cached_property(lambda self: CompressedFrame(zlib.compress(self, wbits=RAW)))
    whole.__set_name__(MixedFrame, "packed")
    patch.setattr(MixedFrame, "packed", whole)


def own_parts_by_themselves(patch: pytest.MonkeyPatch) -> None:
    """Compress a player's own fields separately from chosen text."""
    _cut(patch, lambda own, shown: [PublicText(own)])


def words_that_others_know(patch: pytest.MonkeyPatch) -> None:
    """Pack of a player's own what spectators are shown as well."""

    def compared(own: bytes, shown: bytes) -> list[bytes]:
        return [PublicText(word) if WORD.fullmatch(word) and word in shown else word for word in WORD.split(own)]

    _cut(patch, compared)


def own_parts_that_look_public(patch: pytest.MonkeyPatch) -> None:
    """Compress a player's own fields if they equal the spectators'."""

    def compared(own: bytes, shown: bytes) -> list[bytes]:
        return [PublicText(own)] if own.count(b'"two"') == shown.count(b'"two"') else [own]

    _cut(patch, compared)


def _cut(patch: pytest.MonkeyPatch, cut: Any) -> None:
    """Have a player's own part of a position cut into pieces by what spectators are shown."""
    pieces = PositionCache.pieces

    def planted(self: PositionCache, who: Viewer) -> list[bytes]:
        *shared, own = pieces(self, who)
        return [*shared, *cut(own, self.of(who._replace(seat=None)).text)]

    patch.setattr(PositionCache, "pieces", planted)


def packed_filling(patch: pytest.MonkeyPatch) -> None:
    """Pack what a frame is filled up with: there is nothing in it, after all."""

    def emptied(message: msgspec.Struct, filling: bytes = b"", **parts: Sequence[bytes]) -> MixedFrame:
        return MixedFrame([*mixed_frame(message, b"", **parts).pieces, PublicText(filling)])

    patch.setattr(frame_builder, "mixed_frame", emptied)


def packed_talk(patch: pytest.MonkeyPatch) -> None:
    """Compress whispers together with public chat."""

    def compressed_frame(message: msgspec.Struct, filling: bytes = b"", **parts: Sequence[bytes]) -> MixedFrame:
        talk = {"chat": [PublicText(encode(message.chat))]} if isinstance(message, Welcome) else {}
        return mixed_frame(message, filling, **parts, **talk)

    patch.setattr(frame_builder, "mixed_frame", compressed_frame)


def a_packed_log(patch: pytest.MonkeyPatch) -> None:
    """Compress the log of a player during the game."""
    patch.setattr(history_routes, "compressed", lambda content, coding: compressed(content, "gzip"))


def a_check_of_every_hand(patch: pytest.MonkeyPatch) -> None:
    """Let clients check what all of them hold together."""
    of = PositionCache.of

    def cached(self: PositionCache, who: Viewer) -> Written:
        class Forged(Written):
            check = f"{zlib.crc32(encode(self.state.game.view(self.state.position, Eye.ALL))):08x}"

        return Forged(*of(self, who))

    patch.setattr(PositionCache, "of", cached)


def a_remembered_difference(patch: pytest.MonkeyPatch) -> None:
    """Cache the delta of a field for the first viewer and reuse it for all."""
    changes = PositionCache._changes_of

    def remembered(self: PositionCache, before: Parts, now: Parts) -> Parts | None:
        found, known = changes(self, before, now), self._differences
        return found and {name: known.setdefault((name, b""), change) for name, change in found.items()}

    patch.setattr(PositionCache, "_changes_of", remembered)


def a_change_that_weighs_all_hands(patch: pytest.MonkeyPatch) -> None:
    """Say in a change what all hands are worth by now."""
    changed = PositionCache._changed

    def weighed(self: PositionCache, before: Written, now: Written) -> bytes | None:
        found = changed(self, before, now)
        return found and found[:-1] + b',"worth":[%d]}' % sum(sum(hand) for hand in self.state.position.hands)

    patch.setattr(PositionCache, "_changed", weighed)
