"""A person at the terminal: shown the board and the legal actions, answers by number or name."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from jamboree.coach import AdviceText
from jamboree.core.game import AnyGame, read_action
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT
from jamboree.server.protocol.frames import Hint

from ..language import CATALOGUE
from ..output import LineBudget, fold, in_columns, layout, line_count, print_text, show_board, style_of
from ..screen import Screen
from .hints import WAIT_COMMAND, advice, hint_labels, show_advice
from .journal_file import replay_command
from .menu import Group, InvalidAnswer, Target, menu, pick, refusals
from .pager import Pager, page_rules, print_rules

MIN_LINES_BELOW = 5  # lines left below a small board
LINES_AROUND_BOARD = 3  # a clock, a blank line, the prompt
YES = ("y", "yes", "j", "ja")


class PlayerLeft(Exception):
    """The person has left the game."""


class MoveTakenBack(Exception):
    """The person has taken a move back, so the question has changed."""


class Human:
    explained: tuple[str, ...] = ("help", "help.commands")  # the texts that `?` shows

    def __init__(
        self, game: AnyGame, seat: int, names: Sequence[str], lang: str, out: Console, journal: Path | None = None
    ) -> None:
        self.game = game
        self.seat = seat
        self.names = names
        self.lang = lang
        self.out = out
        self.journal = journal
        self.pager = Pager(out)
        self.paged = True  # whether the rules are shown a page at a time
        self.waits_through: str | None = None  # the question that this person lets the others answer first
        self.patient = False  # whether to wait on a question with a single answer until everybody waits
        self.known: dict[str, Group] = {}  # all groups offered so far
        self.may_wait: Callable[[], bool] = lambda: False
        self.refresh: Callable[[], tuple[Any, Sequence[Offer[Any]]]] | None = None
        self.read: Callable[[str], str] = Screen(out).read  # shows a prompt and returns a line
        self.moved = False  # whether the last action was this person's
        self.take_back: Callable[[], str | None] = lambda: CATALOGUE.say(lang, "undo.nothing")  # returns a refusal
        self.offers: Sequence[Offer[Any]] = ()  # answers to the current question
        self.groups: Sequence[Group] = ()  # the same, as listed
        self.hinted: dict[str, Any] = {}  # actions by the letters of the last hints
        self.commands = self._commands()

    def _commands(self) -> dict[str, Callable[[Any], None]]:
        """Return the commands by their names and abbreviations."""
        names = {
            self.help: "? help",
            self.hint: "h hint tip",
            self.undo: "u undo",
            self.show_whole_board: "b board",
            self.more: "m more",
            self.rules: "r rules",
            self.save: "s save",
            self.quit: "q quit exit",
        }
        return {name: command for command, text in names.items() for name in text.split()}

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        question = self.game.words.question(view, self.lang)
        if self.may_wait() and (self.waits_through == question or (self.patient and len(offers) == 1)):
            return WAIT
        groups, self.offers = self._menu(view, offers), offers
        lines = line_count(self.out, question) + 1
        if self.may_wait():
            lines += line_count(self.out, CATALOGUE.say(self.lang, "wait"))
        if not self.moved:
            lines += self._show_board(view, lines + len(self._group_lines(groups)))
        self.pager.begin(lines)
        self.moved = True
        self._put_question(question)
        self.known |= {group.title: group for group in groups}
        try:
            target = self._target(view, groups)
        finally:
            self.groups, self.hinted = (), {}
        return target.action if target else WAIT

    def _put_question(self, question: str) -> None:
        print_text(self.out, question, "strong")
        if self.may_wait():
            print_text(self.out, CATALOGUE.say(self.lang, "wait"), "dim")

    def choose_without_waiting(self) -> Any:
        may_wait, self.may_wait = self.may_wait, lambda: False
        try:
            assert self.refresh is not None
            return self.choose(*self.refresh())
        finally:
            self.may_wait = may_wait

    def _menu(self, view: Any, offers: Sequence[Offer[Any]]) -> list[Group]:
        return menu(self.game, view, self.seat, offers, self.lang, self.names)

    def _target(self, view: Any, groups: list[Group]) -> Target | None:
        """Ask until the answer is a target; None if the person waits for the others."""
        inside: Group | None = None
        self.groups = groups
        self._list_groups(groups)
        while True:
            text = self._ask(inside)
            word = text.lower()
            if word in self.commands:
                if self.refresh:  # others may have moved in the meantime
                    view, _ = self.refresh()
                self.commands[word](view)
            elif word in self.hinted:
                if hinted := self._hinted_target(groups, word):
                    return hinted
            elif word in (WAIT_COMMAND, "ww") and self.may_wait():
                self.waits_through = self.game.words.question(view, self.lang) if word == "ww" else None
                return None
            elif not text:
                inside = None
                if self.refresh:
                    view, self.offers = self.refresh()
                    groups = self.groups = self._menu(view, self.offers)
                self._list_groups(groups)
            else:
                answer = self._answer(view, groups, text, inside)
                if isinstance(answer, Target):
                    return answer
                if answer:
                    inside = answer
                    self._list_targets(answer)

    def _hinted_target(self, groups: Sequence[Group], letter: str) -> Target | None:
        """Return the move with this letter in the last hints, if it is still legal."""
        action = self.hinted[letter]
        if self.refresh:
            _, self.offers = self.refresh()
        if not any(offer.action == action for offer in self.offers):
            self._print_reason(CATALOGUE.say(self.lang, "hint.gone"))
            return None
        listed = (target for group in groups for target in group.targets if target.action == action)
        return next(listed, Target("", action, (), 0))

    def _answer(self, view: Any, groups: list[Group], text: str, inside: Group | None) -> Target | Group | None:
        """Parse an answer; an invalid one is explained at once."""
        try:
            return pick(groups, text, inside)
        except InvalidAnswer as invalid:
            tried = [inside] if inside else _candidates(groups, text, self.known)
            refused = refusals(self.game, view, tried, text) if invalid.key == "no-target" else []
            for refusal in refused:
                self._print_reason(self.game.words.reason(refusal, self.lang))
            if not refused:
                self._print_reason(CATALOGUE.say(self.lang, f"misread.{invalid.key}", **invalid.params))
            return None

    def _print_reason(self, text: str) -> None:
        print_text(self.out, f"  {text}")

    def _ask(self, inside: Group | None) -> str:
        title = f"{_truncate(inside.title, self.out.width // 2)} " if inside else ""
        more = self.pager.waiting
        waiting = CATALOGUE.say(self.lang, "menu.more", count=more) + " " if more else ""
        return self.ask(f"{title}{waiting}> ")

    def ask(self, prompt: str) -> str:
        line = self.read(prompt)
        if not line:
            raise PlayerLeft
        return line.strip()

    def _list_groups(self, groups: Sequence[Group]) -> None:
        self.pager.show(self._group_lines(groups))

    def _group_lines(self, groups: Sequence[Group]) -> list[Text]:
        width = len(str(len(groups)))
        lines = list[Text]()
        for number, group in enumerate(groups, 1):
            line = Text("  ").append(f"{number:>{width}}", style_of("strong")).append("  ")
            lines += fold(self.out, line.append_text(self._summary(group)), width + 4)
        return lines

    def _summary(self, group: Group) -> Text:
        best = group.targets[0]
        if len(group.targets) == 1:
            return Text(best.title).append_text(self._gain(best))
        count = CATALOGUE.say(self.lang, "menu.targets", count=len(group.targets))
        most = CATALOGUE.say(self.lang, "menu.best", points=best.own) if best.own else ""
        return Text(group.title).append(f" ({count}{most})", style_of("dim"))

    def _list_targets(self, group: Group) -> None:
        print_text(self.out, f"{group.title}: {CATALOGUE.say(self.lang, 'menu.which')}", "strong")
        width = len(str(len(group.targets)))
        cells = [
            Text(f"{number:>{width}}", style_of("strong"))
            .append(f"  {target.name}", "")
            .append_text(self._gain(target))
            for number, target in enumerate(group.targets, 1)
        ]
        self.pager.begin(2)
        self.pager.show(in_columns(self.out, cells))

    def _gain(self, target: Target) -> Text:
        """Return the certain points, and those that go to other players."""
        text = Text(f"  +{target.own}" if target.own else "", style_of("good"))
        if target.remark:
            text.append(f"  {target.remark}", style_of("dim"))
        for caution in target.cautions:
            text.append(f"  ⚠ {self.game.words.warning(caution, self.lang)}", style_of("bad"))
        others = [
            f"{self.names[seat]} +{points}" for seat, points in enumerate(target.points) if points and seat != self.seat
        ]
        return text.append(f" ({', '.join(others)})", style_of("dim")) if others else text

    def help(self, view: Any) -> None:
        for key in self.explained:
            for line in CATALOGUE.say(self.lang, key).splitlines():
                print_text(self.out, line)

    def hint(self, view: Any) -> None:
        if self.refresh and self.groups:  # others may have moved in the meantime
            view, self.offers = self.refresh()
        if advised := self.advised(view):
            self._show_advice(view, advised)

    def advised(self, view: Any) -> AdviceText | Hint | None:
        """Return the best moves; None, with a message, if there is nothing to advise."""
        return advice(self.out, self.game, view, self.offers, self.names, self.lang)

    def _show_advice(self, view: Any, advised: AdviceText | Hint) -> None:
        """Show the best moves with a label to type for each."""
        moves = [move for move in advised.moves if move.action is not None or self.may_wait()]
        actions = [None if move.action is None else read_action(self.game, move.action) for move in moves]
        labels = hint_labels(self.groups, actions, {*self.commands, WAIT_COMMAND})
        self.hinted = {label: action for label, action in zip(labels, actions, strict=True) if label.isalpha()}
        self.hinted.pop(WAIT_COMMAND, None)  # a command in itself
        show_advice(self.out, advised, moves, labels, self.lang)

    def undo(self, view: Any) -> None:
        refused = self.take_back()
        if refused is None:
            self.moved = False
            raise MoveTakenBack
        if refused:
            print_text(self.out, refused)

    def _show_board(self, view: Any, below: int) -> int:
        """Show the board above a question that takes `below` lines; return the number of its lines."""
        budget = LineBudget(MIN_LINES_BELOW, preferred=below)
        return show_board(self.out, self.game, view, self.names, self.lang, budget)

    def show_whole_board(self, view: Any) -> None:
        self.out.print()
        self.pager.begin(LINES_AROUND_BOARD)
        self.pager.show(layout(self.out, self.game.words.paint(view, self.names, self.lang)))

    def more(self, view: Any) -> None:
        if self.pager.waiting:
            self.pager.next_page()
        else:
            print_text(self.out, CATALOGUE.say(self.lang, "menu.all"))

    def rules(self, view: Any) -> None:
        (page_rules if self.paged else print_rules)(self.out, self.game, self.lang)

    def save(self, view: Any) -> None:
        key = "save.kept" if self.journal else "save.not-kept"
        command = replay_command(self.journal) if self.journal else ""
        print_text(self.out, CATALOGUE.say(self.lang, key, path=self.journal, command=command))

    def quit(self, view: Any) -> None:
        key = "quit.kept" if self.journal else "quit.lost"
        if self.ask(CATALOGUE.say(self.lang, key, path=self.journal) + " ").lower() in YES:
            raise PlayerLeft


def _truncate(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"


def _candidates(groups: list[Group], text: str, known: Mapping[str, Group]) -> list[Group]:
    """Return the group with whose number an answer such as `1 d5` begins, otherwise all groups offered so far."""
    first = text.split(maxsplit=1)[0]
    if first.isdecimal() and len(first) < 5 and 1 <= int(first) <= len(groups):
        return [groups[int(first) - 1]]
    return [*groups, *(group for title, group in known.items() if title not in {group.title for group in groups})]
