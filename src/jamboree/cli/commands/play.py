"""`jamboree play`: a game in the terminal, against bots or between them."""

import random
import secrets
import sys
from collections.abc import Callable, Sequence
from datetime import date
from getpass import getuser
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console

from jamboree import __version__
from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, JamboreeError, Stalled
from jamboree.core.game import AnyGame, Eye, Viewer
from jamboree.core.journal import About
from jamboree.core.play import Match, Player
from jamboree.core.play import play as play_on
from jamboree.core.words import LANGUAGES
from jamboree.games import find, keys

from ..flags import given, table_options
from ..language import CATALOGUE, check_language
from ..options import Lang, MaybeGameKey, seat_count
from ..playing.human import Human, Left
from ..playing.keep import Keeper
from ..playing.live import Live
from ..playing.seating import USUAL, bot_names, label, make_bots, own_name, own_seat
from ..playing.telling import Telling, show_result
from ..show import console, say, show


def play(
    ctx: typer.Context,
    game: MaybeGameKey = None,
    seats: Annotated[int | None, typer.Option(help="How many players.", show_default="3")] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[,NAME…]",
            help="Who plays the other seats: rookie, regular, sharp, star, or module:Class for a bot of your own.",
            show_default=USUAL,
        ),
    ] = None,
    seat: Annotated[int | None, typer.Option(help="Where you sit, from 1.", show_default="any seat")] = None,
    name: Annotated[str | None, typer.Option(help="What you are called.", show_default="Player and your seat")] = None,
    seed: Annotated[int | None, typer.Option(help="Repeat the luck of an earlier game.")] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Let bots play every seat.")] = False,
    journal: Annotated[Path | None, typer.Option(help="Keep the game in this file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the journal's file.")] = False,
    url: Annotated[str | None, typer.Option(help="Play at a live table of this server.")] = None,
    table_code: Annotated[str | None, typer.Option("--table", metavar="CODE", help="Which table, with --url.")] = None,
    token: Annotated[str | None, typer.Option(help="Come back to your seat, with --url.")] = None,
    lang: Lang = "en",
) -> None:
    """Play a game in the terminal, against bots or at a live table.

    Each game has flags of its own: `jamboree play GAME --help` shows them.
    """
    if url:
        _play_online(url, table_code, name, token, lang)
        return
    if table_code or token:
        raise JamboreeError("--table and --token need --url: the address of the server.")
    if game is None:
        raise JamboreeError(f"Which game? There are: {', '.join(keys())}.")
    rules, out = find(game), console()
    check_language(rules, lang)
    count, luck = seat_count(rules, seats), secrets.randbits(32) if seed is None else seed
    chosen = own_seat(seat, count, luck)
    if auto and (seat is not None or name is not None):
        raise JamboreeError("With --auto bots play every seat, so --seat and --name have no meaning.")
    mine = None if auto or not _can_ask(out, lang) else chosen
    table = Table(rules, count, table_options(rules, given(ctx)), luck, lang, out)
    table.play(bots, mine, name, lambda: Keeper(journal, force) if journal else None)


def _play_online(url: str, table: str | None, name: str | None, token: str | None, lang: str) -> None:
    from ..playing.online import play_online

    language = next((known for known in LANGUAGES if known == lang), None)
    if language is None:
        raise JamboreeError(f"There is no language {lang!r} here; there are: {', '.join(LANGUAGES)}.")
    if table is None:
        raise JamboreeError("Which table? Its code goes with --table.")
    play_online(url, table, name or getuser(), token, language)


