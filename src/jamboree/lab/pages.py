"""The place of a report in a page."""

from jamboree.core.errors import JamboreeError

START, END = "<!-- report:start -->", "<!-- report:end -->"


def written_into(page: str, text: str) -> str:
    """Put a text between the markers of a page, in place of what was there."""
    before, start, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise JamboreeError(f"The page has no place for the report: it needs {START} and, below it, {END}.")
    return f"{before}{START}\n{text}\n{END}{after}"
