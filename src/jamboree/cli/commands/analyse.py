"""`jamboree analyse`: look back at a game, decision by decision."""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.progress import Progress

from jamboree.coach.back import Analysis, LookBack, balance, render_sections, retell, turning_points
from jamboree.coach.back.looking import USUAL
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.journal import About, Journal, check, read
from jamboree.games import find

from ..analysis import keep_analysis, kept_analysis, show_analysis
from ..files import read_file
from ..language import CATALOGUE, language_of
from ..options import Lang, MaybeJournal
from ..playing.keep import is_shared_and_unfinished, last_played
from ..show import console, say

EVERY = 20  # steps after which what is done is kept


def analyse(
    file: MaybeJournal = None,
    seat: Annotated[int | None, typer.Option(min=1, help="Whose turning points, counted from 1.")] = None,
    playouts: Annotated[int, typer.Option(min=8, help="Games played out from every position.")] = USUAL,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    lang: Lang = "",
) -> None:
    """Say what every decision cost, who was likely to win when, and what luck did. Ctrl-C keeps what is done."""
    file = file or last_played()
    journal = read(read_file(file))
    game = find(journal.header.game, journal.header.rules)
    lang = language_of(game, lang or (journal.about or About()).language)
    check(journal, game)
    if is_shared_and_unfinished(journal):
        raise JamboreeError(CATALOGUE.say(lang, "around.unfinished"))
    if seat is not None and seat > journal.header.seats:
        raise JamboreeError(f"This game has {journal.header.seats} players, so there is no seat {seat}.")
    looking = LookBack(game, journal, kept_analysis(journal, playouts), playouts)
    stopped = not looking.analysis.finished and _look(looking, journal)
    chosen = None if seat is None else seat - 1
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(as_document(game, journal, looking.analysis, chosen, lang))))
        return
    if looking.analysis.moments:
        show_analysis(console(), game, journal, looking.analysis, chosen, lang, file)
    if stopped:
        done, steps = max(0, looking.analysis.done), looking.analysis.steps
        say(console(), CATALOGUE.say(lang, "analyse.stopped", done=done, steps=steps))


def as_document(game: AnyGame, journal: Journal, analysis: Analysis, seat: int | None, lang: str) -> dict[str, Any]:
    """Put everything that was found into one document, turning points in words."""
    points = turning_points(analysis, seat)
    return {
        **msgspec.to_builtins(analysis),
        "names": journal.header.names,
        "balance": balance(analysis),
        "sections": render_sections(game, journal, analysis, seat, lang),
        "turning_points": retell(game, journal, analysis, points, seat, lang),
    }


def _look(looking: LookBack, journal: Journal) -> bool:
    """Look at what is left of a game, and keep what is done; tell whether somebody stopped it."""
    try:
        for at, analysis in enumerate(_watched(looking)):
            if at % EVERY == 0 or analysis.finished:
                keep_analysis(journal, analysis)
    except KeyboardInterrupt:
        keep_analysis(journal, looking.analysis)
        return True
    return False


def _watched(looking: LookBack) -> Iterator[Analysis]:
    """Show how far it is, where a person is watching."""
    watching = Console(stderr=True)
    with Progress(console=watching, disable=not watching.is_terminal, transient=True) as progress:
        task = progress.add_task(looking.game.info.title, total=looking.analysis.steps)
        for analysis in looking:
            progress.update(task, completed=max(0, analysis.done))
            yield analysis
