"""A game within this program: one person against bots, or bots alone."""

import random
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from rich.console import Console

from jamboree import __version__
from jamboree.bots import character
from jamboree.bots.search import is_ready, is_searchable
from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, JamboreeError, Stalled
from jamboree.core.game import AnyGame, Eye, Viewer
from jamboree.core.journal import About, Journal
from jamboree.core.play import Match, Player
from jamboree.core.play import play as play_on
from jamboree.core.undo import Undo, last_move
from jamboree.core.words import join_words
from jamboree.fast.cache import quiet

from ..language import CATALOGUE
from ..output import print_text, show_board
from ..screen import Screen
from .human import Human, MoveTakenBack, PlayerLeft
from .journal_file import JournalFile, new_journal_file, replay_command, resume_command
from .narration import Narrator, show_result, suggest_next
from .seating import DEFAULT_LEVEL, WarmingUpBot, label, make_bots, own_name, warm_up
from .timed import TimedMatch


class LocalGame:
    """A match and its players; without a person at a seat, the user watches bots and sees everything."""

    def __init__(self, match: Match, about: About, luck: int, lang: str, out: Console) -> None:
        self.match = match
        self.game = match.game
        self.about = about
        self.luck = luck
        self.lang, self.out = lang, out
        self.screen = Screen(out, clock=about.seat is not None and self.game.timer(match.state) is not None)
        self.announced_compiling = self.announced_ready = False
        self.journal: JournalFile | None = None
        self.resumed = False  # if so, no seed repeats the game
        self.human: Human | None = None

    def save_to(self, file: JournalFile | None) -> None:
        """Save the game after every action, by default in the data folder if a person plays."""
        self.journal = file
        if file is None and self.is_played:
            try:
                self.journal = new_journal_file(self.game.info.key)
            except JamboreeError as error:
                self.print_message("not-kept", reason=error)

    @property
    def is_played(self) -> bool:
        """Whether a person plays, not only bots."""
        return self.about.seat is not None or self.about.people > 0

    def play(self) -> None:
        for remark in self.game.words.remarks(self._options(), self.lang):
            print_text(self.out, remark)
        bots = make_bots(self.game, self.about.bots, self.luck, wait=self.about.seat is None)
        if self.about.seat is None:
            return self.run(bots, Eye.ALL)
        try:
            with self.screen, quiet():
                self.human = self._person(self.about.seat)
                warm_up(bots)
                return self.run(insert_at_seat(bots, self.about.seat, self.human), self.about.seat)
        except PlayerLeft:
            self._say_left()
        except KeyboardInterrupt:
            self._say_left()
            raise
        return None

    def _options(self) -> Any:
        return msgspec.convert(self.match.journal().header.options, self.game.info.options)

    def _person(self, seat: int) -> Human:
        path = self.journal.shown if self.journal else None
        human = Human(self.game, seat, self.match.names, self.lang, self.out, path)
        match, game = self.match, self.game
        human.read = self.screen.read
        human.may_wait = lambda: len(game.to_act(match.state)) > 1
        human.refresh = lambda: (game.view(match.state, seat), game.legal(match.state, seat))
        human.take_back = self.take_back

        def notice_move(actor: Any, *_: Any) -> None:
            human.moved = actor == seat

        match.listeners.append(notice_move)
        others = ", ".join(name for other, name in enumerate(match.names) if other != seat)
        self.print_message("welcome", game=game.info.title, number=seat + 1, count=len(match.names), others=others)
        return human

    def take_back(self) -> str | None:
        """Take the person's last move back, without asking bots; return a refusal if that is impossible."""
        assert self.human is not None
        if not self.game.info.undo:
            return CATALOGUE.say(self.lang, "undo.never", game=self.game.info.title)
        last = last_move(self.match.journal(), self.game, self.human.seat)
        if last is None:
            return CATALOGUE.say(self.lang, "undo.nothing")
        step, undo = last
        if undo is Undo.NEVER:
            return CATALOGUE.say(self.lang, "undo.shown")
        self.match.take_back(self.human.seat, step)
        self._save()
        self.print_message("undo.done")
        return None

    def run(self, players: list[Player], viewer: Viewer) -> None:
        """Play to the end, saving the journal after every action, and show the result."""
        if self.journal:
            self._save()
            self.match.listeners.append(lambda *_: self._save())
        narrator = self.narrator(viewer)
        self.match.listeners += [partial(self._announce_compiling, players), narrator]
        self.match.hearers.append(narrator.hear)
        rng = random.Random(self.luck)
        if isinstance(viewer, int) and self.game.timer(self.match.state):
            TimedMatch(self.match, players, rng, self.screen).run()
        else:
            self.play_out(players, rng)
        self.finish(viewer)

    def _announce_compiling(self, players: Sequence[Player], *_: Any) -> None:
        """Announce once that bots can't search yet, and once that they can."""
        key, pairs = self.game.info.key, zip(self.match.names, players, strict=True)
        names = [name for name, player in pairs if isinstance(player, WarmingUpBot)]
        params: dict[str, Any] = {
            "names": join_words(names, self.lang),
            "count": len(names),
            "like": character(DEFAULT_LEVEL, self.lang).level,
        }
        if not self.announced_compiling and any(
            isinstance(player, WarmingUpBot) and player.played_without_search for player in players
        ):
            self.announced_compiling = True
            if is_searchable(key):
                self.print_message("bots.unready", **params)
        if self.announced_compiling and not self.announced_ready and (is_ready(key) or not is_searchable(key)):
            self.announced_ready = True
            self.print_message("bots.ready" if is_searchable(key) else "bots.unable", **params)

    def narrator(self, viewer: Viewer) -> Narrator:
        return Narrator(self.game, viewer, self.match.names, self.lang, self.out)

    def _save(self) -> None:
        if self.journal:
            self.journal.save(self.match.journal())

    def play_out(self, players: list[Player], rng: random.Random) -> None:
        """Play to the end; when everybody waits, the person is asked without the choice to wait."""
        human, match = self.human, self.match
        if human:
            human.patient = True
        while self.game.to_act(match.state):
            try:
                play_on(match, players, rng)
            except MoveTakenBack:
                continue
            except Stalled:
                if human is None:
                    raise
                self._end_stall(human)

    def _end_stall(self, human: Human) -> None:
        human.waits_through, human.patient = None, False
        self.print_message("all-wait")
        with suppress(MoveTakenBack):
            self.match.act(human.seat, human.choose_without_waiting())
        human.patient = True

    def finish(self, viewer: Viewer) -> None:
        match = self.match
        view, outcome = self.game.view(match.state, viewer), self.game.outcome(match.state)
        show_board(self.out, self.game, view, match.names, self.lang)
        if outcome:
            show_result(self.out, self.game, view, outcome, match.names, self.lang, self.about.seat)
        if outcome and self.about.seat is not None:
            suggest_next(self.out, self.game, self.about.seat in outcome.winners, self.about.bots, self.lang)
        self._print_seed()
        if self.journal:
            self.print_message("kept", path=self.journal.shown, command=replay_command(self.journal.shown))

    def _print_seed(self) -> None:
        """Print the seed, if it repeats the game's randomness."""
        undone = any(entry.undo is not None for entry in self.match.journal().entries)
        if not (self.resumed or undone):
            self.print_message("luck", seed=self.luck)
        elif self.journal:
            self.print_message("luck.resumed" if self.resumed else "luck.undone")

    def _say_left(self) -> None:
        if self.journal:
            self.print_message("left.kept", path=self.journal.shown, command=resume_command(self.journal.shown))
        else:
            self.print_message("left")

    def print_message(self, key: str, **params: object) -> None:
        print_text(self.out, CATALOGUE.say(self.lang, key, **params))


