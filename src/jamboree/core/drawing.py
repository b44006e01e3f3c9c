"""Positions drawn as text: named lines, perhaps contents of a table's own behind bars, and a picture at the end."""

from .errors import JamboreeError


class BadDrawing(JamboreeError):
    """A text that is not a drawn position."""


def sections(text: str, title: str, drawn: str) -> tuple[dict[str, str], str, list[str]]:
    """Take a drawing apart: its lines by their names, what stands behind bars, the rows of its picture."""
    head, titled, picture = f"\n{text}".partition(f"\n{title}:\n")
    if not titled:
        raise BadDrawing(f"there is no line '{title}:' with the {drawn} drawn under it")
    fields, source = dict[str, str](), list[str]()
    for line in head.split("\n"):
        if line.startswith("|"):
            source.append(line[2:])
        elif line.strip():
            key, colon, value = (part.strip() for part in line.partition(":"))
            if not colon or key in fields:
                raise BadDrawing(f"{line.strip()!a} is {'here twice' if colon else 'not a line of a drawing'}")
            fields[key] = value
    return fields, "\n".join(source), picture.split("\n")
