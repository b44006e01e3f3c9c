"""The ladder as a table and a plot for a terminal, as Markdown, and as JSON."""

from collections.abc import Sequence
from typing import Any

import msgspec

from jamboree.core.kit.reporting import head, row

from .standings import Matchup, Rating

WIDTH = 50  # of a plot, in characters


def as_json(game: str, met: Sequence[Matchup], rated: Sequence[Rating]) -> dict[str, Any]:
    return {"game": game, "meetings": msgspec.to_builtins(met), "ratings": msgspec.to_builtins(rated)}


def table(met: Sequence[Matchup]) -> list[str]:
    """Write the meetings as a Markdown table."""
    titles = ("level", "among", "players", "games", "share of the wins", "95 %", "a fair share", "points ahead")
    return [*head(*titles, right=True), *(row(*_cells(meeting)) for meeting in met)]


def _cells(meeting: Matchup) -> list[str]:
    return [
        meeting.one,
        meeting.others,
        str(meeting.seats),
        str(meeting.games),
        f"{meeting.share:.1%}",
        f"{meeting.low:.0%}–{meeting.high:.0%}",
        f"{meeting.fair:.0%}",
        f"{round(meeting.margin, 1) + 0.0:+.1f}",  # never -0.0
    ]


def rating_table(rated: Sequence[Rating]) -> list[str]:
    lines = [row(each.level, f"{each.rating:,.0f}", f"± {each.error:,.0f}") for each in reversed(rated)]
    return [*head("level", "rating", "95 %", right=True), *lines]


def plot(met: Sequence[Matchup]) -> list[str]:
    """Draw each share on a line from 0 to 100 %: its interval, itself, and where a fair share would be."""
    labels = [f"{meeting.one} among {meeting.others}, {meeting.seats}" for meeting in met]
    longest = max(map(len, labels), default=0)
    lines = [f"{label:>{longest}} {_line(meeting)}" for label, meeting in zip(labels, met, strict=True)]
    return [*lines, f"{'':>{longest}} 0 %{'100 %':>{WIDTH - 2}}"]


def _line(meeting: Matchup) -> str:
    drawn = ["·"] * (WIDTH + 1)
    for place in range(round(meeting.low * WIDTH), round(meeting.high * WIDTH) + 1):
        drawn[place] = "─"
    drawn[round(meeting.fair * WIDTH)] = "│"
    drawn[round(meeting.share * WIDTH)] = "●"
    return "".join(drawn)
