"""`jamboree play --url`: open a live table, sit down at one, come back to it, or watch."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from functools import partial
from getpass import getuser
from typing import Any, NamedTuple

from rich.console import Console

from jamboree.client import Client, Seat
from jamboree.core.errors import JamboreeError
from jamboree.core.words import LANGUAGES, Language
from jamboree.games import find
from jamboree.server.protocol.bodies import LogStep

from ..flags import table_options
from ..language import CATALOGUE, own_language
from ..options import seat_count
from ..playing.arriving import Arrival, Wanted, come_to, levels_of, opened, watched
from ..playing.bridge import Bridge
from ..playing.human import Left
from ..playing.online import Visit
from ..playing.slash_commands import SlashCommands
from ..screen import Screen
from ..show import console, say


class Meant(NamedTuple):
    """What was said on the command line; without a table, one of this game is to be opened."""

    url: str
    table: str | None
    name: str | None
    token: str | None
    game: str | None
    seats: int | None
    bots: str | None
    options: Sequence[Any]


def play_online(meant: Meant, lang: str) -> None:
    """Play at a table, or watch it."""
    language = next((known for known in LANGUAGES if known == (lang or own_language())), None)
    if language is None:
        raise JamboreeError(f"There is no language {lang!r} here; there are: {', '.join(LANGUAGES)}.")
    out, asks = console(), sys.stdin.isatty() and sys.stdout.isatty()
    here = _arrive(meant, asks, lambda: say(out, CATALOGUE.say(language, "live.silent", url=meant.url), "dim"))
    _stay(meant.url, here, language, out, asks)


def _arrive(meant: Meant, asks: bool, complain: Callable[[], None]) -> Arrival:
    url, name, table = meant.url, meant.name, meant.table
    if table is None and meant.game is None:
        raise JamboreeError("Which table? Its code goes with --table; `jamboree play GAME --url …` opens one.")
    if table is None:
        return opened(url, _wanted(meant), name or getuser(), complain)
    if meant.token or not asks:
        return watched(url, table, meant.token, complain)
    return come_to(url, table, name, getuser(), complain)


def _wanted(meant: Meant) -> Wanted:
    """Read which table is to be opened."""
    game = find(meant.game or "")
    count = seat_count(game, meant.seats)
    return Wanted(game, count, table_options(game, meant.options), levels_of(meant.bots, count))


def _stay(url: str, here: Arrival, lang: Language, out: Console, asks: bool) -> None:
    try:
        with Bridge(Seat(url, here.table, here.token, lang)) as bridge, Screen(out, clock=True) as screen:
            if here.link:
                say(out, CATALOGUE.say(lang, "live.opened", table=here.table, url=url, link=here.link))
            commands = SlashCommands(url, bridge.seat, lang)
            past = partial(_log, url, here, lang)
            Visit(bridge, commands, screen, lang, asks, past).run()
    except Left:
        say(out, CATALOGUE.say(lang, "left"))
        _say_way_back(out, url, here, lang)
    except KeyboardInterrupt:
        _say_way_back(out, url, here, lang)
        raise


def _say_way_back(out: Console, url: str, here: Arrival, lang: Language) -> None:
    if here.token:
        key = "live.back" if here.kept else "live.back.token"
        say(out, CATALOGUE.say(lang, key, url=url, table=here.table, token=here.token), "dim")


def _log(url: str, here: Arrival, lang: Language) -> list[LogStep]:
    return asyncio.run(_told(url, here.table, here.token, lang))


async def _told(url: str, table: str, token: str | None, lang: Language) -> list[LogStep]:
    async with Client(url) as client:
        return [step for step in await client.log(table, token, lang) if not step.undone]
