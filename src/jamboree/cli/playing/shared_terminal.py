"""Hot-seat play: several people pass one terminal around, and the screen is wiped before the next one looks."""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from rich.console import Console

from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, JamboreeError
from jamboree.core.game import Actor, AnyGame, Viewer
from jamboree.core.journal import About, Journal, steps
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Match, Player, Whisper
from jamboree.core.words import clean
from jamboree.fast.cache import quiet

from ..language import CATALOGUE
from ..output import print_text
from ..screen import WIPE, Screen
from .human import Human, MoveTakenBack, PlayerLeft
from .local import LocalGame, resumable
from .narration import Narrator, sentences
from .seating import label, make_bots, own_name, warm_up

ENTER_DELAY = 0.5  # seconds in which a second Enter of the previous person does not reveal the next one's screen
TALL_WINDOW = 36  # lines that have space for both the recent events and the board
MAX_MISSED = 8  # sentences shown to the next person


class SharedDevice:
    """Knows who is looking at the screen, and what each person has missed since they last looked."""

    def __init__(self, names: Sequence[str], lang: str, screen: Screen) -> None:
        self.names, self.lang = names, lang
        self.screen, self.out = screen, screen.out
        self.holder: int | None = None
        self._missed: dict[int, list[str]] = {}

    def record(self, sentences: Sequence[str]) -> None:
        """Record public events for those who are not looking."""
        for seat in range(len(self.names)):
            if seat != self.holder:
                self._missed.setdefault(seat, []).extend(sentences)

    def record_past(self, actor: int | None, sentences: Sequence[str]) -> None:
        """Record a step of an earlier session, which only its actor saw."""
        if actor is not None:
            self._missed.pop(actor, None)
        self.holder = actor
        self.record(sentences)
        self.holder = None

    def end(self) -> None:
        """Wipe the screen for everybody and show the longest list of missed events."""
        self.holder = None
        self.wipe()
        self._show_missed(max(self._missed.values(), key=len, default=[]))

    def pass_to(self, seat: int, ask: Callable[[str], str]) -> bool:
        """Wipe the screen and wait for the next person; return whether the device changed hands."""
        if seat == self.holder:
            return False
        self.holder = None
        self.wipe()
        self.screen.forget()
        self.screen.ignore_enter(ENTER_DELAY)
        name = clean(self.names[seat])
        print_text(self.out, CATALOGUE.say(self.lang, "around.pass", name=name), "strong")
        ask(CATALOGUE.say(self.lang, "around.enter", name=name) + " ")
        self.wipe()
        self.holder = seat
        any_missed = self._show_missed(self._missed.pop(seat, []))
        if any_missed and self.out.is_terminal and self.out.height < TALL_WINDOW:
            ask(CATALOGUE.say(self.lang, "around.read") + " ")
        return True

    def wipe(self) -> None:
        """Clear a terminal including its scrollback; print an empty line to a file."""
        if self.out.is_terminal:
            self.out.file.write(WIPE)
            self.out.file.flush()
        else:
            self.out.print()

    def _show_missed(self, sentences: list[str]) -> bool:
        if sentences:
            print_text(self.out, CATALOGUE.say(self.lang, "around.since"), "dim")
        for sentence in sentences[-MAX_MISSED:]:
            print_text(self.out, f"  {sentence}")
        return bool(sentences)


class SharedHuman(Human):
    """One of several people at a terminal, asked only once they have the device."""

    device: SharedDevice

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        question = self.game.words.question(view, self.lang)
        if self.may_wait() and (self.waits_through == question or (self.patient and len(offers) == 1)):
            return WAIT
        if self.device.pass_to(self.seat, self.ask):
            self.moved = False
        action = super().choose(view, offers)
        if action is WAIT:
            self.waits_through = question  # the device does not return for the same question
        return action


