"""A person at the terminal: looks at the board, reads what can be done, answers by number or name."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT

from ..commands.rules import page_rules, print_rules
from ..hint import show_hint
from ..language import CATALOGUE
from ..show import fitted, folded, in_columns, look, say, show, show_small
from .menu import Group, Misread, Target, menu, pick, refusals
from .pager import Pager

ROOM = 14  # lines for a question with its choices, below a whole board
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
        self.read: Callable[[], str] = sys.stdin.readline
        self.moved = False  # whether the last thing that happened was an action of this person
        self.take_back: Callable[[], str | None] = lambda: CATALOGUE.say(lang, "undo.nothing")  # says why not
        self.offers: Sequence[Offer[Any]] = ()  # of the question that is asked
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
        self.pager.begin(len(question) // self.out.width + 2 + self.may_wait())
        if not self.moved:
            self.pager.begin(self.pager.taken + self._glance(view))
        self.moved = True
        say(self.out, question, "strong")
        if self.may_wait():
            say(self.out, CATALOGUE.say(self.lang, "wait"), "dim")
        self.known |= {group.title: group for group in groups}
        target = self._target(view, groups)
        return target.action if target else WAIT

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
        self._list_groups(groups)
        while True:
            text = self._ask(inside)
            if text in self.commands:
                self.commands[text](view)
            elif text in ("w", "ww") and self.may_wait():
                self.held = self.game.words.question(view, self.lang) if text == "ww" else None
                return None
            elif not text:
                inside = None
                if self.look_again:
                    view, self.offers = self.look_again()
                    groups = self._menu(view, self.offers)
                self._list_groups(groups)
            else:
                answer = self._answer(view, groups, text, inside)
                if isinstance(answer, Target):
                    return answer
                if answer:
                    inside = answer
                    self._list_targets(answer)

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
        title = f"{inside.title} " if inside else ""
        more = self.pager.waiting
        waiting = CATALOGUE.say(self.lang, "menu.more", count=more) + " " if more else ""
        return self.ask(f"{title}{waiting}> ")

    def ask(self, prompt: str) -> str:
        self.out.print(Text(prompt, look("strong")), end="", soft_wrap=True)
        self.out.file.flush()
        line = self.read()
        if not line:
            self.out.print()
            raise Left
        return line.strip()

    def _list_groups(self, groups: Sequence[Group]) -> None:
        width = len(str(len(groups)))
        lines = list[Text]()
        for number, group in enumerate(groups, 1):
            line = Text("  ").append(f"{number:>{width}}", look("strong")).append(f"  {group.title}")
            lines += folded(self.out, line.append_text(self._summary(group)), width + 4)
        self.pager.show(lines)

    def _summary(self, group: Group) -> Text:
        best = group.targets[0]
        if len(group.targets) == 1:
            text = Text(f" ({best.name})" if best.name else "")
            return text.append_text(self._gain(best))
        count = CATALOGUE.say(self.lang, "menu.targets", count=len(group.targets))
        most = CATALOGUE.say(self.lang, "menu.best", points=best.own) if best.own else ""
        return Text(f" ({count}{most})", look("dim"))

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
        show_hint(self.out, self.game, view, self.offers, self.names, self.lang)

    def undo(self, view: Any) -> None:
        refused = self.take_back()
        if refused is None:
            self.moved = False
            raise TakenBack
        if refused:
            say(self.out, refused)

    def _glance(self, view: Any) -> int:
        """Show the board before a question: whole if there is room for it, else small. Give how many lines it took."""
        self.out.print()
        whole = self.game.words.paint(view, self.names, self.lang)
        small = self.game.words.paint_small
        if not self.out.is_terminal or len(whole) + ROOM <= self.out.height or small is None:
            show(self.out, whole)
            self.out.print()
            return len(whole) + 1
        more = CATALOGUE.say(self.lang, "menu.board")
        return show_small(self.out, small(view, self.names, self.lang), self.out.height - LEAST, more)

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
        say(self.out, CATALOGUE.say(self.lang, key, path=self.journal))

    def quit(self, view: Any) -> None:
        key = "quit.kept" if self.journal else "quit.lost"
        if self.ask(CATALOGUE.say(self.lang, key, path=self.journal) + " ").lower() in YES:
            raise Left


def _meant(groups: list[Group], text: str, known: Mapping[str, Group]) -> list[Group]:
    """Narrow the groups down to the one an answer such as `1 d5` begins with; else all kinds may be meant."""
    first = text.split(maxsplit=1)[0]
    if first.isdecimal() and len(first) < 5 and 1 <= int(first) <= len(groups):
        return [groups[int(first) - 1]]
    return [*groups, *(group for title, group in known.items() if title not in {group.title for group in groups})]
