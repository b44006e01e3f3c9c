"""`jamboree play`: a game in the terminal, against bots or between them."""

import random
import secrets
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, Eye, Viewer
from jamboree.core.play import Match, Player
from jamboree.core.play import play as play_out
from jamboree.games import find

from .human import Human, Left
from .keep import Keeper
from .options import GameKey, Lang, seat_count, table_options
from .seating import bot_names, label, make_bots, own_name, own_seat
from .show import console, say, show
from .speech import CATALOGUE, check_language
from .story import Story, show_result


def play(
    game: GameKey,
    seats: Annotated[int | None, typer.Option(help="How many players.", show_default="3")] = None,
    bots: Annotated[str | None, typer.Option(metavar="NAME[,NAME…]", help="Who plays the other seats.")] = None,
    board: Annotated[str | None, typer.Option(metavar="NAME|FILE", help="The board, where a game has several.")] = None,
    star: Annotated[bool, typer.Option("--star", help="Play with the star module.")] = False,
    hidden: Annotated[bool, typer.Option("--hidden", help="Keep hands hidden with any number of players.")] = False,
    seat: Annotated[int | None, typer.Option(help="Where you sit, from 1.", show_default="any seat")] = None,
    name: Annotated[str | None, typer.Option(help="What you are called.", show_default="You")] = None,
    seed: Annotated[int | None, typer.Option(help="Repeat the luck of an earlier game.")] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Let bots play every seat.")] = False,
    journal: Annotated[Path | None, typer.Option(help="Keep the game in this file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the journal's file.")] = False,
    lang: Lang = "en",
) -> None:
    """Play a game in the terminal."""
    rules, out = find(game), console()
    check_language(rules, lang)
    options = table_options(rules, {"--board": board, "--star": star, "--hidden": hidden})
    count, luck = seat_count(rules, seats), secrets.randbits(32) if seed is None else seed
    mine = None if auto or not _can_ask(out, lang) else own_seat(seat, count, luck)
    named = bot_names(rules, bots, count - (mine is not None))
    names = [label(bot, at) for at, bot in enumerate(_around(named, mine, ""))]
    if mine is not None:
        names[mine] = own_name(CATALOGUE.say(lang, "you") if name is None else name)
    match = Match(rules, count, options, Seeded(luck), names)
    keeper = Keeper(journal, force) if journal else None
    players = make_bots(rules, named, luck)
    if mine is None:
        _run(match, players, keeper, Eye.ALL, lang, out, luck)
    else:
        human = Human(rules, mine, names, lang, out, journal)
        _with_human(match, _around(players, mine, human), keeper, human, luck)


def _can_ask(out: Console, lang: str) -> bool:
    """Tell whether there is a terminal to ask a person in; if not, say so."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return True
    say(out, CATALOGUE.say(lang, "no-terminal"))
    return False


def _around(others: list[Any], seat: int | None, own: Any) -> list[Any]:
    """Put one item among those of the other seats."""
    return others if seat is None else [*others[:seat], own, *others[seat:]]


def _with_human(match: Match, players: list[Player], keeper: Keeper | None, human: Human, luck: int) -> None:
    against = ", ".join(name for seat, name in enumerate(match.names) if seat != human.seat)
    welcome = CATALOGUE.say(
        human.lang, "welcome", game=match.game.info.title, number=human.seat + 1, count=len(match.names), others=against
    )
    say(human.out, welcome)

    def note(actor: Any, *_: Any) -> None:
        human.moved = actor == human.seat

    match.listeners.append(note)
    try:
        _run(match, players, keeper, human.seat, human.lang, human.out, luck)
    except Left:
        key = "left.kept" if keeper else "left"
        say(human.out, CATALOGUE.say(human.lang, key, path=keeper and keeper.shown))


def _run(
    match: Match, players: list[Player], keeper: Keeper | None, viewer: Viewer, lang: str, out: Console, luck: int
) -> None:
    """Play to the end, keep the journal after every action, and show how it ended."""
    if keeper:
        keeper.keep(match.journal())
        match.listeners.append(lambda *_: keeper.keep(match.journal()))
    match.listeners.append(Story(match.game, viewer, match.names, lang, out))
    play_out(match, players, random.Random(luck))
    _finish(match.game, match, viewer, lang, out)
    if keeper:
        say(out, CATALOGUE.say(lang, "kept", path=keeper.shown))


def _finish(game: AnyGame, match: Match, viewer: Viewer, lang: str, out: Console) -> None:
    view, outcome = game.view(match.state, viewer), game.outcome(match.state)
    out.print()
    show(out, game.words.paint(view, match.names, lang))
    if outcome:
        show_result(out, game, view, outcome, match.names, lang)
