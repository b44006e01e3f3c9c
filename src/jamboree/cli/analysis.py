"""An analysis on a terminal, and where it is kept."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jamboree.coach.back import (
    Analysis,
    SectionText,
    Told,
    balance,
    render_sections,
    retell,
    signed_points,
    turning_points,
)
from jamboree.core.errors import UNREADABLE, JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.journal import Journal
from jamboree.core.words import clean

from .files import data_folder, write_file
from .language import CATALOGUE
from .show import folded, look, say

FOLDER = "analyses"  # in the folder of what this program keeps
BARS = "▁▂▃▄▅▆▇█"
MARGIN = 8  # columns beside a curve for what it ended with


def _place(journal: Journal, playouts: int) -> Path:
    return data_folder(FOLDER) / f"{journal.header.game}-{journal.seal[:24]}-{playouts}.json"


def kept_analysis(journal: Journal, playouts: int) -> Analysis | None:
    """Find what was done before; what can't be read was never done."""
    with suppress(JamboreeError, OSError, *UNREADABLE):
        return msgspec.json.decode(_place(journal, playouts).read_bytes(), type=Analysis)
    return None


def keep_analysis(journal: Journal, analysis: Analysis) -> None:
    path = _place(journal, analysis.playouts)
    draft = path.with_suffix(".part")
    write_file(draft, msgspec.json.encode(analysis).decode())
    draft.replace(path)


def show_analysis(
    out: Console, game: AnyGame, journal: Journal, analysis: Analysis, seat: int | None, lang: str, file: Path
) -> None:
    names = [clean(name) for name in journal.header.names]
    title = {"game": game.info.title, "steps": analysis.done, "playouts": analysis.playouts}
    say(out, CATALOGUE.say(lang, "analyse.title", **title), "strong")
    out.print()
    _show_curves(out, analysis, names, lang)
    out.print()
    _show_balance(out, analysis, names, lang)
    out.print()
    points = turning_points(analysis, seat)
    _show_turning_points(out, retell(game, journal, analysis, points, seat, lang), names, lang, file)
    for section in render_sections(game, journal, analysis, seat, lang):
        out.print()
        _show_section(out, section, names)


def _show_curves(out: Console, analysis: Analysis, names: Sequence[str], lang: str) -> None:
    say(out, CATALOGUE.say(lang, "analyse.chance"), "strong")
    wide = max(map(len, names)) + 2
    for seat, name in enumerate(names):
        chances = [moment.chances[seat] for moment in analysis.moments]
        drawn = curve(chances, max(10, out.width - wide - MARGIN))
        line = Text(f"{name:<{wide}}").append(drawn, look("good")).append(f"{signed(chances[-1], ''):>6}")
        out.print(line)


def curve(chances: Sequence[float], width: int) -> str:
    """Draw a curve as a row of bars, no wider than that."""
    columns = min(width, len(chances))
    parts = [chances[at * len(chances) // columns : (at + 1) * len(chances) // columns] for at in range(columns)]
    return "".join(BARS[min(len(BARS) - 1, int(sum(part) / len(part) * len(BARS)))] for part in parts)


def signed(part: float, sign: str = "+") -> str:
    return f"{round(100 * part):{sign}d} %"  # a whole number has no negative zero


def _show_balance(out: Console, analysis: Analysis, names: Sequence[str], lang: str) -> None:
    rows = [[signed(each.luck), signed(each.choices), signed(each.others)] for each in balance(analysis)]
    _show_table(out, "balance", ("luck", "choices", "others"), names, rows, lang)


def _show_section(out: Console, section: SectionText, names: Sequence[str]) -> None:
    columns = [column.title for column in section.columns]
    _show_rows(out, section.title, columns, names, [_section_row(section, row) for row in section.rows])
    for entry in section.entries:
        for part in folded(out, Text(clean(f"  {entry.sentence} {entry.note}".rstrip())), 4):
            out.print(part)


def _section_row(section: SectionText, row: Sequence[int]) -> list[str]:
    pairs = zip(section.columns, row, strict=True)
    return [signed_points(value) if column.style == "points" else str(value) for column, value in pairs]


def _show_table(
    out: Console, about: str, columns: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]], lang: str
) -> None:
    titles = [CATALOGUE.say(lang, f"analyse.{about}.{column}") for column in columns]
    _show_rows(out, CATALOGUE.say(lang, f"analyse.{about}"), titles, names, rows)


def _show_rows(
    out: Console, title: str, columns: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column(title)
    for column in columns:
        table.add_column(column, justify="right")
    for name, row in zip(names, rows, strict=True):
        table.add_row(Text(name), *row)
    out.print(table)


def _show_turning_points(out: Console, told: Sequence[Told], names: Sequence[str], lang: str, file: Path) -> None:
    say(out, CATALOGUE.say(lang, "analyse.turning" if told else "analyse.none"), "strong")
    for point in told:
        values = {"step": point.step, "name": names[point.seat], "did": point.did, "change": _moved(point)}
        lines = [CATALOGUE.say(lang, f"analyse.{point.kind}", **values)]
        lines += [CATALOGUE.say(lang, "analyse.better", better=point.better, why=point.why)] if point.better else []
        lines += [CATALOGUE.say(lang, "analyse.knew", knew=point.knew)]
        for line in lines:
            for part in folded(out, Text(clean(f"  {line}")), 4):
                out.print(part)
        if point.step:
            say(out, f"  {CATALOGUE.say(lang, 'analyse.try', command=_again(file, point))}", "dim")


def _again(file: Path, point: Told) -> str:
    """Write the command that takes a game up before a turning point."""
    return f"jamboree play --journal {quote(str(file))} --step {point.step - 1} --seat {point.seat + 1}"


def _moved(point: Told) -> str:
    """Say by how much a chance changed; what a choice cost has no sign."""
    return signed(-point.change, "") if point.kind == "choice" else signed(point.change)
