"""A session at a live table from a terminal: shows what happens and asks the person for moves."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from jamboree.client import ConnectionLost, Declined
from jamboree.client.table_connection import News
from jamboree.core.avatars import set_avatars
from jamboree.core.errors import JamboreeError
from jamboree.core.play import WAIT
from jamboree.core.words import clean
from jamboree.games import find
from jamboree.server.protocol import frames, parts
from jamboree.server.protocol.bodies import LogStep
from jamboree.server.protocol.terms import Pause

from ..language import CATALOGUE
from ..output import gain_pattern, print_event, print_text, show_board
from ..screen import TICK, Screen
from .connection_thread import ConnectionThread
from .human import YES, Human, PlayerLeft
from .lobby import LobbyView
from .narration import show_result
from .slash_commands import SlashCommands, seat_request_lines, undo_vote_line
from .timed import PromptOutdated, show_time

MAX_PAST_STEPS = 8  # steps narrated to a person who joins during the game
ENTER_DELAY = 0.7  # seconds after a change of the choices in which Enter is ignored, since the numbers have changed
OFFLINE_NOTICE = 1.5  # seconds without a server or a connection before the person is notified


class OnlineHuman(Human):
    """A person at a table on a server."""

    explained = (*Human.explained, "help.live")

    ask_for_hint: Callable[[], frames.Hint] | None = None

    def save(self, view: Any) -> None:
        print_text(self.out, CATALOGUE.say(self.lang, "save.live"))

    def advised(self, view: Any) -> frames.Hint | None:
        """Ask the server, which knows whether hints are allowed."""
        try:
            return self.ask_for_hint() if self.ask_for_hint else None
        except JamboreeError as refusal:
            print_text(self.out, f"  {refusal}")
            return None

    def quit(self, view: Any) -> None:
        if self.ask(CATALOGUE.say(self.lang, "quit.live") + " ").lower() in YES:
            raise PlayerLeft


class OnlineSession:
    """Shows the server's messages, and asks the person when they may act."""

    def __init__(
        self,
        thread: ConnectionThread,
        commands: SlashCommands,
        screen: Screen,
        lang: str,
        interactive: bool,
        past: Callable[[], list[LogStep]],
    ) -> None:
        self.thread = thread
        self.connection = thread.connection
        self.lang, self.interactive = lang, interactive
        self.screen, self.out = screen, screen.out
        self.commands, self.welcomed = commands, False
        self.past = past  # fetches the steps before this session
        self.human: OnlineHuman | None = None
        self.own_step = -1  # the number of the person's last action
        self.narrated = 0  # the number of the last step narrated
        self.over = self.offline = False
        # What was shown last, so that only changes are printed:
        self.lobby_lines: list[str] = []
        self.people = ("", -1)  # names, and the number of free seats
        self.undo_vote = ""
        self.swap_requests = set[str]()  # people who ask to swap with this person
        self.paused = Pause.NO
        self.queued: set[int] = set()  # bots that wait for their turn to think

    def run(self) -> None:
        while not self.over:
            self._process_messages()
            try:
                self._ask() if self._is_asked() else self._wait()
            except PromptOutdated as outdated:
                self._keep_typed_text(outdated)
        self._finish()

    def _keep_typed_text(self, outdated: PromptOutdated) -> None:
        """Keep the typed text if only the choices have changed; discard an answer to a question that is over."""
        typed = self.screen.line.text
        if not outdated.same_question:
            self.screen.forget(but="/")
        elif typed and not typed.startswith("/"):
            self.screen.ignore_enter(ENTER_DELAY)

    def _is_asked(self) -> bool:
        position = self.connection.position
        return bool(self.interactive and not self.over and self.human and position and position.offers)

    def _ask(self) -> None:
        human, position = self.human, self.connection.position
        assert human and position
        action = human.choose(position.view, position.offers)
        if action is WAIT:
            return self._wait()
        try:
            self.own_step = self.thread.call(self.connection.act(action), self._show_connection)
        except (Declined, ConnectionLost) as refusal:
            print_text(self.out, f"  {refusal}")
        return None

    def _wait(self) -> None:
        """Wait for a message from the server; meanwhile the person may use commands."""
        while not self._process_messages():
            line = self._poll_line()
            if line and not self._run_command(line):
                print_text(self.out, CATALOGUE.say(self.lang, self._waiting_help()), "dim")

    def _waiting_help(self) -> str:
        """Return the key of the text about what a person can do while waiting."""
        if self.connection.you.seat is None:
            return "live.watching"
        return "help.live" if self.connection.table and self.connection.table.status == "gathering" else "live.wait"

    def read_line(self, prompt: str) -> str:
        """Read an answer while the others play; commands are run in between."""
        choices = self._choices()
        self.screen.ask(prompt)
        while True:
            line = self._poll_line()
            if line and not line.startswith("/"):
                return line
            if line:
                self._run_command(line)
                self.screen.ask(prompt)
            self._process_messages()
            if self.over or self._choices() != choices:
                raise PromptOutdated(same_question=not self.over and self._choices()[0] == choices[0])

    def _choices(self) -> tuple[str | None, list[Any]]:
        position = self.connection.position
        return (position.question, [offer.action for offer in position.offers]) if position else (None, [])

    def _poll_line(self) -> str:
        """Return a line if one is typed within a tick, else an empty string."""
        self._show_connection()
        if not (self.interactive and self.welcomed):  # input waits until the first welcome
            time.sleep(TICK)
            return ""
        line = self.screen.poll(TICK)
        if line == "":
            raise PlayerLeft
        return line or ""

    def _show_connection(self) -> None:
        """Show the clock, or for how long the connection has been lost."""
        offline, left = self.connection.seconds_offline(), self.connection.seconds_left()
        if not self.offline and offline > OFFLINE_NOTICE:
            self._print_message("live.lost")
        elif self.offline and not offline:
            self.screen.show_status("")
            self._print_message("live.found")
        self.offline = offline > OFFLINE_NOTICE
        if self.offline:
            show_time(self.screen, offline, CATALOGUE.say(self.lang, "live.trying"))
        elif left is not None:
            pausing = self.connection.clock is not None and self.connection.clock.kind == "pause"
            show_time(self.screen, left, CATALOGUE.say(self.lang, "live.pause.left") if pausing else "")

    def _run_command(self, line: str) -> bool:
        """Run a command; return False if the line is not one."""
        text, position = line.strip(), self.connection.position
        if text.startswith("/"):
            self._slash_command(text)
        elif text in ("q", "quit", "exit") and not self.human:
            raise PlayerLeft
        elif self.human and position and text in self.human.commands:
            self.human.commands[text](position.view)
            self._mention_more(self.human.pager.waiting)
        else:
            return not text
        return True

    def _mention_more(self, count: int) -> None:
        """Mention that a list has another page, since no prompt does."""
        if count:
            print_text(self.out, CATALOGUE.say(self.lang, "menu.more", count=count), "dim")

    def _slash_command(self, text: str) -> None:
        try:
            self.thread.call(self.commands.parse(text), self._show_connection)
        except JamboreeError as refusal:
            print_text(self.out, f"  {refusal}")

    def _process_messages(self) -> bool:
        """Show the messages received since the last call; return whether there were any."""
        messages = self.thread.received()
        for message in messages:
            self._show(message)
        return bool(messages)

    def _show(self, news: News) -> None:
        set_avatars(self.connection.table.avatars if self.connection.table else ())
        match news:
            case frames.Welcome():
                self._on_welcome(news)
            case frames.TableChanged():
                self._show_table()
            case frames.Update():
                self._narrate_step(news)
                self.narrated = news.seq
                if self.human:
                    self.human.moved = news.seq == self.own_step
            case frames.Chat():
                self._show_chat(news.message)
        table, position = self.connection.table, self.connection.position
        ended = (position and position.outcome) or (table and (table.reason or table.status == "closed"))
        self.over = bool(ended) and self.narrated == self.connection.seq  # the connection may be ahead of what is shown

    def _on_welcome(self, welcome: frames.Welcome) -> None:
        if welcome.missed is None and self.connection.position:
            past = [step for step in self.past() if self.narrated < step.seq <= welcome.seq]
            for step in past[-MAX_PAST_STEPS:] if self.interactive else past:
                self._narrate(step.sentences)
        for missed in welcome.missed or []:
            self._narrate_step(missed)
        self.narrated = welcome.seq
        self._show_table()
        if not self.welcomed:
            self.welcomed = True
            self._explain_role(welcome.you)
        if self.human is None and self.connection.position and welcome.you.seat is not None:
            self._sit_down(welcome.you.seat)

    def _explain_role(self, you: parts.You) -> None:
        """Explain what a host, guest or spectator can do."""
        table = self.connection.table
        if you.seat is None:
            self._print_message("live.watching")
        elif table and table.status == "gathering":
            best = self.commands.levels()[-1]
            self._print_message("live.host" if table.host == you.person else "live.guest", level=best)

    def _sit_down(self, seat: int) -> None:
        table = self.connection.table
        assert table
        human = self.human = OnlineHuman(
            find(table.game, table.rules), seat, self.connection.names(), self.lang, self.out
        )
        human.ask_for_hint = lambda: self.thread.call(self.connection.hint(), self._show_connection)
        human.read = self.read_line
        human.paged = False
        human.take_back = self._take_back
        human.refresh = self._current_choice
        human.may_wait = lambda: bool(self.connection.position and len(self.connection.position.actors) > 1)
        others = ", ".join(name for other, name in enumerate(human.names) if other != seat)
        self._print_message("welcome", game=human.game.info.title, number=seat + 1, count=table.seats, others=others)
        self._print_message("live.speak")

    def _current_choice(self) -> tuple[Any, Sequence[Any]]:
        position = self.connection.position
        if position is None:
            raise PromptOutdated
        return position.view, position.offers

    def _take_back(self) -> str:
        """Request an undo; its result arrives as a message of the server."""
        self._slash_command("/undo")
        return ""

    def _show_table(self) -> None:
        table = self.connection.table
        assert table
        if self.human:
            self.human.names = self.connection.names()
        if table.status == "gathering":
            names = [name for _, name in sorted(self.connection.occupied_seats().items())]
            people = (", ".join(clean(name) for name in names), table.seats - len(names))
            if people != self.people:
                self.people = people
                self._print_message("live.people", names=people[0], count=people[1])
        self._show_lobby(table)
        if table.paused != self.paused:
            self.paused = table.paused
            prefix = "" if table.host == self.connection.you.person else "others."
            host = next((person.name for person in table.people if person.person == table.host), "?")
            self._print_message(f"live.pause.{prefix}{table.paused}", name=clean(host))
        self._show_undo_vote(table)
        self._show_queue(table)

    def _show_queue(self, table: parts.TableInfo) -> None:
        """Print once that a bot waits for its turn to think."""
        known, self.queued = self.queued, {waiting.seat for waiting in table.queue}
        for seat, count in [(waiting.seat, waiting.before) for waiting in table.queue if waiting.seat not in known]:
            name = clean(self.connection.names()[seat])
            print_text(self.out, "  " + CATALOGUE.say(self.lang, "live.queue", name=name, count=count), "dim")

    def _show_lobby(self, table: parts.TableInfo) -> None:
        """Print what has changed about avatars, who begins, and requests for seats."""
        lobby = LobbyView(table, self.connection.you, self.connection.occupied_seats(), self.lang)
        before, self.lobby_lines = (
            self.lobby_lines,
            [*lobby.lines(), *seat_request_lines(table, self.connection.you, self.lang)],
        )
        for line in self.lobby_lines:
            if line not in before:
                print_text(self.out, line)
        requests, self.swap_requests = self.swap_requests, {person.person for person in lobby.swap_requests()}
        if requests - self.swap_requests and table.status == "gathering":
            self._print_message("live.avatar.over")

    def _show_undo_vote(self, table: parts.TableInfo) -> None:
        """Print a request to take a move back, and when it is settled."""
        before, self.undo_vote = self.undo_vote, undo_vote_line(table, self.connection.you.person, self.lang)
        if self.undo_vote and self.undo_vote != before:
            print_text(self.out, self.undo_vote)
        elif before and not self.undo_vote:
            self._print_message("live.undo.over")

    def _narrate_step(self, step: frames.Update | parts.StepInfo) -> None:
        self._narrate([*([step.note.sentence] if step.note else []), *step.sentences])

    def _narrate(self, sentences: list[str]) -> None:
        if table := self.connection.table:
            gain, names = gain_pattern(find(table.game, table.rules).words, self.lang), self.connection.names()
            for sentence in filter(None, sentences):
                print_event(self.out, sentence, names, gain)

    def _show_chat(self, line: Any) -> None:
        table = self.connection.table
        people, words = (table.people, find(table.game, table.rules).words) if table else ([], None)
        name = line.bot or next((person.name for person in people if person.person == line.person), "?")
        text = (words.text(f"phrase.{line.phrase}", self.lang) if words and line.phrase else None) or line.text
        key = "live.whispers" if line.to is not None else "live.says"
        print_text(self.out, "  " + CATALOGUE.say(self.lang, key, name=clean(name), text=text), "dim")

    def _finish(self) -> None:
        table, position = self.connection.table, self.connection.position
        assert table
        if not position or not position.outcome:
            self._print_message("live.closed" if table.status == "closed" else "live.left-alone", reason=table.reason)
            return
        game, names = find(table.game, table.rules), self.connection.names()
        if self.human:
            show_board(self.out, game, position.view, names, self.lang)
        show_result(self.out, game, position.view, position.outcome, names, self.lang, self.connection.you.seat)

    def _print_message(self, key: str, **params: object) -> None:
        print_text(self.out, CATALOGUE.say(self.lang, key, **params))
