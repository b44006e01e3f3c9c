"""Boards for tests: the packaged ones with a change, and small ones drawn on the spot."""

import re

from jamboree.games.bebop.box.board import BadBoard, Board, BoardMistake, load

HEADER = """\
id: {id}
name: Tiny
tagline: Small enough to see
album: None
rating: 7 10 12
normals: 5 5 5
palette: grass #00aa00, path, wood
"""
FIRST_ROW = HEADER.count("\n") + 3  # of the map, in a drawn board without a centre


def drawn(picture: str, regions: str = "", dice: str = "", centre: str = "", festival: str = "tiny") -> str:
    """Write a board file around a picture; unless told otherwise all of it is in play always."""
    header = HEADER.format(id=festival) + (f"centre: {centre}\n" if centre else "")
    picture = picture.strip("\n")
    regions = regions.strip("\n") or re.sub(r"[^ \n]", "2", picture)
    return f"{header}\nmap:\n{picture}\n\nregions:\n{regions}\n" + (f"\ndice:\n{dice}\n" if dice else "")


def edited(festival: str, *changes: tuple[str, str]) -> str:
    """Change a packaged board's text, each time in the first place that fits."""
    text = load(festival).source
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def redrawn(festival: str, **hexes: str) -> str:
    """Overtype hexes of a packaged board, by name: a digit is a region, anything else a symbol."""
    lines = load(festival).source.split("\n")
    regions = lines.index("regions:") - lines.index("map:")
    for name, symbol in hexes.items():
        row, column = place(festival, name)
        row += regions if symbol.isdigit() else 0
        line = lines[row - 1]
        lines[row - 1] = line[: column - 1] + symbol + line[column:]
    return "\n".join(lines)


def place(festival: str, name: str) -> tuple[int, int]:
    """Find the row and column of a hex in a packaged board's file."""
    return next((spot.row, spot.column) for spot in load(festival).hexes if spot.name == name)


def reading(text: str | bytes) -> list[str]:
    """List what makes a text unreadable."""
    try:
        Board.parse(text)
    except BadBoard as bad:
        assert all(isinstance(mistake, BoardMistake) for mistake in bad.mistakes)
        return [str(mistake) for mistake in bad.mistakes]
    return []
