"""`make twins` reuses results only while nothing that it compares has changed."""

from collections import Counter
from pathlib import Path

import pytest

from . import twins

SOURCES = twins.ROOT / "src" / "jamboree"


@pytest.mark.parametrize(
    "name",
    [
        "core/twin/bits.py",
        "core/kit/game.py",
        "fast/loops.py",
        "games/bebop/box/board.py",
        "games/bebop/rules/claim.py",
        "games/bebop/bots/players.py",
        "games/bebop/fast/sound.py",
        "games/bebop/visibility/views.py",
    ],
)
def test_comparisons_are_repeated_after_a_change(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, set_up = tmp_path / "twins.jsonl", ("bebop", 2, 0)
    twins.Agreed(path).add(set_up, 0, Counter(claim=3))
    assert twins.Agreed(path).steps(set_up) == {"claim": 3}
    file, read = SOURCES / name, Path.read_bytes
    assert file.is_file()
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"!" * (path == file))
    assert not twins.Agreed(path).steps(set_up)
