"""Expensive bodies: as large as allowed, and for the slowest known code paths."""

import json

SIZE = 60_000


def _filled(line: str) -> str:
    return line * (SIZE // len(line.encode()))


def _body(**options: object) -> bytes:
    return json.dumps(options).encode()


WORST: list[tuple[str, bytes]] = [
    ("bebop", _body(board=_filled("x"))),
    ("bebop", _body(board=_filled("a b\n"))),
    ("bebop", _body(board=_filled("# # # # # # # #\n"))),
    ("bpm", _body(songs=_filled("A song;An artist;120;2001-01-01\n"))),
    ("bpm", _body(songs=_filled('{"a":')[:SIZE])),
    ("boogie", b'{"pace":' + b"[" * 30_000 + b"]" * 30_000 + b"}"),
    ("boogie", _body(**{f"k{number}": number for number in range(4_000)})),
]
