"""`jamboree replay`: shows a saved game step by step, or checks its journal."""

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
from ..language import CATALOGUE, game_language
from ..options import Lang, MaybeJournal
from ..output import (
    LineBudget,
    board_lines,
    console,
    gain_pattern,
    layout,
    line_count,
    print_event,
    print_lines,
    print_text,
)
from ..playing.journal_file import last_played, permitted_view
from ..playing.narration import sentences, show_result
from ..playing.pager import Pager
from ..screen import Screen

EARLIER_STEPS = 3  # whose sentences are shown with a step
LINES_BESIDE_BOARD = 2  # a blank line and the prompt
LEAVE, COMMANDS = ("q", "quit", "exit"), ("b", "m")


def replay(
    file: MaybeJournal = None,
    step: Annotated[int | None, typer.Option(min=0, help="Show the game after this many actions.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only check whether the journal is valid.")] = False,
    lang: Lang = "",
) -> None:
    """Show a saved game."""
    journal, out = read(read_file(file or last_played())), console()
    game = find(journal.header.game, journal.header.rules)
    lang = game_language(game, lang or (journal.about or About()).language)
    over = check_journal(journal, game)
    if check:
        key = "replay.sound" if over else "replay.sound.unfinished"
        seats, actions = journal.header.seats, len(journal.entries)
        print_text(out, CATALOGUE.say(lang, key, game=game.info.title, seats=seats, actions=actions))
        _print_summary(out, journal, lang)
        return
    screen = ReplayScreen(game, journal, permitted_view(journal, over), lang, out)
    if step is None and sys.stdin.isatty() and sys.stdout.isatty():
        with screen.screen:
            screen.step_through()
    else:
        number = screen.last if step is None else step
        screen.check_step(number)
        screen.show_restriction()
        screen.show(number)


def _print_summary(out: Console, journal: Journal, lang: str) -> None:
    """Print when the game was played and how it ended, if the journal has that."""
    about = journal.about or About()
    if about.date:
        print_text(out, CATALOGUE.say(lang, "replay.about", date=format_date(about.date, lang), program=about.program))
    if about.result:
        names, scores = journal.header.names, about.result.scores
        winners = join_words([names[seat] for seat in about.result.winners], lang)
        text = CATALOGUE.say(lang, "replay.result", winners=winners, scores=list_counts(names, scores, lang))
        print_text(out, text)


class Frame(NamedTuple):
    """A step as one viewer sees it."""

    sentences: list[str]
    view: Any
    outcome: Outcome | None


class ReplayScreen:
    """Renders every step of a game, and shows them one at a time."""

    def __init__(self, game: AnyGame, journal: Journal, viewer: Viewer, lang: str, out: Console) -> None:
        self.game = game
        self.viewer = viewer
        self.lang = lang
        self.out = out
        self.names, self.gain = journal.header.names, gain_pattern(game.words, lang)
        self.reader = journal.about.seat if journal.about else None  # the seat of the person who saved the game
        self.screen, self.pager = Screen(out), Pager(out)
        self.frames = [self._frame(step) for step in steps(journal, game)]

    @property
    def last(self) -> int:
        return len(self.frames) - 1

    def _frame(self, step: Step) -> Frame:
        events = sentences(self.game, step.events, self.viewer, self.names, self.lang, self.reader)
        if step.entry and step.entry.undo is not None:
            actor = int(step.entry.actor)
            key = "replay.undo.you" if actor == self.reader else "replay.undo"
            events = [CATALOGUE.say(self.lang, key, name=self.names[actor], number=step.entry.undo)]
        return Frame(events, self.game.view(step.state, self.viewer), self.game.outcome(step.state))

    def check_step(self, number: int) -> None:
        if number > self.last:
            raise JamboreeError(f"This game has {self.last} steps, so there is no step {number}.")

    def show_restriction(self) -> None:
        """Say why some hidden information is missing."""
        if self.viewer is None:
            print_text(self.out, CATALOGUE.say(self.lang, "replay.shared"))
        elif self.viewer is not Eye.ALL:
            print_text(self.out, CATALOGUE.say(self.lang, "replay.own", name=self.names[self.viewer]))

    def show(self, number: int) -> None:
        """Show a step: its events, the board, and the result at the end."""
        frame = self.frames[number]
        with self.out.capture() as ending:
            self._show_below(number, frame)
        below = (
            ending.get().count("\n")
            + LINES_BESIDE_BOARD
            + sum(line_count(self.out, f"  {said}") for said in frame.sentences)
        )
        board = board_lines(self.out, self.game, frame.view, self.names, self.lang, LineBudget(below, below))
        self._show_events(number, self.out.height - below - len(board))
        self.out.print()
        print_lines(self.out, board)
        self._show_below(number, frame)

    def _show_events(self, number: int, lines: int) -> None:
        """Show the events of a step and earlier ones, in a terminal as many as fit into some lines."""
        earlier = [said for frame in self.frames[max(0, number - EARLIER_STEPS) : number] for said in frame.sentences]
        while self.out.is_terminal and earlier and sum(line_count(self.out, f"  {said}") for said in earlier) > lines:
            del earlier[0]
        for sentence in [*earlier, *self.frames[number].sentences]:
            print_event(self.out, sentence, self.names, self.gain)

    def _show_below(self, number: int, frame: Frame) -> None:
        if frame.outcome:
            show_result(self.out, self.game, frame.view, frame.outcome, self.names, self.lang, self.reader)
        print_text(self.out, CATALOGUE.say(self.lang, "replay.step", number=number, last=self.last), "dim")

    def step_through(self) -> None:
        """Let the user step through the game."""
        self.show_restriction()
        number = 0
        self.show(number)
        while (answer := self._ask(number)) not in LEAVE:
            if answer in COMMANDS:
                self._show_more(answer, number)
                continue
            target = _parse_step(answer, number)
            if target is None or not 0 <= target <= self.last:
                print_text(self.out, CATALOGUE.say(self.lang, "replay.help", last=self.last))
                continue
            number = target
            self.show(number)

    def _show_more(self, command: str, number: int) -> None:
        """Show the whole board, or the next page of it."""
        if command == "b":
            self.pager.begin(1)
            self.pager.show(layout(self.out, self.game.words.paint(self.frames[number].view, self.names, self.lang)))
        elif self.pager.waiting:
            self.pager.next_page()
        else:
            print_text(self.out, CATALOGUE.say(self.lang, "menu.all"))

    def _ask(self, number: int) -> str:
        waiting = self.pager.waiting
        more = CATALOGUE.say(self.lang, "menu.more", count=waiting) + " " if waiting else ""
        prompt = CATALOGUE.say(self.lang, "replay.prompt", number=number, last=self.last)
        line = self.screen.read(f"{more}{prompt} ")
        return line.strip().lower() if line else "q"


def _parse_step(answer: str, number: int) -> int | None:
    """Return the step to show next; None if the answer is not about a step."""
    if answer in ("", "n"):
        return number + 1
    if answer == "p":
        return number - 1
    return int(answer) if answer.isdecimal() and len(answer) < 8 else None
