"""Results kept as they come, a line for each game, so that a run can be taken up again."""

from pathlib import Path

import msgspec

from jamboree.core.kit.reporting import Record


class Kept(msgspec.Struct, frozen=True):
    name: str  # of the game, as contests name it
    winners: list[int]
    scores: list[int]


def read(path: Path) -> dict[str, Kept]:
    """Read what was played before; a last line that was cut off is left out."""
    if not path.exists():
        return {}
    found = {}
    for line in path.read_bytes().splitlines():
        try:
            kept = msgspec.json.decode(line, type=Kept)
        except msgspec.DecodeError:
            continue
        found[kept.name] = kept
    return found


def keep(path: Path, name: str, record: Record) -> Kept:
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = Kept(name, list(record.winners), list(record.scores))
    with path.open("ab") as file:
        file.write(msgspec.json.encode(kept) + b"\n")
    return kept
