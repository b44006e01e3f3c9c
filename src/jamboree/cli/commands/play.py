"""`jamboree play`: a game in the terminal, against bots or between them."""

import secrets
import sys
from datetime import date
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console

from jamboree import __version__
from jamboree.bots import LEVELS
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.journal import About, Journal, check, read
from jamboree.games import find, keys

from ..files import read_file
from ..flags import given, table_options
from ..language import CATALOGUE, language_of
from ..options import Lang, MaybeGameKey, seat_count
from ..playing.around import begin_shared, go_on_shared
from ..playing.keep import PUBLIC, Keeper, is_shared_and_unfinished, latest
from ..playing.local import LocalGame, begin, branch, go_on
from ..playing.seating import USUAL, bot_names, own_seat, people_names
from ..show import console, say


def play(
    ctx: typer.Context,
    game: MaybeGameKey = None,
    seats: Annotated[int | None, typer.Option(help="How many players.", show_default="3")] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[,NAME…]",
            help="The bots on the other seats: rookie, regular, sharp, star, champion (some games), or module:Class.",
            show_default=USUAL,
            autocompletion=lambda: list(LEVELS),
        ),
    ] = None,
    seat: Annotated[int | None, typer.Option(help="Where you sit, from 1.", show_default="any seat")] = None,
    name: Annotated[str | None, typer.Option(help="What you are called.", show_default="Player and your seat")] = None,
    people: Annotated[
        int | None,
        typer.Option(help="How many share this terminal; --name has their names, with commas.", show_default="1"),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Repeat the luck of an earlier game.")] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Let bots play every seat.")] = False,
    journal: Annotated[
        Path | None, typer.Option(help="Keep the game in this file.", show_default="a file in your data folder")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with your last game, or with the one in --journal.")
    ] = False,
    step: Annotated[
        int | None,
        typer.Option(min=0, help="Try the game in --journal again after this many actions, as a game of its own."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the journal's file.")] = False,
    url: Annotated[
        str | None, typer.Option(help="Open a table of GAME at this server, or play at the one of --table.")
    ] = None,
    table_code: Annotated[str | None, typer.Option("--table", metavar="CODE", help="Which table, with --url.")] = None,
    token: Annotated[str | None, typer.Option(help="Come back to your seat, with --url.")] = None,
    lang: Lang = "",
) -> None:
    """Play a game in the terminal, against bots or at a live table.

    Each game has flags of its own: `jamboree play GAME --help` shows them.
    """
    if url:
        from .online import Meant, play_online

        play_online(Meant(url, table_code, name, token, game, seats, bots, given(ctx)), lang)
        return
    if table_code or token:
        raise JamboreeError("--table and --token need --url: the address of the server.")
    if step is not None:
        if any(each is not None for each in (game, seats, name, people, seed, *given(ctx))) or auto or resume or force:
            raise JamboreeError("--step goes with --journal, and if you like with --seat, --bots and --lang.")
        _try_again(journal, step, seat, bots, lang)
        return
    if resume:
        if any(each is not None for each in (seats, bots, seat, name, people, seed, *given(ctx))) or auto:
            raise JamboreeError("--resume goes on with a game as it is; only GAME, --journal and --lang go with it.")
        _go_on(journal, game, lang)
        return
    if game is None:
        raise JamboreeError(f"Which game? There are: {', '.join(keys())}.")
    rules = find(game)
    lang = language_of(rules, lang)
    luck = secrets.randbits(32) if seed is None else seed
    asked = Asked(rules, table_options(rules, given(ctx)), seats, seat, name, bots, luck, auto)
    begun = _alone(asked, lang, console()) if people is None else _shared(asked, people, lang, console())
    if begun:
        begun.keep(Keeper(journal, force) if journal else None)  # no place is taken for a game that can't be played
        begun.play()


class Asked(NamedTuple):
    """What was asked for a game at this terminal."""

    game: AnyGame
    options: Any
    seats: int | None
    seat: int | None
    name: str | None
    bots: str | None
    luck: int
    auto: bool


def _alone(asked: Asked, lang: str, out: Console) -> LocalGame:
    """Begin a game of one person against bots, or of bots alone."""
    count = seat_count(asked.game, asked.seats)
    chosen = own_seat(asked.seat, count, asked.luck)
    if asked.auto and (asked.seat is not None or asked.name is not None):
        raise JamboreeError("With --auto bots play every seat, so --seat and --name have no meaning.")
    mine = None if asked.auto or not _can_ask(out, lang) else chosen
    bots = bot_names(asked.game, asked.bots, count - (mine is not None))
    about = About(__version__, today(), seat=mine, bots=bots, language="" if mine is None else lang)
    return begin(asked.game, count, asked.options, asked.luck, about, asked.name, lang, out)


def _shared(asked: Asked, people: int, lang: str, out: Console) -> LocalGame | None:
    """Begin a game of several people who pass the terminal on."""
    if asked.auto or asked.seat is not None:
        raise JamboreeError("People at one terminal have the first seats, so --auto and --seat have no meaning.")
    fewest, most = asked.game.info.seats
    if not 2 <= people <= most:
        raise JamboreeError(f"Between 2 and {most} people can share a terminal here.")
    count = seat_count(asked.game, max(people, fewest) if asked.seats is None else asked.seats)
    if count < people:
        raise JamboreeError(f"A table of {count} has no room for {people} people.")
    if not _can_ask(out, lang):
        return None
    names = people_names(people, asked.name, lang)
    bots = bot_names(asked.game, asked.bots, count - people)
    about = About(__version__, today(), bots=bots, people=people, language=lang)
    return begin_shared(asked.game, count, asked.options, asked.luck, about, names, lang, out)


def _go_on(path: Path | None, key: str | None, lang: str) -> None:
    """Go on with a game: the one in a file, or the last that is not over."""
    found, out = path or latest(key), console()
    journal, game = _kept_in(found)
    about = journal.about or About()
    lang = language_of(game, lang or about.language)
    resume = go_on_shared if about.people else go_on
    resumed = resume(game, journal, secrets.randbits(32), today(), lang, out)
    resumed.keep(Keeper(found, force=True, mode=found.stat().st_mode & PUBLIC))
    resumed.say("resumed", path=found, steps=len(journal.entries))
    resumed.play()


def _try_again(path: Path | None, step: int, seat: int | None, bots: str | None, lang: str) -> None:
    """Take a game up again after a step; the file it is in stays as it is."""
    if path is None:
        raise JamboreeError("Which game? --step needs --journal and the file it is in.")
    journal, game = _kept_in(path)
    about, header = journal.about or About(), journal.header
    lang = language_of(game, lang or about.language)
    if is_shared_and_unfinished(journal):
        raise JamboreeError(CATALOGUE.say(lang, "around.unfinished"))
    mine = about.seat or 0 if seat is None else own_seat(seat, header.seats, 0)
    others = about.bots if bots is None and mine == about.seat else bot_names(game, bots, header.seats - 1)
    now = About(__version__, today(), seat=mine, bots=others, language=lang)
    branched = branch(game, journal, step, now, secrets.randbits(32), lang, console())
    branched.keep(None)
    branched.say("tried-again", name=header.names[mine], steps=step)
    branched.play()


def _kept_in(path: Path) -> tuple[Journal, AnyGame]:
    """Read a game that a person is to go on with."""
    journal = read(read_file(path))
    game = find(journal.header.game, journal.header.rules)
    check(journal, game)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise JamboreeError("There is no terminal to ask you in.")
    return journal, game


def _can_ask(out: Console, lang: str) -> bool:
    """Tell whether there is a terminal to ask a person in; if not, say so."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return True
    say(out, CATALOGUE.say(lang, "no-terminal"))
    return False


def today() -> str:
    return date.today().isoformat()
