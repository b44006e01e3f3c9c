"""`jamboree play --url`: opens a live table, joins one, comes back to a seat, or watches."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from getpass import getuser
from typing import Any, NamedTuple, TypeVar

import msgspec
from rich.console import Console

from jamboree.bots import LEVELS, Level
from jamboree.client import Client, Declined, TableConnection
from jamboree.core.errors import JamboreeError
from jamboree.core.words import LANGUAGES, Language
from jamboree.games import find
from jamboree.server.protocol.bodies import LogStep

from ..game_flags import table_options
from ..language import CATALOGUE, system_language
from ..options import seat_count
from ..output import console, print_text
from ..playing.connection_thread import ConnectionThread
from ..playing.human import PlayerLeft
from ..playing.online import OFFLINE_NOTICE, OnlineSession
from ..playing.saved_seats import SavedSeat, delete_seat, find_seat, save_seat
from ..playing.slash_commands import SlashCommands
from ..screen import Screen

T = TypeVar("T")
NO_FREE_SEAT = ("started", "full", "locked")  # refusals of `join` after which one can still watch


class OnlineOptions(NamedTuple):
    """The command line; without a table, one of this game is opened."""

    url: str
    table: str | None
    name: str | None
    token: str | None
    game: str | None
    seats: int | None
    bots: str | None
    options: Sequence[Any]


class JoinedTable(NamedTuple):
    """A table and this person's seat at it; a spectator has no token."""

    table: str
    token: str | None
    invitation: str = ""  # a link for others, if the table was just opened
    saved: bool = False  # whether the seat is found again without its token


def play_online(options: OnlineOptions, lang: str) -> None:
    language = next((known for known in LANGUAGES if known == (lang or system_language())), None)
    if language is None:
        raise JamboreeError(f"There is no language {lang!r}; the languages are: {', '.join(LANGUAGES)}.")
    out, interactive = console(), sys.stdin.isatty() and sys.stdout.isatty()

    def report_delay() -> None:
        print_text(out, CATALOGUE.say(language, "live.silent", url=options.url), "dim")

    joined = _call(_open_or_join(options, interactive), report_delay)
    _play(options.url, joined, language, out, interactive)


async def _open_or_join(options: OnlineOptions, interactive: bool) -> JoinedTable:
    if options.table is None and options.game is None:
        raise JamboreeError("Which table? Name one with --table, or open one with `jamboree play GAME --url …`.")
    async with Client(options.url) as client:
        if options.table is None:
            return await _open(client, options)
        if options.token or not interactive:
            return await _watch_or_return(client, options.table, options.token)
        return await _return_or_join(client, options.url, options.table, options.name)


async def _open(client: Client, options: OnlineOptions) -> JoinedTable:
    game, name = find(options.game or ""), options.name or getuser()
    seats = seat_count(game, options.seats)
    chosen, bots = msgspec.to_builtins(table_options(game, options.options)), _bot_levels(options.bots, seats)
    entry = await client.open(game.info.key, seats, name, options=chosen, bots=bots, listed=False)
    return _saved(options.url, JoinedTable(entry.table, entry.token, await client.invitation(entry.table)), name)


def _bot_levels(names: str | None, seats: int) -> dict[int, Level]:
    """Parse `--bots` for a live table: one level for every other seat, or one for each; by default there are none."""
    if names is None:
        return {}
    requested = names.split(",")
    levels = [level for name in requested for level in LEVELS if level == name]
    if len(levels) < len(requested):
        raise JamboreeError(f"At a live table a bot is one of: {', '.join(LEVELS)}.")
    if len(levels) not in (1, seats - 1):
        raise JamboreeError(f"--bots names {len(levels)} bots for {seats - 1} seats; name one, or one for each seat.")
    return dict(enumerate(levels * (seats - 1) if len(levels) == 1 else levels, 1))


async def _watch_or_return(client: Client, table: str, token: str | None) -> JoinedTable:
    """Check that the table exists and accepts the token; without a token one watches."""
    await client.table(table, token)
    return JoinedTable(table, token)


async def _return_or_join(client: Client, url: str, table: str, name: str | None) -> JoinedTable:
    """Return to a saved seat, else join the table, else watch."""
    saved = find_seat(url, table, name)
    if saved:
        try:
            return (await _watch_or_return(client, table, saved.token))._replace(saved=True)
        except Declined as refusal:
            if refusal.code != "wrong-token":
                raise
        delete_seat(saved)
    name = name or getuser()
    try:
        token = (await client.join(table, name)).token
    except Declined as refusal:
        if refusal.code not in NO_FREE_SEAT:
            raise
        return JoinedTable(table, None)
    return _saved(url, JoinedTable(table, token), name)


def _saved(url: str, joined: JoinedTable, name: str) -> JoinedTable:
    return joined._replace(
        saved=bool(joined.token) and save_seat(SavedSeat(url, joined.table, name, joined.token or ""))
    )


def _call(request: Coroutine[Any, Any, T], report_delay: Callable[[], None]) -> T:
    """Run a request; report it if the server takes long to answer."""

    async def run() -> T:
        task = asyncio.create_task(request)
        if not (await asyncio.wait([task], timeout=OFFLINE_NOTICE))[0]:
            report_delay()
        return await task

    return asyncio.run(run())


def _play(url: str, joined: JoinedTable, lang: Language, out: Console, interactive: bool) -> None:
    try:
        connection = TableConnection(url, joined.table, joined.token, lang)
        with ConnectionThread(connection) as thread, Screen(out, clock=True) as screen:
            if joined.invitation:
                print_text(out, CATALOGUE.say(lang, "live.opened", table=joined.table, url=url, link=joined.invitation))
            commands = SlashCommands(url, connection, lang)
            past = partial(_past_steps, url, joined, lang)
            OnlineSession(thread, commands, screen, lang, interactive, past).run()
    except PlayerLeft:
        print_text(out, CATALOGUE.say(lang, "left"))
        _say_how_to_return(out, url, joined, lang)
    except KeyboardInterrupt:
        _say_how_to_return(out, url, joined, lang)
        raise


def _say_how_to_return(out: Console, url: str, joined: JoinedTable, lang: Language) -> None:
    if joined.token:
        key = "live.back" if joined.saved else "live.back.token"
        print_text(out, CATALOGUE.say(lang, key, url=url, table=joined.table, token=joined.token), "dim")


def _past_steps(url: str, joined: JoinedTable, lang: Language) -> list[LogStep]:
    """Fetch the steps so far, without those that were taken back."""

    async def fetch() -> list[LogStep]:
        async with Client(url) as client:
            return [step for step in await client.log(joined.table, joined.token, lang) if not step.undone]

    return asyncio.run(fetch())
