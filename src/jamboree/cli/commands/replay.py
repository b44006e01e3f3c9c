"""`jamboree replay`: look back at a game, or check that its journal is sound."""

import sys
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame, Eye, Outcome, Viewer
from jamboree.core.journal import About, Journal, Step, read, steps
from jamboree.core.journal import check as check_journal
from jamboree.core.words import format_date, join_words, list_counts
from jamboree.games import find

from ..files import read_file
from ..language import CATALOGUE, language_of
from ..options import Lang, MaybeJournal
from ..playing.keep import is_shared_and_unfinished, last_played
from ..playing.pager import Pager
from ..playing.telling import sentences, show_result
from ..screen import Screen
from ..show import Room, board_lines, console, fitted, gains, lines_of, say, show_lines, tell

LEADING = 3  # earlier steps whose sentences are told along with a step
BESIDE = 2  # lines that are taken beside the board: a blank and the prompt
LEAVE, COMMANDS = ("q", "quit", "exit"), ("b", "m")


def replay(
    file: MaybeJournal = None,
    step: Annotated[int | None, typer.Option(min=0, help="Show the game after this many actions.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only say whether the journal is sound.")] = False,
    lang: Lang = "",
) -> None:
    """Look back at a game that was kept."""
    journal, out = read(read_file(file or last_played())), console()
    game = find(journal.header.game, journal.header.rules)
    lang = language_of(game, lang or (journal.about or About()).language)
    over = check_journal(journal, game)
    if check:
        key = "replay.sound" if over else "replay.sound.unfinished"
        seats, actions = journal.header.seats, len(journal.entries)
        say(out, CATALOGUE.say(lang, key, game=game.info.title, seats=seats, actions=actions))
        _say_about(out, journal, lang)
        return
    screen = ReplayScreen(game, journal, lang, out)
    if step is None and sys.stdin.isatty() and sys.stdout.isatty():
        with screen.screen:
            screen.step_through()
    else:
        screen.show(screen.last if step is None else step)


def _say_about(out: Console, journal: Journal, lang: str) -> None:
    """Say when the game was played and how it ended, as far as the journal knows."""
    about = journal.about or About()
    if about.date:
        say(out, CATALOGUE.say(lang, "replay.about", date=format_date(about.date, lang), program=about.program))
    if about.result:
        names, scores = journal.header.names, about.result.scores
        winners = join_words([names[seat] for seat in about.result.winners], lang)
        said = CATALOGUE.say(lang, "replay.result", winners=winners, scores=list_counts(names, scores, lang))
        say(out, said)


class Still(NamedTuple):
    """One moment of a game."""

    sentences: list[str]
    view: Any
    outcome: Outcome | None


class ReplayScreen:
    """A whole game, every step of it at hand."""

    def __init__(self, game: AnyGame, journal: Journal, lang: str, out: Console) -> None:
        self.game, self.lang, self.out = game, lang, out
        self.names, self.gain = journal.header.names, gains(game.words, lang)
        self.reader = journal.about.seat if journal.about else None  # the seat of the person who kept the game
        self.viewer: Viewer = None if is_shared_and_unfinished(journal) else Eye.ALL
        self.screen, self.pager = Screen(out), Pager(out)
        self.stills = [self._still(step) for step in steps(journal, game)]

    @property
    def last(self) -> int:
        return len(self.stills) - 1

    def _still(self, step: Step) -> Still:
        told = sentences(self.game, step.events, self.viewer, self.names, self.lang, self.reader)
        if step.entry and step.entry.undo is not None:
            actor = int(step.entry.actor)
            key = "replay.undo.you" if actor == self.reader else "replay.undo"
            told = [CATALOGUE.say(self.lang, key, name=self.names[actor], number=step.entry.undo)]
        return Still(told, self.game.view(step.state, self.viewer), self.game.outcome(step.state))

    def show(self, number: int) -> None:
        """Show a step: what happened, the board, and how the game ended if it did."""
        if number > self.last:
            raise JamboreeError(f"This game has {self.last} steps, so there is no step {number}.")
        still = self.stills[number]
        with self.out.capture() as ending:
            self._show_below(number, still)
        below = ending.get().count("\n") + BESIDE + sum(lines_of(self.out, f"  {said}") for said in still.sentences)
        board = board_lines(self.out, self.game, still.view, self.names, self.lang, Room(below, below))
        self._tell(number, self.out.height - below - len(board))
        self.out.print()
        show_lines(self.out, board)
        self._show_below(number, still)

    def _tell(self, number: int, room: int) -> None:
        """Tell a step and those before it; where a person looks, only as many as there is room for."""
        earlier = [said for still in self.stills[max(0, number - LEADING) : number] for said in still.sentences]
        while self.out.is_terminal and earlier and sum(lines_of(self.out, f"  {said}") for said in earlier) > room:
            del earlier[0]
        for sentence in [*earlier, *self.stills[number].sentences]:
            tell(self.out, sentence, self.names, self.gain)

    def _show_below(self, number: int, still: Still) -> None:
        if still.outcome:
            show_result(self.out, self.game, still.view, still.outcome, self.names, self.lang, self.reader)
        say(self.out, CATALOGUE.say(self.lang, "replay.step", number=number, last=self.last), "dim")

    def step_through(self) -> None:
        """Let a person walk through the game."""
        if self.viewer is None:
            say(self.out, CATALOGUE.say(self.lang, "replay.shared"))
        number = 0
        self.show(number)
        while (answer := self._ask(number)) not in LEAVE:
            if answer in COMMANDS:
                self._turn(answer, number)
                continue
            wanted = _step(answer, number)
            if wanted is None or not 0 <= wanted <= self.last:
                say(self.out, CATALOGUE.say(self.lang, "replay.help", last=self.last))
                continue
            number = wanted
            self.show(number)

    def _turn(self, command: str, number: int) -> None:
        """Show the whole board, or more of it."""
        if command == "b":
            self.pager.begin(1)
            self.pager.show(fitted(self.out, self.game.words.paint(self.stills[number].view, self.names, self.lang)))
        elif self.pager.waiting:
            self.pager.turn()
        else:
            say(self.out, CATALOGUE.say(self.lang, "menu.all"))

    def _ask(self, number: int) -> str:
        waiting = self.pager.waiting
        more = CATALOGUE.say(self.lang, "menu.more", count=waiting) + " " if waiting else ""
        asked = CATALOGUE.say(self.lang, "replay.prompt", number=number, last=self.last)
        line = self.screen.read(f"{more}{asked} ")
        return line.strip().lower() if line else "q"


def _step(answer: str, number: int) -> int | None:
    """Read where to go from a step; None if the answer says nothing of the kind."""
    if answer in ("", "n"):
        return number + 1
    if answer == "p":
        return number - 1
    return int(answer) if answer.isdecimal() and len(answer) < 8 else None
