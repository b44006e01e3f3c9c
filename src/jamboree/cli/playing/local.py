"""A game in this program: a person among bots, or bots alone."""

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
from ..screen import Screen
from ..show import say, show_board
from .human import Human, Left, TakenBack
from .keep import Keeper, own_place, replay_command, resume_command
from .live import Live
from .seating import USUAL, WarmingUp, get_going, label, make_bots, own_name
from .telling import Telling, show_result, suggest_next


class LocalGame:
    """A match with those who play it. Whose seat is None watches bots, and sees everything."""

    def __init__(self, match: Match, about: About, luck: int, lang: str, out: Console) -> None:
        self.match, self.game, self.about, self.luck = match, match.game, about, luck
        self.lang, self.out = lang, out
        self.screen = Screen(out, clock=about.seat is not None and self.game.timer(match.state) is not None)
        self.unready = self.ready = False  # whether it was said that bots can't search yet, and what became of it
        self.keeper: Keeper | None = None
        self.resumed = False  # then luck was drawn anew
        self.human: Human | None = None

    def keep(self, named: Keeper | None) -> None:
        """Keep the game from now on: where the person said, else in the person's own folder if somebody plays."""
        self.keeper = named
        if named is None and self.is_played:
            try:
                self.keeper = own_place(self.game.info.key)
            except JamboreeError as error:
                self.say("not-kept", reason=error)

    @property
    def is_played(self) -> bool:
        """Whether a person plays, not only bots."""
        return self.about.seat is not None or self.about.people > 0

    def play(self) -> None:
        for remark in self.game.words.remarks(self._options(), self.lang):
            say(self.out, remark)
        bots = make_bots(self.game, self.about.bots, self.luck, wait=self.about.seat is None)
        if self.about.seat is None:
            return self.run(bots, Eye.ALL)
        try:
            with self.screen, quiet():
                self.human = self._person(self.about.seat)
                get_going(bots)
                return self.run(around(bots, self.about.seat, self.human), self.about.seat)
        except Left:
            self._say_left()
        except KeyboardInterrupt:
            self._say_left()
            raise
        return None

    def _options(self) -> Any:
        return msgspec.convert(self.match.journal().header.options, self.game.info.options)

    def _person(self, seat: int) -> Human:
        kept = self.keeper.shown if self.keeper else None
        human = Human(self.game, seat, self.match.names, self.lang, self.out, kept)
        match, game = self.match, self.game
        human.read = self.screen.read
        human.may_wait = lambda: len(game.to_act(match.state)) > 1
        human.look_again = lambda: (game.view(match.state, seat), game.legal(match.state, seat))
        human.take_back = self.take_back

        def note(actor: Any, *_: Any) -> None:
            human.moved = actor == seat

        match.listeners.append(note)
        others = ", ".join(name for at, name in enumerate(match.names) if at != seat)
        self.say("welcome", game=game.info.title, number=seat + 1, count=len(match.names), others=others)
        return human

    def take_back(self) -> str | None:
        """Take the person's last move back, or say why not; bots never mind."""
        assert self.human is not None
        if not self.game.info.undo:
            return CATALOGUE.say(self.lang, "undo.never", game=self.game.info.title)
        found = last_move(self.match.journal(), self.game, self.human.seat)
        if found is None:
            return CATALOGUE.say(self.lang, "undo.nothing")
        step, undo = found
        if undo is Undo.NEVER:
            return CATALOGUE.say(self.lang, "undo.shown")
        self.match.take_back(self.human.seat, step)
        self._write()
        self.say("undo.done")
        return None

    def run(self, players: list[Player], viewer: Viewer) -> None:
        """Play to the end, keep the journal after every action, and show how it ended."""
        if self.keeper:
            self._write()
            self.match.listeners.append(lambda *_: self._write())
        self.match.listeners += [partial(self._say_unready, players), self.tells(viewer)]
        rng = random.Random(self.luck)
        if isinstance(viewer, int) and self.game.timer(self.match.state):
            Live(self.match, players, rng, self.screen).run()
        else:
            self.play_out(players, rng)
        self.finish(viewer)

    def _say_unready(self, players: Sequence[Player], *_: Any) -> None:
        """Say once that bots can't search yet, and once that they can."""
        searching = [name for name, each in zip(self.match.names, players, strict=True) if isinstance(each, WarmingUp)]
        named: dict[str, Any] = {"names": join_words(searching, self.lang), "count": len(searching)}
        key, like = self.game.info.key, character(USUAL, self.lang).level
        if not self.unready and any(isinstance(each, WarmingUp) and each.plays_without for each in players):
            self.unready = True
            if is_searchable(key):
                self.say("bots.unready", like=like, **named)
        if self.unready and not self.ready and (is_ready(key) or not is_searchable(key)):
            self.ready = True
            self.say("bots.ready" if is_searchable(key) else "bots.unable", like=like, **named)

    def tells(self, viewer: Viewer) -> Telling:
        return Telling(self.game, viewer, self.match.names, self.lang, self.out)

    def _write(self) -> None:
        if self.keeper:
            self.keeper.keep(self.match.journal())

    def play_out(self, players: list[Player], rng: random.Random) -> None:
        """Play to the end; when everybody waits, the person is asked until there is an answer."""
        human, match = self.human, self.match
        if human:
            human.patient = True
        while self.game.to_act(match.state):
            try:
                play_on(match, players, rng)
            except TakenBack:
                continue
            except Stalled:
                if human is None:
                    raise
                self._insist(human)

    def _insist(self, human: Human) -> None:
        human.held, human.patient = None, False
        self.say("all-wait")
        with suppress(TakenBack):
            self.match.act(human.seat, human.insist())
        human.patient = True

    def finish(self, viewer: Viewer) -> None:
        match = self.match
        view, outcome = self.game.view(match.state, viewer), self.game.outcome(match.state)
        show_board(self.out, self.game, view, match.names, self.lang)
        if outcome:
            show_result(self.out, self.game, view, outcome, match.names, self.lang, self.about.seat)
        if outcome and self.about.seat is not None:
            suggest_next(self.out, self.game, self.about.seat in outcome.winners, self.about.bots, self.lang)
        self._say_luck()
        if self.keeper:
            self.say("kept", path=self.keeper.shown, command=replay_command(self.keeper.shown))

    def _say_luck(self) -> None:
        """Name the seed, if the same luck would follow from it again."""
        undone = any(entry.undo is not None for entry in self.match.journal().entries)
        if not (self.resumed or undone):
            self.say("luck", seed=self.luck)
        elif self.keeper:
            self.say("luck.resumed" if self.resumed else "luck.undone")

    def _say_left(self) -> None:
        if self.keeper:
            self.say("left.kept", path=self.keeper.shown, command=resume_command(self.keeper.shown))
        else:
            self.say("left")

    def say(self, key: str, **params: object) -> None:
        say(self.out, CATALOGUE.say(self.lang, key, **params))


