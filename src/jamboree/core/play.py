"""The local driver: asks players, fires the clock, keeps the journal."""

import random
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, Protocol

import msgspec

from jamboree import __version__

from .chance import Chance, Recorded
from .errors import Stalled
from .game import Actor, AnyGame, Nature, quiet
from .journal import FORMAT, About, Entry, Header, Journal, steps
from .offers import Offer


class Answer(Enum):
    WAIT = "wait"  # the driver's word, not the rules': nothing from me until something happens


WAIT = Answer.WAIT


class Player(Protocol):
    """Anything that can sit on a seat. It gets exactly what a person there would get."""

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any: ...


Listener = Callable[[Actor, Any, list[Any]], None]


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
        named = list(names) or [f"Seat {seat + 1}" for seat in range(seats)]
        header = Header(FORMAT, 1, game.info.key, game.info.rules_version, seats, named, msgspec.to_builtins(options))
        self._journal = Journal(header, self.chance.handed_over(), [], about=about or About(__version__))

    @classmethod
    def resumed(cls, game: AnyGame, journal: Journal, chance: Chance) -> "Match":
        """Go on with a game that was kept, by luck of its own from here on."""
        match = cls.__new__(cls)
        *_, last = steps(journal, game)
        match.game, match.chance, match.state, match.listeners = game, Recorded(chance), last.state, []
        match._journal = journal
        return match

    @property
    def names(self) -> list[str]:
        return self._journal.header.names

    def act(self, actor: Actor, action: Any) -> None:
        """Carry out one action and write it down; Illegal leaves match and journal as they were."""
        events: list[Any] = []
        tell = events.append if self.listeners else quiet
        self.game.apply(self.state, actor, action, self.chance, tell)
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
    waiting: set[Actor] = set()
    while actors := match.game.to_act(match.state):
        actor = _next_actor(actors, waiting, rng)
        if actor is Nature.CLOCK:
            match.act(actor, match.game.legal(match.state, actor)[0].action)
            waiting.clear()
            continue
        view = match.game.view(match.state, actor)
        action = players[actor].choose(view, match.game.legal(match.state, actor))
        if action is WAIT:
            waiting.add(actor)
        else:
            match.act(actor, action)
            waiting.clear()


def _next_actor(actors: frozenset[Actor], waiting: set[Actor], rng: random.Random) -> Actor:
    """Pick fairly among the seats that may still do something; the clock runs out when all of them wait."""
    seats = sorted(actor for actor in actors if isinstance(actor, int) and actor not in waiting)
    if seats:
        return seats[0] if len(seats) == 1 else rng.choice(seats)
    if Nature.CLOCK in actors:
        return Nature.CLOCK
    raise Stalled("Every player waits for the others, and no clock runs.")
