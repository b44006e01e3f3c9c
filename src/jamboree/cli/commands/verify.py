"""`jamboree verify`: was this game played by the rules, with the luck that was promised?"""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jamboree.core.errors import JamboreeError, Unfair
from jamboree.core.fair import check_luck
from jamboree.core.journal import Fairness, Journal, check, read
from jamboree.games import find

from ..files import read_file
from ..language import CATALOGUE, language_of
from ..options import Lang
from ..polite import complain
from ..show import console, say

NOT_PROVEN = 1


def verify(
    journal: Annotated[Path, typer.Argument(metavar="JOURNAL", help="The journal of a game at a live table.")],
    commitment: Annotated[
        str | None, typer.Option(metavar="HEX", help="What the table showed before the first draw, if you noted it.")
    ] = None,
    lang: Lang = "",
) -> None:
    """Check a served game: its seal, its moves by the rules, and every pick from the seeds."""
    kept, out = read(read_file(journal)), console()
    game = find(kept.header.game, kept.header.rules)
    lang = language_of(game, lang)
    over = check(kept, game)
    if not kept.fairness:
        raise JamboreeError("This game was not played at a live table, so nobody promised anything about its luck.")
    try:
        counts = check_luck(kept)
        _check_commitment(kept, commitment)
    except Unfair as error:
        complain(error)
        raise typer.Exit(NOT_PROVEN) from None
    seats, actions = kept.header.seats, len(kept.entries)
    key = "replay.sound" if over else "replay.sound.unfinished"
    say(out, CATALOGUE.say(lang, key, game=game.info.title, seats=seats, actions=actions))
    for part, count in zip(kept.fairness, counts, strict=True):
        _tell(out, kept, part, count, lang)
    for key in ("verify.noted" if commitment else "verify.not-noted", "verify.not-excluded"):
        say(out, CATALOGUE.say(lang, key))


def _check_commitment(journal: Journal, noted: str | None) -> None:
    if noted and noted.strip().lower() != journal.fairness[-1].commitment:
        raise Unfair(f"The server was bound by {journal.fairness[-1].commitment}, which is not what you noted.")


def _tell(out: Console, journal: Journal, part: Fairness, count: int, lang: str) -> None:
    names = journal.header.names
    added = [names[(seat + part.turned) % len(names)] for seat, seed in enumerate(part.seeds) if seed]
    who = ", ".join(added) or CATALOGUE.say(lang, "verify.nobody")
    text = CATALOGUE.say(
        lang, "verify.part", step=part.since, count=count, table=part.table, commitment=part.commitment, who=who
    )
    say(out, text)
