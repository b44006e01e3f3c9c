"""The local driver: asks players, fires the clock, keeps the journal."""

import random
from collections.abc import Callable, Sequence
from enum import Enum
from math import inf
from typing import Any, Protocol

import msgspec

from jamboree import __version__

from .chance import Chance, Recorded
from .errors import Stalled
from .game import Actor, AnyGame, Nature, Timer, ignore_events
from .journal import FORMAT, About, Entry, Header, Journal, steps
from .offers import Offer


class Answer(Enum):
    WAIT = "wait"  # the driver's word, not the rules': nothing from me until something happens


WAIT = Answer.WAIT


class Later(msgspec.Struct, frozen=True):
    """An answer against the clock: nothing before so many seconds have gone by."""

    seconds: float


class Player(Protocol):
    """Anything that can sit on a seat. It gets exactly what a person there would get.

    One that also has `in_time(view, offers, left)` is told how many seconds the phase still has, and may say `Later`.
    """

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any: ...


def ask(player: Player, view: Any, offers: Sequence[Offer[Any]], left: float | None) -> Any:
    """Let a player choose, with an eye on the clock where one runs."""
    in_time = None if left is None else getattr(player, "in_time", None)
    return in_time(view, offers, left) if in_time else player.choose(view, offers)


Listener = Callable[[Actor, Any, list[Any]], None]


class Watch:
    """The time that goes by in a match nobody has to wait for: none, but for what players let pass."""

    def __init__(self) -> None:
        self.now = 0.0
        self._number: int | None = None
        self._ends = inf

    def left(self, timer: Timer | None) -> float | None:
        """Give what the phase that runs still has."""
        if timer is None:
            return None
        if timer.number != self._number:
            self._number, self._ends = timer.number, self.now + timer.seconds
        return self._ends - self.now


class Match:
    """One game being played here, with its journal. Listeners hear every event, so they must be trusted."""

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
        self.state = game.setup(seats, options, self.chance)
        self.listeners: list[Listener] = []
        self.watch = Watch()
        named = list(names) or [f"Seat {seat + 1}" for seat in range(seats)]
        header = Header(FORMAT, 1, game.info.key, game.info.rules_version, seats, named, msgspec.to_builtins(options))
        self._journal = Journal(header, self.chance.handed_over(), [], about=about or About(__version__))

    @classmethod
    def resumed(cls, game: AnyGame, journal: Journal, chance: Chance) -> "Match":
        """Go on with a game that was kept, by luck of its own from here on."""
        match = cls.__new__(cls)
        *_, last = steps(journal, game)
        match.game, match.chance, match.state, match.listeners = game, Recorded(chance), last.state, []
        match.watch = Watch()
        match._journal = journal
        return match

    @property
    def names(self) -> list[str]:
        return self._journal.header.names

    def act(self, actor: Actor, action: Any) -> None:
        """Carry out one action and write it down; Illegal leaves match and journal as they were."""
        events: list[Any] = []
        emit = events.append if self.listeners else ignore_events
        self.game.apply(self.state, actor, action, self.chance, emit)
        entry = Entry(actor, msgspec.to_builtins(action), self.chance.handed_over())
        self._journal.entries.append(entry)
        for listener in self.listeners:
            listener(actor, action, events)

    def take_back(self, seat: int, to: int) -> None:
        """Go back to an earlier step, and write that down too."""
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
    waiting: dict[Actor, float] = {}  # until when each of them wants nothing
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
        if action is WAIT or isinstance(action, Later):
            waiting[actor] = inf if action is WAIT else match.watch.now + action.seconds
        else:
            match.act(actor, action)
            waiting = {seat: until for seat, until in waiting.items() if until < inf}


def _next_actor(
    actors: frozenset[Actor], waiting: dict[Actor, float], rng: random.Random, watch: Watch, left: float | None
) -> Actor:
    """Pick fairly among the seats that may still do something; else let time pass until one may, or runs out."""
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
