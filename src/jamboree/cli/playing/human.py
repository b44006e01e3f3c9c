"""A person at the terminal: looks at the board, reads what can be done, answers by number or name."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from jamboree.coach import Advised
from jamboree.core.game import AnyGame, read_action
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT
from jamboree.server.protocol.frames import Hint

from ..commands.rules import page_rules, print_rules
from ..hint import WAITING, advice, hint_labels, show_advice
from ..language import CATALOGUE
from ..screen import Screen
from ..show import Room, fitted, folded, in_columns, lines_of, look, say, show_board
from .keep import replay_command
from .menu import Group, Misread, Target, menu, pick, refusals
from .pager import Pager

LEAST = 5  # lines for them below a small one
AROUND = 3  # lines that are taken beside a board one asked for: a clock, a blank, the prompt
YES = ("y", "yes", "j", "ja")


class Left(Exception):
    """The person has gone."""


class TakenBack(Exception):
    """The person has taken a move back, so that something else is asked."""


class Human:
    explained: tuple[str, ...] = ("help", "help.commands")  # what `?` says

    def __init__(
        self, game: AnyGame, seat: int, names: Sequence[str], lang: str, out: Console, journal: Path | None = None
    ) -> None:
        self.game, self.seat, self.names, self.lang = game, seat, names, lang
        self.out, self.journal, self.pager = out, journal, Pager(out)
        self.paged = True  # whether the rules are shown a page at a time
        self.held: str | None = None  # the question this person waits through
        self.patient = False  # whether to wait through a question with but one answer until everybody waits
        self.known: dict[str, Group] = {}  # every kind of action offered so far
        self.may_wait: Callable[[], bool] = lambda: False
        self.look_again: Callable[[], tuple[Any, Sequence[Offer[Any]]]] | None = None
        self.read: Callable[[str], str] = Screen(out).read  # shows a prompt and gives a line
        self.moved = False  # whether the last thing that happened was an action of this person
        self.take_back: Callable[[], str | None] = lambda: CATALOGUE.say(lang, "undo.nothing")  # says why not
        self.offers: Sequence[Offer[Any]] = ()  # of the question that is asked
        self.groups: Sequence[Group] = ()  # of the same question, as they are listed
        self.hinted: dict[str, Any] = {}  # what the letters of the last hints stand for
        self.commands: dict[str, Callable[[Any], None]] = {
            "?": self.help, "help": self.help,
            "h": self.hint, "hint": self.hint, "tip": self.hint,
            "u": self.undo, "undo": self.undo,
            "b": self.look, "board": self.look,
            "m": self.more, "more": self.more,
            "r": self.rules, "rules": self.rules,
            "s": self.save, "save": self.save,
            "q": self.quit, "quit": self.quit, "exit": self.quit,
        }  # fmt: skip

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        question = self.game.words.question(view, self.lang)
        if self.may_wait() and (self.held == question or (self.patient and len(offers) == 1)):
            return WAIT
        groups, self.offers = self._menu(view, offers), offers
        lines = lines_of(self.out, question) + 1
        if self.may_wait():
            lines += lines_of(self.out, CATALOGUE.say(self.lang, "wait"))
        if not self.moved:
            lines += self._glance(view, lines + len(self._listed(groups)))
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
        say(self.out, question, "strong")
        if self.may_wait():
            say(self.out, CATALOGUE.say(self.lang, "wait"), "dim")

    def insist(self) -> Any:
        """Ask, for once without waiting as an answer."""
        may_wait, self.may_wait = self.may_wait, lambda: False
        try:
            assert self.look_again is not None
            return self.choose(*self.look_again())
        finally:
            self.may_wait = may_wait

    def _menu(self, view: Any, offers: Sequence[Offer[Any]]) -> list[Group]:
        return menu(self.game, view, self.seat, offers, self.lang, self.names)

    def _target(self, view: Any, groups: list[Group]) -> Target | None:
        """Ask until the answer is one of the targets, or to wait for the others."""
        inside: Group | None = None
        self.groups = groups
        self._list_groups(groups)
        while True:
            text = self._ask(inside)
            word = text.lower()
            if word in self.commands:
                if self.look_again:  # others may have moved since the choices were listed
                    view, _ = self.look_again()
                self.commands[word](view)
            elif word in self.hinted:
                if hinted := self._hinted(groups, word):
                    return hinted
            elif word in (WAITING, "ww") and self.may_wait():
                self.held = self.game.words.question(view, self.lang) if word == "ww" else None
                return None
            elif not text:
                inside = None
                if self.look_again:
                    view, self.offers = self.look_again()
                    groups = self.groups = self._menu(view, self.offers)
                self._list_groups(groups)
            else:
                answer = self._answer(view, groups, text, inside)
                if isinstance(answer, Target):
                    return answer
                if answer:
                    inside = answer
                    self._list_targets(answer)

    def _hinted(self, groups: Sequence[Group], letter: str) -> Target | None:
        """Give the move that a letter of a hint stands for, if it can still be made."""
        action = self.hinted[letter]
        if self.look_again:
            _, self.offers = self.look_again()
        if not any(offer.action == action for offer in self.offers):
            self._say_reason(CATALOGUE.say(self.lang, "hint.gone"))
            return None
        listed = (target for group in groups for target in group.targets if target.action == action)
        return next(listed, Target("", action, (), 0))

    def _answer(self, view: Any, groups: list[Group], text: str, inside: Group | None) -> Target | Group | None:
        """Read an answer; what is wrong with it is said at once."""
        try:
            return pick(groups, text, inside)
        except Misread as misread:
            tried = [inside] if inside else _meant(groups, text, self.known)
            refused = refusals(self.game, view, tried, text) if misread.key == "no-target" else []
            for refusal in refused:
                self._say_reason(self.game.words.reason(refusal, self.lang))
            if not refused:
                self._say_reason(CATALOGUE.say(self.lang, f"misread.{misread.key}", **misread.params))
            return None

    def _say_reason(self, text: str) -> None:
        say(self.out, f"  {text}")

    def _ask(self, inside: Group | None) -> str:
        title = f"{_cut(inside.title, self.out.width // 2)} " if inside else ""
        more = self.pager.waiting
        waiting = CATALOGUE.say(self.lang, "menu.more", count=more) + " " if more else ""
        return self.ask(f"{title}{waiting}> ")

    def ask(self, prompt: str) -> str:
        line = self.read(prompt)
        if not line:
            raise Left
        return line.strip()

    def _list_groups(self, groups: Sequence[Group]) -> None:
        self.pager.show(self._listed(groups))

    def _listed(self, groups: Sequence[Group]) -> list[Text]:
        width = len(str(len(groups)))
        lines = list[Text]()
        for number, group in enumerate(groups, 1):
            line = Text("  ").append(f"{number:>{width}}", look("strong")).append("  ")
            lines += folded(self.out, line.append_text(self._summary(group)), width + 4)
        return lines

    def _summary(self, group: Group) -> Text:
        best = group.targets[0]
        if len(group.targets) == 1:
            return Text(best.title).append_text(self._gain(best))
        count = CATALOGUE.say(self.lang, "menu.targets", count=len(group.targets))
        most = CATALOGUE.say(self.lang, "menu.best", points=best.own) if best.own else ""
        return Text(group.title).append(f" ({count}{most})", look("dim"))

    def _list_targets(self, group: Group) -> None:
        say(self.out, f"{group.title}: {CATALOGUE.say(self.lang, 'menu.which')}", "strong")
        width = len(str(len(group.targets)))
        cells = [
            Text(f"{number:>{width}}", look("strong")).append(f"  {target.name}", "").append_text(self._gain(target))
            for number, target in enumerate(group.targets, 1)
        ]
        self.pager.begin(2)
        self.pager.show(in_columns(self.out, cells))

    def _gain(self, target: Target) -> Text:
        """Show the points that are certain, and whom else they go to."""
        text = Text(f"  +{target.own}" if target.own else "", look("good"))
        if target.remark:
            text.append(f"  {target.remark}", look("dim"))
        for caution in target.cautions:
            text.append(f"  ⚠ {self.game.words.warning(caution, self.lang)}", look("bad"))
        others = [
            f"{self.names[seat]} +{points}" for seat, points in enumerate(target.points) if points and seat != self.seat
        ]
        return text.append(f" ({', '.join(others)})", look("dim")) if others else text

    def help(self, view: Any) -> None:
        for key in self.explained:
            for line in CATALOGUE.say(self.lang, key).splitlines():
                say(self.out, line)

    def hint(self, view: Any) -> None:
        if self.look_again and self.groups:  # others may have moved since the choices were listed
            view, self.offers = self.look_again()
        if advised := self.advised(view):
            self._show_advice(view, advised)

    def advised(self, view: Any) -> Advised | Hint | None:
        """Have the best moves found; None if there is nothing to advise, which is said."""
        return advice(self.out, self.game, view, self.offers, self.names, self.lang)

    def _show_advice(self, view: Any, advised: Advised | Hint) -> None:
        """Show the best moves, each with what to type for it."""
        moves = [move for move in advised.moves if move.action is not None or self.may_wait()]
        actions = [None if move.action is None else read_action(self.game, move.action) for move in moves]
        labels = hint_labels(self.groups, actions, {*self.commands, WAITING})
        self.hinted = {label: action for label, action in zip(labels, actions, strict=True) if label.isalpha()}
        self.hinted.pop(WAITING, None)  # a command of its own
        show_advice(self.out, advised, moves, labels, self.lang)

    def undo(self, view: Any) -> None:
        refused = self.take_back()
        if refused is None:
            self.moved = False
            raise TakenBack
        if refused:
            say(self.out, refused)

    def _glance(self, view: Any, below: int) -> int:
        """Show the board before a question, and give how many lines it took; so many are to come below it."""
        return show_board(self.out, self.game, view, self.names, self.lang, Room(LEAST, wished=below))

    def look(self, view: Any) -> None:
        """Show the whole board, a page at a time."""
        self.out.print()
        self.pager.begin(AROUND)
        self.pager.show(fitted(self.out, self.game.words.paint(view, self.names, self.lang)))

    def more(self, view: Any) -> None:
        if self.pager.waiting:
            self.pager.turn()
        else:
            say(self.out, CATALOGUE.say(self.lang, "menu.all"))

    def rules(self, view: Any) -> None:
        (page_rules if self.paged else print_rules)(self.out, self.game, self.lang)

    def save(self, view: Any) -> None:
        key = "save.kept" if self.journal else "save.not-kept"
        command = replay_command(self.journal) if self.journal else ""
        say(self.out, CATALOGUE.say(self.lang, key, path=self.journal, command=command))

    def quit(self, view: Any) -> None:
        key = "quit.kept" if self.journal else "quit.lost"
        if self.ask(CATALOGUE.say(self.lang, key, path=self.journal) + " ").lower() in YES:
            raise Left


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"


def _meant(groups: list[Group], text: str, known: Mapping[str, Group]) -> list[Group]:
    """Narrow the groups down to the one an answer such as `1 d5` begins with; else all kinds may be meant."""
    first = text.split(maxsplit=1)[0]
    if first.isdecimal() and len(first) < 5 and 1 <= int(first) <= len(groups):
        return [groups[int(first) - 1]]
    return [*groups, *(group for title, group in known.items() if title not in {group.title for group in groups})]