class Table(NamedTuple):
    """A game that is about to be played here."""

    game: AnyGame
    seats: int
    options: Any
    luck: int
    lang: str
    out: Console

    def play(self, bots: str | None, mine: int | None, name: str | None, keep: Callable[[], Keeper | None]) -> None:
        named = bot_names(self.game, bots, self.seats - (mine is not None))
        names = [label(bot, at, self.lang) for at, bot in enumerate(_around(named, mine, ""))]
        if mine is not None:
            names[mine] = own_name(CATALOGUE.say(self.lang, "player", number=mine + 1) if name is None else name)
        match, keeper = self.set_up(names), keep()  # no place is taken for a game that can't be played
        players = make_bots(self.game, named, self.luck)
        for remark in self.game.words.remarks(self.options, self.lang):
            say(self.out, remark)
        if mine is None:
            self.run(match, players, keeper, Eye.ALL)
        else:
            kept = keeper.shown if keeper else None
            human = Human(self.game, mine, names, self.lang, self.out, kept)
            self.with_human(match, _around(players, mine, human), keeper, human)

    def set_up(self, names: Sequence[str]) -> Match:
        """Set the game up; what is wrong with the options is said in the person's language, if the game can."""
        try:
            about = About(__version__, date.today().isoformat())
            return Match(self.game, self.seats, self.options, Seeded(self.luck), names, about)
        except BadOptions as error:
            raise JamboreeError(error.say(self.lang)) from None

    def with_human(self, match: Match, players: list[Player], keeper: Keeper | None, human: Human) -> None:
        others = ", ".join(name for seat, name in enumerate(match.names) if seat != human.seat)
        self.say("welcome", game=self.game.info.title, number=human.seat + 1, count=self.seats, others=others)
        human.may_wait = lambda: len(self.game.to_act(match.state)) > 1
        human.look_again = lambda: (
            self.game.view(match.state, human.seat),
            self.game.legal(match.state, human.seat),
        )

        def note(actor: Any, *_: Any) -> None:
            human.moved = actor == human.seat

        match.listeners.append(note)
        try:
            self.run(match, players, keeper, human.seat)
        except Left:
            self.say("left.kept" if keeper else "left", path=keeper and keeper.shown)

    def run(self, match: Match, players: list[Player], keeper: Keeper | None, viewer: Viewer) -> None:
        """Play to the end, keep the journal after every action, and show how it ended."""
        if keeper:
            keeper.keep(match.journal())
            match.listeners.append(lambda *_: keeper.keep(match.journal()))
        match.listeners.append(Telling(self.game, viewer, match.names, self.lang, self.out))
        rng = random.Random(self.luck)
        if isinstance(viewer, int) and self.game.timer(match.state):
            Live(match, players, rng, self.out).run()
        else:
            self.play_out(match, players, rng)
        self.finish(match, viewer)
        if keeper:
            self.say("kept", path=keeper.shown)

    def play_out(self, match: Match, players: list[Player], rng: random.Random) -> None:
        """Play to the end; when everybody waits, the person is asked until there is an answer."""
        human = next((player for player in players if isinstance(player, Human)), None)
        if human:
            human.patient = True
        while self.game.to_act(match.state):
            try:
                play_on(match, players, rng)
            except Stalled:
                if human is None:
                    raise
                human.held, human.patient = None, False
                self.say("all-wait")
                match.act(human.seat, human.insist())
                human.patient = True

    def finish(self, match: Match, viewer: Viewer) -> None:
        view, outcome = self.game.view(match.state, viewer), self.game.outcome(match.state)
        self.out.print()
        show(self.out, self.game.words.paint(view, match.names, self.lang))
        if outcome:
            show_result(self.out, self.game, view, outcome, match.names, self.lang)
        self.say("luck", seed=self.luck)

    def say(self, key: str, **params: object) -> None:
        say(self.out, CATALOGUE.say(self.lang, key, **params))


def _can_ask(out: Console, lang: str) -> bool:
    """Tell whether there is a terminal to ask a person in; if not, say so."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return True
    say(out, CATALOGUE.say(lang, "no-terminal"))
    return False


def _around(others: list[Any], seat: int | None, own: Any) -> list[Any]:
    """Put one item among those of the other seats."""
    return others if seat is None else [*others[:seat], own, *others[seat:]]
