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


def board_text(picture: str, regions: str = "", dice: str = "", centre: str = "", festival: str = "tiny") -> str:
    """Return a board file around a picture; by default all hexes are in play for two players."""
    header = HEADER.format(id=festival) + (f"centre: {centre}\n" if centre else "")
    picture = picture.strip("\n")
    regions = regions.strip("\n") or re.sub(r"[^ \n]", "2", picture)
    return f"{header}\nmap:\n{picture}\n\nregions:\n{regions}\n" + (f"\ndice:\n{dice}\n" if dice else "")


def edit_board(festival: str, *changes: tuple[str, str]) -> str:
    """Edit the text of a packaged board: replace the first occurrence of each old text."""
    text = load(festival).source
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def overwrite_hexes(festival: str, **hexes: str) -> str:
    """Overtype hexes of a packaged board, by name: a digit is a region, anything else a symbol."""
    lines = load(festival).source.split("\n")
    regions = lines.index("regions:") - lines.index("map:")
    for name, symbol in hexes.items():
        row, column = place(festival, name)
        row += regions if symbol.isdigit() else 0
        line = lines[row - 1]
        lines[row - 1] = line[: column - 1] + symbol + line[column:]
    return "\n".join(lines)


def widened() -> str:
    """Draw a sound board with more hexes than rows of the fast twin have room for: Point City with a hex more in each
    row, and VIP hexes for its dice."""
    head, rest = load("point-city").source.split("map:\n")
    hexes, rest = rest.split("\n\nregions:\n")
    regions, _ = rest.split("\n\ndice:\n")
    head = head.replace("id: point-city", "id: wide-city").replace("normals: 32 48 64", "normals: 32 48 73")
    hexes = "\n".join(f"{line} ." for line in re.sub("[a-z]", "*", hexes).split("\n"))
    regions = "\n".join(f"{line} 4" for line in regions.split("\n"))
    return f"{head}map:\n{hexes}\n\nregions:\n{regions}\n"


def place(festival: str, name: str) -> tuple[int, int]:
    """Return the row and column of a hex in a packaged board's file."""
    return next((spot.row, spot.column) for spot in load(festival).hexes if spot.name == name)


def reading(text: str | bytes) -> list[str]:
    """Return the mistakes that make a text unreadable."""
    try:
        Board.parse(text)
    except BadBoard as bad:
        assert all(isinstance(mistake, BoardMistake) for mistake in bad.mistakes)
        return [str(mistake) for mistake in bad.mistakes]
    return []
