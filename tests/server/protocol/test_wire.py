"""Frames as they go out: packed in pieces, of which some are packed once for all tables."""

import zlib
from unittest.mock import Mock

import pytest

from jamboree.server.protocol.wire import SMALLEST, Common, Open, to_send, unpacked

BOARD, ACTIONS = Common(b"a board with many hexes, " * 100), Common(b"[all the actions], " * 150)
FRAME = b'{"seq": 7, "board": ' + BOARD + b', "turn": 2, "actions": ' + ACTIONS + b', "talk": []}'


@pytest.mark.parametrize("common", [[], [BOARD], [ACTIONS], [BOARD, ACTIONS], [BOARD, Common(), ACTIONS]])
def test_what_is_packed_in_pieces_is_unpacked_as_one(common: list[Common]) -> None:
    assert unpacked(to_send(Open(FRAME, common), packed=True)) == FRAME


def test_what_a_frame_does_not_have_is_not_put_in() -> None:
    assert unpacked(Open(FRAME, [Common(b"something else" * 200), ACTIONS]).packed) == FRAME


def test_a_text_of_many_tables_is_packed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, board = Mock(wraps=zlib.compressobj), Common(b"another board " * 200)
    monkeypatch.setattr(zlib, "compressobj", counted)
    for number in range(3):
        frame = b"%d" % number * SMALLEST + board
        assert unpacked(Open(frame, [board]).packed) == frame
    assert counted.call_count == 3 + 1
