"""`jamboree analyse`: reviews a game decision by decision; the results are cached in the data folder."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from jamboree.coach.review import (
    Analysis,
    GameReview,
    SectionText,
    TurningPointText,
    balance,
    render_sections,
    render_turning_points,
    signed_points,
    turning_points,
)
from jamboree.coach.review.game_review import PLAYOUTS
from jamboree.core.errors import UNREADABLE, JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.journal import About, Journal, check, read
from jamboree.core.words import clean
from jamboree.games import find

from ..files import data_folder, read_file, write_file
from ..language import CATALOGUE, game_language
from ..options import Lang, MaybeJournal
from ..output import console, fold, print_text, style_of
from ..playing.journal_file import check_is_over, last_played

SAVE_EVERY = 20  # steps
CACHE_FOLDER = "analyses"  # a subfolder of the data folder
BARS = "▁▂▃▄▅▆▇█"
VALUE_WIDTH = 8  # columns beside a curve for its last value


def analyse(
    file: MaybeJournal = None,
    seat: Annotated[int | None, typer.Option(min=1, help="Only the turning points of this seat, from 1.")] = None,
    playouts: Annotated[int, typer.Option(min=8, help="Playouts from every position.")] = PLAYOUTS,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    lang: Lang = "",
) -> None:
    """Show what every decision cost, who was likely to win when, and the effect of luck. Ctrl-C keeps the results."""
    file = file or last_played()
    journal = read(read_file(file))
    game = find(journal.header.game, journal.header.rules)
    lang = game_language(game, lang or (journal.about or About()).language)
    check_is_over(journal, check(journal, game), file, lang)
    if seat is not None and seat > journal.header.seats:
        raise JamboreeError(f"This game has {journal.header.seats} players, so there is no seat {seat}.")
    review = GameReview(game, journal, _load_analysis(journal, playouts), playouts)
    interrupted = not review.analysis.finished and _run(review, journal)
    chosen = None if seat is None else seat - 1
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(as_document(game, journal, review.analysis, chosen, lang))))
        return
    if review.analysis.moments:
        _show_analysis(console(), game, journal, review.analysis, chosen, lang, file)
    if interrupted:
        done, steps = max(0, review.analysis.done), review.analysis.steps
        print_text(console(), CATALOGUE.say(lang, "analyse.stopped", done=done, steps=steps))


def _run(review: GameReview, journal: Journal) -> bool:
    """Analyse the remaining steps, saving the results; return whether the user interrupted it."""
    try:
        for number, analysis in enumerate(_with_progress(review)):
            if number % SAVE_EVERY == 0 or analysis.finished:
                _save_analysis(journal, analysis)
    except KeyboardInterrupt:
        _save_analysis(journal, review.analysis)
        return True
    return False


def _with_progress(review: GameReview) -> Iterator[Analysis]:
    err = Console(stderr=True)
    with Progress(console=err, disable=not err.is_terminal, transient=True) as progress:
        task = progress.add_task(review.game.info.title, total=review.analysis.steps)
        for analysis in review:
            progress.update(task, completed=max(0, analysis.done))
            yield analysis


def _cache_path(journal: Journal, playouts: int) -> Path:
    return data_folder(CACHE_FOLDER) / f"{journal.header.game}-{journal.seal[:24]}-{playouts}.json"


def _load_analysis(journal: Journal, playouts: int) -> Analysis | None:
    """Load cached results; a file that can't be read counts as none."""
    with suppress(JamboreeError, OSError, *UNREADABLE):
        return msgspec.json.decode(_cache_path(journal, playouts).read_bytes(), type=Analysis)
    return None


def _save_analysis(journal: Journal, analysis: Analysis) -> None:
    path = _cache_path(journal, analysis.playouts)
    draft = path.with_suffix(".part")
    write_file(draft, msgspec.json.encode(analysis).decode())
    draft.replace(path)


def as_document(game: AnyGame, journal: Journal, analysis: Analysis, seat: int | None, lang: str) -> dict[str, Any]:
    """Return all results as one document, with turning points in words."""
    points = turning_points(analysis, seat)
    return {
        **msgspec.to_builtins(analysis),
        "names": journal.header.names,
        "balance": balance(analysis),
        "sections": render_sections(game, journal, analysis, seat, lang),
        "turning_points": render_turning_points(game, journal, analysis, points, seat, lang),
    }


