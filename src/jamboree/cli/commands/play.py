"""`jamboree play`: a game in the terminal, against bots, at one terminal together, or at a live table."""

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
from ..game_flags import flag_values, table_options
from ..language import CATALOGUE, game_language
from ..options import Lang, MaybeGameKey, seat_count
from ..output import console, print_text
from ..playing.journal_file import PUBLIC, JournalFile, check_is_over, latest_unfinished
from ..playing.local import LocalGame, begin, branch, resume_game
from ..playing.seating import DEFAULT_LEVEL, bot_names, own_seat, people_names
from ..playing.shared_terminal import begin_shared, resume_shared_game


def play(
    ctx: typer.Context,
    game: MaybeGameKey = None,
    seats: Annotated[int | None, typer.Option(help="The number of players.", show_default="3")] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[,NAME…]",
            help="The bots on the other seats: rookie, regular, sharp, star, champion (some games), or module:Class.",
            show_default=DEFAULT_LEVEL,
            autocompletion=lambda: list(LEVELS),
        ),
    ] = None,
    seat: Annotated[int | None, typer.Option(help="Your seat, from 1.", show_default="random")] = None,
    name: Annotated[str | None, typer.Option(help="Your name.", show_default="Player and your seat")] = None,
    people: Annotated[
        int | None,
        typer.Option(
            help="The number of people at this terminal; --name has their names, separated by commas.", show_default="1"
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of an earlier game, to repeat its randomness.")] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Let bots play every seat.")] = False,
    journal: Annotated[
        Path | None, typer.Option(help="Save the game to this file.", show_default="a file in your data folder")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume your last game, or the one in --journal.")] = False,
    step: Annotated[
        int | None,
        typer.Option(min=0, help="Start a new game from the one in --journal, after this many actions."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing journal.")] = False,
    url: Annotated[str | None, typer.Option(help="Open a table for GAME at this server, or play at --table.")] = None,
    table_code: Annotated[
        str | None, typer.Option("--table", metavar="CODE", help="The table to play at, with --url.")
    ] = None,
    token: Annotated[str | None, typer.Option(help="The token of your seat, with --url.")] = None,
    lang: Lang = "",
) -> None:
    """Play a game in the terminal, against bots or at a live table.

    Each game has its own flags: `jamboree play GAME --help` shows them.
    """
    if url:
        from .play_online import OnlineOptions, play_online

        play_online(OnlineOptions(url, table_code, name, token, game, seats, bots, flag_values(ctx)), lang)
        return
    if table_code or token:
        raise JamboreeError("--table and --token need --url: the address of the server.")
    if step is not None:
        if (
            any(each is not None for each in (game, seats, name, people, seed, *flag_values(ctx)))
            or auto
            or resume
            or force
        ):
            raise JamboreeError("--step needs --journal, and can only be combined with --seat, --bots and --lang.")
        _branch(journal, step, seat, bots, lang)
        return
    if resume:
        if any(each is not None for each in (seats, bots, seat, name, people, seed, *flag_values(ctx))) or auto:
            raise JamboreeError("--resume can only be combined with GAME, --journal and --lang.")
        _resume(journal, game, lang)
        return
    if game is None:
        raise JamboreeError(f"Which game? The games are: {', '.join(keys())}.")
    rules = find(game)
    lang = game_language(rules, lang)
    luck = secrets.randbits(32) if seed is None else seed
    requested = GameRequest(rules, table_options(rules, flag_values(ctx)), seats, seat, name, bots, luck, auto)
    started = _alone(requested, lang, console()) if people is None else _shared(requested, people, lang, console())
    if started:
        started.save_to(JournalFile(journal, force) if journal else None)
        started.play()


class GameRequest(NamedTuple):
    """The command line of a game in this program."""

    game: AnyGame
    options: Any
    seats: int | None
    seat: int | None
    name: str | None
    bots: str | None
    luck: int
    auto: bool


def _alone(request: GameRequest, lang: str, out: Console) -> LocalGame:
    """Start a game of one person against bots, or of bots alone."""
    count = seat_count(request.game, request.seats)
    chosen = own_seat(request.seat, count, request.luck)
    if request.auto and (request.seat is not None or request.name is not None):
        raise JamboreeError("With --auto, bots play every seat, so --seat and --name have no effect.")
    mine = None if request.auto or not _can_ask(out, lang) else chosen
    bots = bot_names(request.game, request.bots, count - (mine is not None))
    about = About(__version__, today(), seat=mine, bots=bots, language="" if mine is None else lang)
    return begin(request.game, count, request.options, request.luck, about, request.name, lang, out)


def _shared(request: GameRequest, people: int, lang: str, out: Console) -> LocalGame | None:
    """Start a game of several people who share the terminal."""
    if request.auto or request.seat is not None:
        raise JamboreeError("People at one terminal have the first seats, so --auto and --seat have no effect.")
    fewest, most = request.game.info.seats
    if not 2 <= people <= most:
        raise JamboreeError(f"Between 2 and {most} people can share a terminal here.")
    count = seat_count(request.game, max(people, fewest) if request.seats is None else request.seats)
    if count < people:
        raise JamboreeError(f"A table of {count} is too small for {people} people.")
    if not _can_ask(out, lang):
        return None
    names = people_names(people, request.name, lang)
    bots = bot_names(request.game, request.bots, count - people)
    about = About(__version__, today(), bots=bots, people=people, language=lang)
    return begin_shared(request.game, count, request.options, request.luck, about, names, lang, out)


def _resume(path: Path | None, key: str | None, lang: str) -> None:
    """Resume the game in a file, or the last unfinished one."""
    file, out = path or latest_unfinished(key), console()
    journal, game, _ = _load(file)
    about = journal.about or About()
    lang = game_language(game, lang or about.language)
    resume = resume_shared_game if about.people else resume_game
    resumed = resume(game, journal, secrets.randbits(32), today(), lang, out)
    resumed.save_to(JournalFile(file, force=True, mode=file.stat().st_mode & PUBLIC))
    resumed.print_message("resumed", path=file, steps=len(journal.entries))
    resumed.play()


def _branch(path: Path | None, step: int, seat: int | None, bots: str | None, lang: str) -> None:
    """Start a new game from a step of a saved one, whose file stays unchanged."""
    if path is None:
        raise JamboreeError("Which game? --step needs --journal FILE.")
    journal, game, over = _load(path)
    about, header = journal.about or About(), journal.header
    lang = game_language(game, lang or about.language)
    check_is_over(journal, over, path, lang)
    mine = about.seat or 0 if seat is None else own_seat(seat, header.seats, 0)
    others = about.bots if bots is None and mine == about.seat else bot_names(game, bots, header.seats - 1)
    now = About(__version__, today(), seat=mine, bots=others, language=lang)
    branched = branch(game, journal, step, now, secrets.randbits(32), lang, console())
    branched.save_to(None)
    branched.print_message("tried-again", name=header.names[mine], steps=step)
    branched.play()


def _load(path: Path) -> tuple[Journal, AnyGame, bool]:
    """Load a game that a person will continue, and whether it is over."""
    journal = read(read_file(path))
    game = find(journal.header.game, journal.header.rules)
    over = check(journal, game)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise JamboreeError("This needs an interactive terminal.")
    return journal, game, over


def _can_ask(out: Console, lang: str) -> bool:
    """Whether there is an interactive terminal; prints a notice if not."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return True
    print_text(out, CATALOGUE.say(lang, "no-terminal"))
    return False


def today() -> str:
    return date.today().isoformat()