class SharedGame(LocalGame):
    """A game in which people have the first seats and bots the rest."""

    def __init__(self, match: Match, about: About, luck: int, lang: str, out: Console) -> None:
        super().__init__(match, about, luck, lang, out)
        self.device = SharedDevice(match.names, lang, self.screen)
        self.people = [self._shared_human(seat) for seat in range(about.people)]

    def play(self) -> None:
        if self.game.timer(self.match.state):
            raise JamboreeError(CATALOGUE.say(self.lang, "around.untimed"))
        for remark in self.game.words.remarks(self._options(), self.lang):
            self.out.print(remark)
        players = [*self.people, *make_bots(self.game, self.about.bots, self.luck, wait=False)]
        for person in self.people:
            person.journal = self.journal.shown if self.journal else None
        self.match.listeners.append(self._narrate_to_holder)
        self.match.hearers.append(self._hear_for_holder)
        try:
            with self.screen, quiet():
                warm_up(players)
                self.run(players, None)
        except PlayerLeft:
            self.device.wipe()
            self._say_left()
        except KeyboardInterrupt:
            self.device.wipe()
            self._say_left()
            raise

    def narrator(self, viewer: Viewer) -> Narrator:
        """Narrate nothing to everybody at once: `_narrate_to_holder` does it for the person who looks."""
        return _SilentNarrator(self.game, viewer, self.match.names, self.lang, self.out)

    def finish(self, viewer: Viewer) -> None:
        self.device.end()
        super().finish(viewer)

    def play_out(self, players: list[Player], rng: random.Random) -> None:
        """Play to the end: the holder of the device as long as possible, then bots, then the next person."""
        waiting: set[Actor] = set()
        while actors := self.game.to_act(self.match.state):
            seats = sorted(actor for actor in actors if isinstance(actor, int))
            able = [seat for seat in seats if seat not in waiting]
            if not able:
                self._end_shared_stall(seats, waiting)
                continue
            seat = self._next_seat(able)
            try:
                action = self._choice_of(players[seat], seat)
            except MoveTakenBack:
                waiting.clear()
                continue
            if action is WAIT:
                waiting.add(seat)
            else:
                self.match.act(seat, action)
                waiting.clear()

    def _next_seat(self, able: list[int]) -> int:
        """Prefer the holder of the device, then a bot, then the next person around the table."""
        last = -1 if self.device.holder is None else self.device.holder
        if last in able:
            return last
        people = len(self.people)
        return min(able, key=lambda seat: (seat < people, (seat - last - 1) % people if seat < people else seat))

    def _choice_of(self, player: Player, seat: int) -> Any:
        state = self.match.state
        self.human = player if isinstance(player, Human) else None
        return player.choose(self.game.view(state, seat), self.game.legal(state, seat))

    def _end_shared_stall(self, seats: list[int], waiting: set[Actor]) -> None:
        """When everybody waits, ask people again, the first of them without the choice to wait."""
        first = next((self.people[seat] for seat in seats if seat < len(self.people)), None)
        waiting.clear()
        for person in self.people:
            person.waits_through, person.patient = None, False
        if first is None:
            return
        self.human = first
        with suppress(MoveTakenBack):
            self.match.act(first.seat, first.choose_without_waiting())

    def _shared_human(self, seat: int) -> SharedHuman:
        match, game = self.match, self.game
        person = SharedHuman(game, seat, match.names, self.lang, self.out)
        person.device = self.device
        person.patient = True
        person.read = self.screen.read
        person.may_wait = lambda: len(game.to_act(match.state)) > 1
        person.refresh = lambda: (game.view(match.state, seat), game.legal(match.state, seat))
        person.take_back = self.take_back
        match.listeners.append(lambda actor, *_: setattr(person, "moved", actor == seat))
        return person

    def _narrate_to_holder(self, actor: Actor, action: Any, events: list[Any]) -> None:
        """Record the public events for everybody else, and narrate to the holder what they witness."""
        self.device.record(sentences(self.game, events, None, self.match.names, self.lang))
        if self.device.holder is not None:
            Narrator(self.game, self.device.holder, self.match.names, self.lang, self.out)(actor, action, events)

    def _hear_for_holder(self, seat: int, whisper: Whisper) -> None:
        if self.device.holder is not None:
            Narrator(self.game, self.device.holder, self.match.names, self.lang, self.out).hear(seat, whisper)


class _SilentNarrator(Narrator):
    def __call__(self, actor: Actor, action: Any, events: list[Any]) -> None:
        return


def begin_shared(
    game: AnyGame, seats: int, options: Any, luck: int, about: About, people: list[str], lang: str, out: Console
) -> SharedGame:
    """Set up a game of several people, seated in the order of their names."""
    names = [own_name(name) for name in people]
    names += [label(bot, len(people) + index, lang) for index, bot in enumerate(about.bots)]
    try:
        match = Match(game, seats, options, Seeded(luck), names, about)
    except BadOptions as error:
        raise JamboreeError(error.say(lang)) from None
    return SharedGame(match, about, luck, lang, out)


def resume_shared_game(game: AnyGame, journal: Journal, luck: int, day: str, lang: str, out: Console) -> SharedGame:
    """Resume a game of several people; each is shown the public events since their last move."""
    about = resumable(journal, day, lang)
    shared = SharedGame(Match.resumed(game, journal, Seeded(luck)), about, luck, lang, out)
    shared.resumed = True
    for step in steps(journal, game):
        actor = step.entry.actor if step.entry and isinstance(step.entry.actor, int) else None
        shared.device.record_past(actor, sentences(game, step.events, None, shared.match.names, lang))
    return shared