def _show_analysis(
    out: Console, game: AnyGame, journal: Journal, analysis: Analysis, seat: int | None, lang: str, file: Path
) -> None:
    names = [clean(name) for name in journal.header.names]
    title = {"game": game.info.title, "steps": analysis.done, "playouts": analysis.playouts}
    print_text(out, CATALOGUE.say(lang, "analyse.title", **title), "strong")
    out.print()
    _show_curves(out, analysis, names, lang)
    out.print()
    _show_balance(out, analysis, names, lang)
    out.print()
    points = turning_points(analysis, seat)
    _show_turning_points(out, render_turning_points(game, journal, analysis, points, seat, lang), names, lang, file)
    for section in render_sections(game, journal, analysis, seat, lang):
        out.print()
        _show_section(out, section, names)


def _show_curves(out: Console, analysis: Analysis, names: Sequence[str], lang: str) -> None:
    print_text(out, CATALOGUE.say(lang, "analyse.chance"), "strong")
    name_width = max(map(len, names)) + 2
    for seat, name in enumerate(names):
        chances = [moment.chances[seat] for moment in analysis.moments]
        curve = _curve(chances, max(10, out.width - name_width - VALUE_WIDTH))
        line = Text(f"{name:<{name_width}}").append(curve, style_of("good")).append(f"{_percent(chances[-1], ''):>6}")
        out.print(line)


def _curve(chances: Sequence[float], width: int) -> str:
    """Draw a curve as a row of bars, no wider than `width`."""
    columns = min(width, len(chances))
    parts = [chances[at * len(chances) // columns : (at + 1) * len(chances) // columns] for at in range(columns)]
    return "".join(BARS[min(len(BARS) - 1, int(sum(part) / len(part) * len(BARS)))] for part in parts)


def _percent(part: float, sign: str = "+") -> str:
    return f"{round(100 * part):{sign}d} %"  # an integer, since a float could be a negative zero


def _show_balance(out: Console, analysis: Analysis, names: Sequence[str], lang: str) -> None:
    rows = [[_percent(each.luck), _percent(each.choices), _percent(each.others)] for each in balance(analysis)]
    columns = [CATALOGUE.say(lang, f"analyse.balance.{column}") for column in ("luck", "choices", "others")]
    _show_table(out, CATALOGUE.say(lang, "analyse.balance"), columns, names, rows)


def _show_section(out: Console, section: SectionText, names: Sequence[str]) -> None:
    columns = [column.title for column in section.columns]
    _show_table(out, section.title, columns, names, [_section_row(section, row) for row in section.rows])
    for entry in section.entries:
        _show_folded(out, f"{entry.sentence} {entry.note}".rstrip())


def _section_row(section: SectionText, row: Sequence[int]) -> list[str]:
    pairs = zip(section.columns, row, strict=True)
    return [signed_points(value) if column.style == "points" else str(value) for column, value in pairs]


def _show_table(
    out: Console, title: str, columns: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column(title)
    for column in columns:
        table.add_column(column, justify="right")
    for name, row in zip(names, rows, strict=True):
        table.add_row(Text(name), *row)
    out.print(table)


def _show_turning_points(
    out: Console, points: Sequence[TurningPointText], names: Sequence[str], lang: str, file: Path
) -> None:
    print_text(out, CATALOGUE.say(lang, "analyse.turning" if points else "analyse.none"), "strong")
    for point in points:
        before, after = round(100 * point.before), round(100 * point.after)
        change = f"{before - after} %" if point.kind == "choice" else f"{after - before:+d} %"
        values = {"before": f"{before} %", "after": f"{after} %", "change": change}
        values |= {"name": names[point.seat], "did": point.did}
        _show_folded(out, CATALOGUE.say(lang, f"analyse.{point.kind}", step=point.step, **values))
        if point.better:
            _show_folded(out, CATALOGUE.say(lang, "analyse.better", better=point.better, why=point.why))
        _show_folded(out, CATALOGUE.say(lang, "analyse.knew", knew=point.knew))
        if point.step:
            command = f"jamboree play --journal {quote(str(file))} --step {point.step - 1} --seat {point.seat + 1}"
            print_text(out, f"  {CATALOGUE.say(lang, 'analyse.try', command=command)}", "dim")


def _show_folded(out: Console, line: str) -> None:
    for part in fold(out, Text(clean(f"  {line}")), 4):
        out.print(part)
