"""`jamboree verify`: checks a served game's seal, its moves, and its randomness against the committed seeds."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jamboree.core.errors import JamboreeError, Unfair
from jamboree.core.fair import check_luck
from jamboree.core.journal import Fairness, Journal, check, read
from jamboree.games import find

from ..error_handling import print_error
from ..files import read_file
from ..language import CATALOGUE, game_language
from ..options import Lang
from ..output import console, print_text

EXIT_UNFAIR = 1


def verify(
    journal: Annotated[Path, typer.Argument(metavar="JOURNAL", help="The journal of a game at a live table.")],
    commitment: Annotated[
        str | None,
        typer.Option(
            metavar="HEX", help="The commitment that the table showed before the first draw, if you noted it."
        ),
    ] = None,
    lang: Lang = "",
) -> None:
    """Check a served game: its seal, its moves, and that every pick follows from the seeds."""
    served, out = read(read_file(journal)), console()
    game = find(served.header.game, served.header.rules)
    lang = game_language(game, lang)
    over = check(served, game)
    if not served.fairness:
        raise JamboreeError("This game was not played at a live table, so there is no commitment to verify.")
    try:
        counts = check_luck(served)
        _check_commitment(served, commitment)
    except Unfair as error:
        print_error(error)
        raise typer.Exit(EXIT_UNFAIR) from None
    seats, actions = served.header.seats, len(served.entries)
    key = "replay.sound" if over else "replay.sound.unfinished"
    print_text(out, CATALOGUE.say(lang, key, game=game.info.title, seats=seats, actions=actions))
    for part, count in zip(served.fairness, counts, strict=True):
        _print_part(out, served, part, count, lang)
    for key in ("verify.noted" if commitment else "verify.not-noted", "verify.not-excluded"):
        print_text(out, CATALOGUE.say(lang, key))


def _check_commitment(journal: Journal, noted: str | None) -> None:
    if noted and noted.strip().lower() != journal.fairness[-1].commitment:
        raise Unfair(f"The server's commitment is {journal.fairness[-1].commitment}, which is not the one you noted.")


def _print_part(out: Console, journal: Journal, part: Fairness, count: int, lang: str) -> None:
    names = journal.header.names
    added = [names[(seat + part.turned) % len(names)] for seat, seed in enumerate(part.seeds) if seed]
    who = ", ".join(added) or CATALOGUE.say(lang, "verify.nobody")
    text = CATALOGUE.say(
        lang, "verify.part", step=part.since, count=count, table=part.table, commitment=part.commitment, who=who
    )
    print_text(out, text)