def begin(
    game: AnyGame, seats: int, options: Any, luck: int, about: About, name: str | None, lang: str, out: Console
) -> LocalGame:
    """Set up a game; an error in the options is in the person's language, if the game has it."""
    names = [label(bot, index, lang) for index, bot in enumerate(insert_at_seat(about.bots, about.seat, ""))]
    if about.seat is not None:
        names[about.seat] = own_name(CATALOGUE.say(lang, "player", number=about.seat + 1) if name is None else name)
    try:
        match = Match(game, seats, options, Seeded(luck), names, about)
    except BadOptions as error:
        raise JamboreeError(error.say(lang)) from None
    return LocalGame(match, about, luck, lang, out)


def resume_game(game: AnyGame, journal: Journal, luck: int, day: str, lang: str, out: Console) -> LocalGame:
    """Resume a saved game of one person; what is still to be drawn comes from a new seed."""
    about = resumable(journal, day, lang)
    resumed = LocalGame(Match.resumed(game, journal, Seeded(luck)), about, luck, lang, out)
    resumed.resumed = True
    return resumed


def resumable(journal: Journal, day: str, lang: str) -> About:
    """Check that a game can be resumed, and update its metadata."""
    about = journal.about
    if about is None or (about.seat is None and not about.people):
        raise JamboreeError("No person played this game at a terminal; `jamboree replay` shows it.")
    if about.result is not None:
        raise JamboreeError("This game is over; `jamboree replay` shows it.")
    people = range(about.people) if about.people else (about.seat,)
    if any(seat not in range(journal.header.seats) for seat in people):
        raise JamboreeError("This journal assigns a person to a seat that its table does not have.")
    if len(about.bots) != journal.header.seats - len(people):
        raise JamboreeError("This journal does not name a bot for every other seat.")
    about.program = __version__
    about.date = day
    about.language = lang
    return about


def branch(game: AnyGame, journal: Journal, step: int, about: About, luck: int, lang: str, out: Console) -> LocalGame:
    """Start a new game from a step of another; what is drawn from there on comes from a new seed."""
    if step >= len(journal.entries):
        raise JamboreeError(f"This game ended after step {len(journal.entries)}; name an earlier step.")
    cut = Journal(journal.header, journal.setup, journal.entries[:step], about=about)
    branched = LocalGame(Match.resumed(game, cut, Seeded(luck)), about, luck, lang, out)
    branched.resumed = True
    return branched


def insert_at_seat(others: Sequence[Any], seat: int | None, item: Any) -> list[Any]:
    """Insert an item at a seat among the items of the other seats."""
    return list(others) if seat is None else [*others[:seat], item, *others[seat:]]