def begin(
    game: AnyGame, seats: int, options: Any, luck: int, about: About, name: str | None, lang: str, out: Console
) -> LocalGame:
    """Set a game up; what is wrong with the options is said in the person's language, if the game can."""
    names = [label(bot, at, lang) for at, bot in enumerate(around(about.bots, about.seat, ""))]
    if about.seat is not None:
        names[about.seat] = own_name(CATALOGUE.say(lang, "player", number=about.seat + 1) if name is None else name)
    try:
        match = Match(game, seats, options, Seeded(luck), names, about)
    except BadOptions as error:
        raise JamboreeError(error.say(lang)) from None
    return LocalGame(match, about, luck, lang, out)


def go_on(game: AnyGame, journal: Journal, luck: int, day: str, lang: str, out: Console) -> LocalGame:
    """Go on with a game of one person that was kept; what is still to be drawn comes from other luck."""
    about = gone_on(journal, day, lang)
    resumed = LocalGame(Match.resumed(game, journal, Seeded(luck)), about, luck, lang, out)
    resumed.resumed = True
    return resumed


def gone_on(journal: Journal, day: str, lang: str) -> About:
    """Note in a journal that its game goes on; refuse a game with which nobody can."""
    about = journal.about
    if about is None or (about.seat is None and not about.people):
        raise JamboreeError("Nobody sat at a terminal in this game; `jamboree replay` shows it.")
    if about.result is not None:
        raise JamboreeError("This game is over; `jamboree replay` shows it.")
    sitting = range(about.people) if about.people else (about.seat,)
    if any(seat not in range(journal.header.seats) for seat in sitting):
        raise JamboreeError("This journal names a seat for a person that its table does not have.")
    if len(about.bots) != journal.header.seats - len(sitting):
        raise JamboreeError("This journal does not name a bot for every other seat.")
    about.program, about.date, about.language = __version__, day, lang
    return about


def branch(game: AnyGame, journal: Journal, step: int, about: About, luck: int, lang: str, out: Console) -> LocalGame:
    """Take a game up after a step, as another game; what is drawn from there on comes from other luck."""
    if step >= len(journal.entries):
        raise JamboreeError(f"This game ended after step {len(journal.entries)}; name an earlier one.")
    cut = Journal(journal.header, journal.setup, journal.entries[:step], about=about)
    branched = LocalGame(Match.resumed(game, cut, Seeded(luck)), about, luck, lang, out)
    branched.resumed = True
    return branched


def around(others: Sequence[Any], seat: int | None, own: Any) -> list[Any]:
    """Put one item among those of the other seats."""
    return list(others) if seat is None else [*others[:seat], own, *others[seat:]]
