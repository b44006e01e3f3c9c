"""Sit at a live table from a terminal, with people and bots who are elsewhere."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from jamboree.client import ConnectionLost, Declined
from jamboree.client.seat import News
from jamboree.core.avatars import set_avatars
from jamboree.core.errors import JamboreeError
from jamboree.core.play import WAIT
from jamboree.core.words import clean
from jamboree.games import find
from jamboree.server.protocol import frames, parts
from jamboree.server.protocol.bodies import LogStep
from jamboree.server.protocol.terms import Pause

from ..language import CATALOGUE
from ..screen import TICK, Screen
from ..show import gains, say, show_board, tell
from .bridge import SILENCE, Bridge
from .human import YES, Human, Left
from .live import Moved, show_time
from .lobby import LobbySeen
from .slash_commands import SlashCommands, discussed, wishes
from .telling import show_result

LATEST = 8  # steps that are told to a person who comes later
REREADING = 0.7  # seconds after a change of the choices in which Enter is not taken: the list is a new one


class Guest(Human):
    """A person at a table that is kept elsewhere."""

    explained = (*Human.explained, "help.live")

    ask_for_hint: Callable[[], frames.Hint] | None = None

    def save(self, view: Any) -> None:
        say(self.out, CATALOGUE.say(self.lang, "save.live"))

    def advised(self, view: Any) -> frames.Hint | None:
        """Ask the table, which knows whether hints are allowed."""
        try:
            return self.ask_for_hint() if self.ask_for_hint else None
        except JamboreeError as refusal:
            say(self.out, f"  {refusal}")
            return None

    def quit(self, view: Any) -> None:
        if self.ask(CATALOGUE.say(self.lang, "quit.live") + " ").lower() in YES:
            raise Left


class Visit:
    """Shows what is heard, and asks the person when it is up to them."""

    def __init__(
        self,
        bridge: Bridge,
        commands: SlashCommands,
        screen: Screen,
        lang: str,
        asks: bool,
        past: Callable[[], list[LogStep]],
    ) -> None:
        self.bridge, self.seat, self.lang, self.asks = bridge, bridge.seat, lang, asks
        self.screen, self.out = screen, screen.out
        self.commands, self.met = commands, False
        self.past = past  # what was told before the person came
        self.human: Guest | None = None
        self.mine = -1  # the number of the person's last action
        self.told = 0  # the number of the last step that was told
        self.over = self.lost = False
        self.arranged: list[str] = []  # what was said last of looks, and of who begins
        self.people = ("", -1)  # who was said to be at the table, and how many seats to be free
        self.discussed = ""  # what was said last of a wish to take a move back
        self.asking = set[str]()  # people who would like to swap with this person
        self.paused = Pause.NO  # as it was said last
        self.queued: set[int] = set()  # bots of which it was said that they wait

    def run(self) -> None:
        while not self.over:
            self._hear()
            try:
                self._ask() if self._is_asked() else self._sit_through()
            except Moved as moved:
                self._keep_typing(moved)
        self._finish()

    def _keep_typing(self, moved: Moved) -> None:
        """Keep what is being typed when the choices change; an answer to a question that is over is dropped."""
        typed = self.screen.line.text
        if not moved.asks_the_same:
            self.screen.forget(but="/")
        elif typed and not typed.startswith("/"):
            self.screen.pause_enter(REREADING)

    def _is_asked(self) -> bool:
        position = self.seat.position
        return bool(self.asks and not self.over and self.human and position and position.offers)

    def _ask(self) -> None:
        human, position = self.human, self.seat.position
        assert human and position
        action = human.choose(position.view, position.offers)
        if action is WAIT:
            return self._sit_through()
        try:
            self.mine = self.bridge.call(self.seat.act(action), self._mind_the_line)
        except (Declined, ConnectionLost) as refusal:
            say(self.out, f"  {refusal}")
        return None

    def _sit_through(self) -> None:
        """Wait until something is heard; meanwhile the person may speak and look around."""
        while not self._hear():
            line = self._line()
            if line and not self._obeyed(line):
                say(self.out, CATALOGUE.say(self.lang, self._meanwhile()), "dim")

    def _meanwhile(self) -> str:
        """Tell which text says what can be done while nothing is asked."""
        if not self._sits():
            return "live.watching"
        return "help.live" if self.seat.table and self.seat.table.status == "gathering" else "live.wait"

    def read_line(self, prompt: str) -> str:
        """Wait for an answer of the person's while the others play on."""
        asked = self._choices()
        self.screen.ask(prompt)
        while True:
            line = self._line()
            if line and not line.startswith("/"):
                return line
            if line:
                self._obeyed(line)
                self.screen.ask(prompt)
            self._hear()
            if self.over or self._choices() != asked:
                raise Moved(asks_the_same=not self.over and self._choices()[0] == asked[0])

    def _choices(self) -> tuple[str | None, list[Any]]:
        position = self.seat.position
        return (position.question, [offer.action for offer in position.offers]) if position else (None, [])

    def _line(self) -> str:
        """Give a line that was typed, if there is one soon."""
        self._mind_the_line()
        if not (self.asks and self.met):  # what is typed before one has come in waits for its turn
            time.sleep(TICK)
            return ""
        line = self.screen.poll(TICK)
        if line == "":
            raise Left
        return line or ""

    def _mind_the_line(self) -> None:
        """Show the clock, or that the connection is lost and for how long."""
        lost, left = self.seat.seconds_offline(), self.seat.seconds_left()
        if not self.lost and lost > SILENCE:
            self._say("live.lost")
        elif self.lost and not lost:
            self.screen.show_status("")
            self._say("live.found")
        self.lost = lost > SILENCE
        if self.lost:
            show_time(self.screen, lost, CATALOGUE.say(self.lang, "live.trying"))
        elif left is not None:
            pausing = self.seat.clock is not None and self.seat.clock.kind == "pause"
            show_time(self.screen, left, CATALOGUE.say(self.lang, "live.pause.left") if pausing else "")

    def _obeyed(self, line: str) -> bool:
        """Do what a line says that is no answer."""
        text, position = line.strip(), self.seat.position
        if text.startswith("/"):
            self._call(text)
        elif text in ("q", "quit", "exit") and not self.human:
            raise Left
        elif self.human and position and text in self.human.commands:
            self.human.commands[text](position.view)
            self._say_more(self.human.pager.waiting)
        else:
            return not text
        return True

    def _say_more(self, count: int) -> None:
        """Say that a page has a next one, where no prompt says it."""
        if count:
            say(self.out, CATALOGUE.say(self.lang, "menu.more", count=count), "dim")

    def _call(self, text: str) -> None:
        try:
            self.bridge.call(self.commands.read(text), self._mind_the_line)
        except JamboreeError as refusal:
            say(self.out, f"  {refusal}")

    def _hear(self) -> bool:
        """Show what has come in; tell whether anything has."""
        news = self.bridge.heard()
        for each in news:
            self._show(each)
        return bool(news)

    def _show(self, news: News) -> None:
        set_avatars(self.seat.table.looks if self.seat.table else ())
        match news:
            case frames.Welcome():
                self._meet(news)
            case frames.TableChanged():
                self._show_people()
            case frames.Update():
                self._tell_step(news)
                self.told = news.seq
                if self.human:
                    self.human.moved = news.seq == self.mine
            case frames.Said():
                self._show_line(news.line)
        table, position = self.seat.table, self.seat.position
        ended = (position and position.outcome) or (table and (table.reason or table.status == "closed"))
        self.over = bool(ended) and self.told == self.seat.seq  # the seat may have heard what is not yet shown

    def _meet(self, welcome: frames.Welcome) -> None:
        if welcome.missed is None and self.seat.position:
            told = [step for step in self.past() if self.told < step.seq <= welcome.seq]
            for step in told[-LATEST:] if self.asks else told:
                self._tell(step.sentences)
        for missed in welcome.missed or []:
            self._tell_step(missed)
        self.told = welcome.seq
        self._show_people()
        if not self.met:
            self.met = True
            self._say_rights(welcome.you)
        if self.human is None and self.seat.position and welcome.you.seat is not None:
            self._sit_down(welcome.you.seat)

    def _say_rights(self, you: parts.You) -> None:
        """Say what can be done here beside the game, or that one only watches."""
        table = self.seat.table
        if you.seat is None:
            self._say("live.watching")
        elif table and table.status == "gathering":
            best = self.commands.levels()[-1]
            self._say("live.host" if table.host == you.person else "live.guest", level=best)

    def _sits(self) -> bool:
        return self.seat.you.seat is not None

    def _sit_down(self, seat: int) -> None:
        table = self.seat.table
        assert table
        human = self.human = Guest(find(table.game, table.rules), seat, self.seat.names(), self.lang, self.out)
        human.ask_for_hint = lambda: self.bridge.call(self.seat.hint(), self._mind_the_line)
        human.read, human.paged, human.take_back = self.read_line, False, self._take_back
        human.look_again = self._look_again
        human.may_wait = lambda: bool(self.seat.position and len(self.seat.position.actors) > 1)
        others = ", ".join(name for at, name in enumerate(human.names) if at != seat)
        self._say("welcome", game=human.game.info.title, number=seat + 1, count=table.seats, others=others)
        self._say("live.speak")

    def _look_again(self) -> tuple[Any, Sequence[Any]]:
        position = self.seat.position
        if position is None:
            raise Moved
        return position.view, position.offers

    def _take_back(self) -> str:
        """Ask for it: whether it is taken back is heard from the table."""
        self._call("/undo")
        return ""

    def _show_people(self) -> None:
        table = self.seat.table
        assert table
        if self.human:
            self.human.names = self.seat.names()
        if table.status == "gathering":
            sitting = [name for _, name in sorted(self.seat.occupied_seats().items())]
            people = (", ".join(clean(name) for name in sitting), table.seats - len(sitting))
            if people != self.people:
                self.people = people
                self._say("live.people", names=people[0], count=people[1])
        self._show_arranged(table)
        if table.paused != self.paused:
            self.paused = table.paused
            whose = "" if table.host == self.seat.you.person else "others."
            host = next((person.name for person in table.people if person.person == table.host), "?")
            self._say(f"live.pause.{whose}{table.paused}", name=clean(host))
        self._show_discussed(table)
        self._show_queue(table)

    def _show_queue(self, table: parts.TableSeen) -> None:
        """Say it once when a bot waits for its turn to think."""
        told, self.queued = self.queued, {waiting.seat for waiting in table.queue}
        for seat, count in [(waiting.seat, waiting.before) for waiting in table.queue if waiting.seat not in told]:
            name = clean(self.seat.names()[seat])
            say(self.out, "  " + CATALOGUE.say(self.lang, "live.queue", name=name, count=count), "dim")

    def _show_arranged(self, table: parts.TableSeen) -> None:
        """Say what is new of looks, of who begins, and of who would like to play."""
        lobby = LobbySeen(table, self.seat.you, self.seat.occupied_seats(), self.lang)
        before, self.arranged = self.arranged, [*lobby.lines(), *wishes(table, self.seat.you, self.lang)]
        for line in self.arranged:
            if line not in before:
                say(self.out, line)
        asking, self.asking = self.asking, {person.person for person in lobby.asking()}
        if asking - self.asking and table.status == "gathering":
            self._say("live.look.over")

    def _show_discussed(self, table: parts.TableSeen) -> None:
        """Say it when somebody asks to take a move back, and when that is over."""
        before, self.discussed = self.discussed, discussed(table, self.seat.you.person, self.lang)
        if self.discussed and self.discussed != before:
            say(self.out, self.discussed)
        elif before and not self.discussed:
            self._say("live.undo.over")

    def _tell_step(self, step: frames.Update | parts.Step) -> None:
        self._tell([*([step.note.sentence] if step.note else []), *step.sentences])

    def _tell(self, sentences: list[str]) -> None:
        if table := self.seat.table:
            gain, names = gains(find(table.game, table.rules).words, self.lang), self.seat.names()
            for sentence in filter(None, sentences):
                tell(self.out, sentence, names, gain)

    def _show_line(self, line: Any) -> None:
        table = self.seat.table
        people, words = (table.people, find(table.game, table.rules).words) if table else ([], None)
        name = line.bot or next((person.name for person in people if person.person == line.person), "?")
        said = (words.text(f"phrase.{line.phrase}", self.lang) if words and line.phrase else None) or line.text
        key = "live.whispers" if line.to is not None else "live.says"
        say(self.out, "  " + CATALOGUE.say(self.lang, key, name=clean(name), text=said), "dim")

    def _finish(self) -> None:
        table, position = self.seat.table, self.seat.position
        assert table
        if not position or not position.outcome:
            self._say("live.closed" if table.status == "closed" else "live.left-alone", reason=table.reason)
            return
        game, names = find(table.game, table.rules), self.seat.names()
        if self.human:
            show_board(self.out, game, position.view, names, self.lang)
        show_result(self.out, game, position.view, position.outcome, names, self.lang, self.seat.you.seat)

    def _say(self, key: str, **params: object) -> None:
        say(self.out, CATALOGUE.say(self.lang, key, **params))
