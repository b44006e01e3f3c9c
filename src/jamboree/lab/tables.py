"""Tables of a report, and its place in a page."""

from collections.abc import Iterable
from statistics import fmean

from jamboree.core.errors import JamboreeError

START, END = "<!-- report:start -->", "<!-- report:end -->"


def row(*columns: object) -> str:
    return f"| {' | '.join(map(str, columns))} |"


def head(*titles: str, right: bool = False) -> list[str]:
    """Begin a table; figures may stand on the right, below titles that do."""
    rule = ["---", *["---:"] * (len(titles) - 1)] if right else ["---"] * len(titles)
    return [row(*titles), row(*rule)]


def mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0


def written_into(page: str, text: str) -> str:
    """Put a text between the markers of a page, in place of what was there."""
    before, start, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise JamboreeError(f"The page has no place for the report: it needs {START} and, below it, {END}.")
    return f"{before}{START}\n{text}\n{END}{after}"
