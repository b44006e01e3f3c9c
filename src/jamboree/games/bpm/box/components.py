"""The components in the box, from data/components.toml."""

from pathlib import Path

import msgspec

DATA = Path(__file__).parent / "data"


class Components(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    player_counts: tuple[int, ...]
    minutes: tuple[int, int]
    colours: tuple[str, ...]
    arrows: tuple[str, ...]
    actions: tuple[str, ...]
    dancers_of_a_kind: int
    tokens: int
    rounds: int
    most_extra_rounds: int
    songs_dealt: int
    songs_discarded: int
    least_songs: int
    changes_of_mind: int
    line: int
    superfan_points: int
    quest_points: int
    floors: tuple[tuple[int, int], ...]


BOX = msgspec.toml.decode((DATA / "components.toml").read_bytes(), type=Components)

PLAYER_COUNTS = BOX.player_counts
COLOURS = BOX.colours
ARROWS = BOX.arrows
ACTIONS = BOX.actions
QUESTS = (*COLOURS, *ARROWS)

FORWARD, BACKWARD, LEFT, RIGHT = range(len(ARROWS))
LEFT_RIGHT, UP_DOWN, HOP, BREAK = range(len(ACTIONS))


def floor_size(players: int) -> tuple[int, int]:
    """Return the number of columns and rows of the floor."""
    return BOX.floors[PLAYER_COUNTS.index(players)]
