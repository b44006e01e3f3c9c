"""The local game loop: asks players, fires the clock, records the journal."""

import random
from collections.abc import Callable, Sequence
from enum import Enum
from math import inf
from typing import Any, Protocol, runtime_checkable

import msgspec

from jamboree import __version__

from .chance import Chance, Recorded
from .errors import Stalled
from .game import Actor, AnyGame, Nature, Timer, ignore_events
from .journal import FORMAT, About, Entry, Header, Journal, steps
from .offers import Offer
from .table_options import read_options


class Answer(Enum):
    WAIT = "wait"  # not an action: the player waits until another actor has acted


WAIT = Answer.WAIT


class Later(msgspec.Struct, frozen=True):
    """An answer in a timed phase: the player waits for a number of seconds."""

    seconds: float


class Whisper(msgspec.Struct, frozen=True):
    """An answer: the player says one of the game's phrases to another player, and is asked again at once."""

    phrase: str
    to: int


class Player(Protocol):
    """A participant at a seat. It is given exactly the information that a person at that seat would have."""

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any: ...


@runtime_checkable
class TimedPlayer(Player, Protocol):
    """A player that is given the seconds left in a timed phase and may answer `Later`."""

    def in_time(self, view: Any, offers: Sequence[Offer[Any]], left: float) -> Any: ...


def ask(player: Player, view: Any, offers: Sequence[Offer[Any]], left: float | None) -> Any:
    """Ask a player for an action, passing the remaining time if the phase is timed."""
    if left is not None and isinstance(player, TimedPlayer):
        return player.in_time(view, offers, left)
    return player.choose(view, offers)


Listener = Callable[[Actor, Any, list[Any]], None]
Hearer = Callable[[int, Whisper], None]


class Watch:
    """Virtual time: it advances only when players choose to wait."""

    def __init__(self) -> None:
        self.now = 0.0
        self._number: int | None = None
        self._ends = inf

    def left(self, timer: Timer | None) -> float | None:
        """Return the seconds left in the current phase."""
        if timer is None:
            return None
        if timer.number != self._number:
            self._number, self._ends = timer.number, self.now + timer.seconds
        return self._ends - self.now


class Match:
    """A running local game and its journal. Listeners receive unredacted events, so they must be trusted."""

    def __init__(
        self,
        game: AnyGame,
        seats: int,
        options: Any,
        chance: Chance,
        names: Sequence[str] = (),
        about: About | None = None,
    ) -> None:
        self.game = game
        self.chance = Recorded(chance)
        typed = read_options(game, options)
        self.state = game.setup(seats, typed, self.chance)
        self.listeners: list[Listener] = []
        self.hearers: list[Hearer] = []
        self.watch = Watch()
        named = list(names) or [f"Seat {seat + 1}" for seat in range(seats)]
        header = Header(FORMAT, 1, game.info.key, game.info.rules_version, seats, named, msgspec.to_builtins(typed))
        self._journal = Journal(header, self.chance.take_picks(), [], about=about or About(__version__))

    @classmethod
    def resumed(cls, game: AnyGame, journal: Journal, chance: Chance) -> "Match":
        """Resume a saved game, drawing further picks from `chance`."""
        match = cls.__new__(cls)
        *_, last = steps(journal, game)
        match.game = game
        match.chance = Recorded(chance)
        match.state = last.state
        match.listeners = []
        match.hearers = []
        match.watch = Watch()
        match._journal = journal
        return match

    @property
    def names(self) -> list[str]:
        return self._journal.header.names

    def act(self, actor: Actor, action: Any) -> None:
        """Apply one action and record it; on Illegal, match and journal are unchanged."""
        events: list[Any] = []
        emit = events.append if self.listeners else ignore_events
        self.game.apply(self.state, actor, action, self.chance, emit)
        entry = Entry(actor, msgspec.to_builtins(action), self.chance.take_picks())
        self._journal.entries.append(entry)
        for listener in self.listeners:
            listener(actor, action, events)

    def whisper(self, seat: int, whisper: Whisper) -> None:
        """Pass on what a player said to another one; it is not part of the journal."""
        for hear in self.hearers:
            hear(seat, whisper)

    def take_back(self, seat: int, to: int) -> None:
        """Undo to an earlier step and record the undo."""
        step = next(step for step in steps(self._journal, self.game) if step.number == to)
        self.state = step.state.clone()
        self._journal.entries.append(Entry(seat, {}, [], undo=to))

    def journal(self) -> Journal:
        if self._journal.about:
            self._journal.about.result = self.game.outcome(self.state)
        self._journal.close(self.state)
        return self._journal


def play(match: Match, players: Sequence[Player], rng: random.Random) -> None:
    """Play a match to its end."""
    waiting: dict[Actor, float] = {}  # the time until which each waiting actor is not asked
    while actors := match.game.to_act(match.state):
        left = match.watch.left(match.game.timer(match.state))
        actor = _next_actor(actors, waiting, rng, match.watch, left)
        if actor is Nature.CLOCK:
            match.watch.now += left or 0.0
            match.act(actor, match.game.legal(match.state, actor)[0].action)
            waiting.clear()
            continue
        waiting.pop(actor, None)
        view, offers = match.game.view(match.state, actor), match.game.legal(match.state, actor)
        action = ask(players[actor], view, offers, match.watch.left(match.game.timer(match.state)))
        if isinstance(action, Whisper):
            match.whisper(actor, action)
        elif action is WAIT or isinstance(action, Later):
            waiting[actor] = inf if action is WAIT else match.watch.now + action.seconds
        else:
            match.act(actor, action)
            waiting = {seat: until for seat, until in waiting.items() if until < inf}


def _next_actor(
    actors: frozenset[Actor], waiting: dict[Actor, float], rng: random.Random, watch: Watch, left: float | None
) -> Actor:
    """Pick a random seat that may act; if all wait, advance time to the first deadline."""
    seats = sorted(actor for actor in actors if isinstance(actor, int) and actor not in waiting)
    if seats:
        return seats[0] if len(seats) == 1 else rng.choice(seats)
    until, first = min(((waiting[actor], str(actor)) for actor in actors & waiting.keys()), default=(inf, ""))
    if until < watch.now + (inf if left is None else left):
        watch.now = until
        return next(actor for actor in actors if str(actor) == first)
    if Nature.CLOCK in actors:
        return Nature.CLOCK
    raise Stalled("Every player waits for the others, and no clock runs.")
