"""Lockstep of the reference and its twin, with the same picks: they must agree after every step."""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

import msgspec
import numpy as np

from jamboree.core.chance import Pick, Recorded, Seeded
from jamboree.core.game import Actor, Nature
from jamboree.core.geometry import bits
from jamboree.core.journal import Journal, steps
from jamboree.core.offers import Menu, Offer
from jamboree.core.twin.chance import CHANCE, SCRIPT
from jamboree.core.twin.interface import CLOCK
from jamboree.fast import load, sources
from jamboree.fast.compiling import Compiled
from jamboree.games import find

LIKED = 0.6  # how often a kind of action is chosen first, so that rare ones come up


def samples(key: str) -> list[Any]:
    """Return the options a game is tested with, and more where its twin asks for more."""
    return [*find(key).info.samples, *getattr(import_module(f"tests.fast.mistakes.{key}"), "MORE", ())]


class Differs(AssertionError):
    """The twin says something else than the reference."""


def agree(what: str, reference: object, twin: object) -> None:
    if reference != twin:
        raise Differs(f"{what}: the reference says {reference}, the twin {twin}")


def script(picks: Sequence[Pick]) -> Any:
    """Write picks as a chance that repeats them."""
    numbers = [0] * CHANCE + [number for pick in picks for number in (pick.n, pick.index)]
    numbers[SCRIPT] = CHANCE
    return [numbers]


def numbered(actor: Actor) -> int:
    return CLOCK if actor is Nature.CLOCK else int(actor)


def as_list(values: Any, dtype: Any) -> Any:
    return values


@lru_cache(maxsize=10_000)
def cells(mask: int) -> tuple[int, ...]:
    return tuple(bits(mask))


class Pair:
    """One game in both forms. `twin` may be another one than the real one: a broken one, for instance."""

    def __init__(self, key: str, seats: int, options: Any, picks: Sequence[Pick], state: Any, twin: Any = None) -> None:
        self.key, self.game, self.bridge = key, find(key), sources.bridge(key)
        self.twin = twin or load(key)
        self.array = np.array if isinstance(self.twin, Compiled) else as_list  # plain Python wants plain numbers
        layout, table = sources.layout(key), self.bridge.table(seats, options)
        self.t, self.state = self.array(table, np.int64), state
        self.m, self.s = self.array([[0] * layout.MASKS], np.int64), self.array([[0] * layout.SMALLS], np.int16)
        self.actions = self.game.actions(state)
        self.ids = {id(action): number for number, action in enumerate(self.actions)}
        self.listed: dict[int, tuple[Any, list[int]]] = {}  # offers by their id; kept, so that the id is
        self.numbers = self.array([0] * len(self.actions), np.int64)
        self.actor, self.chosen = self.array([0], np.int64), self.array([0], np.int64)
        self.ended, self.winners = self.array([False], np.bool_), self.array([[False] * seats], np.bool_)
        self.scores = self.array([[0] * seats], np.int64)
        c = self.array(script(picks), np.int64)
        self.twin.begin_rows(self.m, self.s, c, self.t, -1, 0, 1)
        self.compare("the set-up", c)

    def lay(self) -> None:
        """Let the twin start anew from the reference's state, which a test has changed."""
        masks, smalls = self.bridge.row_of(self.state)
        self.m[0][:], self.s[0][:] = masks, smalls

    def follow(self, actor: Actor, action: int, picks: Sequence[Pick], what: str) -> None:
        """Do in the twin what the reference has done, and compare."""
        c = self.array(script(picks), np.int64)
        self.actor[0], self.chosen[0] = numbered(actor), action
        what_is_done = (self.actor, self.chosen, self.scores, self.ended, self.winners)
        self.twin.step_rows(self.m, self.s, c, self.t, *what_is_done, 0, 0, 1)
        agree(f"{what}: scores", self.game.scores(self.state), tuple(map(int, self.scores[0])))
        self.compare(what, c)

    def compare(self, what: str, c: Any) -> None:
        agree(f"{what}: picks used", len(c[0]), int(c[0][SCRIPT]))
        masks, smalls = self.bridge.row_of(self.state)
        self._compare_row(f"{what}: words", masks, self.m[0])
        self._compare_row(f"{what}: small numbers", smalls, self.s[0])
        acting, mask = self.game.to_act(self.state), self.twin.actors(self.m[0], self.s[0], self.t)
        agree(f"{what}: actors", sum(1 << numbered(actor) for actor in acting), mask)
        for actor in acting:
            agree(f"{what}: legal for {actor}", self.reference_legal(actor), self.twin_legal(actor))
        if not acting:
            winners = [seat for seat, won in enumerate(self.winners[0]) if won]
            outcome = self.game.outcome(self.state)
            agree(f"{what}: winners", outcome and outcome.winners, winners)

    def _compare_row(self, what: str, reference: list[int], twin: Any) -> None:
        values = twin if isinstance(twin, list) else twin.tolist()
        if values != reference:
            at = next(at for at, value in enumerate(values) if value != reference[at])
            agree(f"{what} {at}", reference[at], values[at])

    def reference_legal(self, actor: Actor) -> list[int]:
        offers = self.game.legal(self.state, actor)
        if not isinstance(offers, Menu):
            return self._numbered(offers)
        found: list[int] = []
        for tables, mask in offers.blocks:
            for table in tables:
                found += map(self._numbered(table).__getitem__, cells(mask))
        return found

    def _numbered(self, offers: Sequence[Offer[Any]]) -> list[int]:
        """Number the actions of some offers; the same offers come up again and again."""
        if id(offers) not in self.listed:
            self.listed[id(offers)] = offers, [self.ids[id(offer.action)] for offer in offers]
        return self.listed[id(offers)][1]

    def twin_legal(self, actor: Actor) -> list[int]:
        count = self.twin.list_legal(self.m[0], self.s[0], self.t, numbered(actor), self.numbers)
        numbers = self.numbers[:count]
        return list(numbers if isinstance(numbers, list) else numbers.tolist())


def play(key: str, seats: int, options: Any, number: int, twin: Any = None) -> Iterator[str]:
    """Play a random game in both forms, and yield the actions of each step."""
    rng = random.Random(f"{key} {seats} {number}")
    game, chance = find(key), Recorded(Seeded(rng.getrandbits(32)))
    state = game.setup(seats, options, chance)
    yield from go_on(Pair(key, seats, options, chance.take_picks(), state, twin), rng, chance, f"game {number}")


def go_on(pair: Pair, rng: random.Random, chance: Recorded, where: str) -> Iterator[str]:
    """Play at random from where both forms are."""
    game, step = pair.game, 0
    while acting := game.to_act(pair.state):
        actor = rng.choice(sorted(acting, key=numbered))
        action = _chosen(rng, pair, actor)
        what = f"{where}, step {step}, {pair.actions[action]}"
        game.apply(pair.state, actor, pair.actions[action], chance)
        pair.follow(actor, action, chance.take_picks(), what)
        step += 1
        yield type(pair.actions[action]).__name__


def _chosen(rng: random.Random, pair: Pair, actor: Actor) -> int:
    """Choose an id: blindly, or first the kind of action."""
    legal = pair.reference_legal(actor)
    if rng.random() < LIKED:
        kinds = sorted({type(pair.actions[action]).__name__ for action in legal})
        kind = rng.choice(kinds)
        legal = [action for action in legal if type(pair.actions[action]).__name__ == kind]
    return rng.choice(legal)


def replay(journal: Journal, twin: Any = None) -> int:
    """Replay a journal in both forms; count the steps."""
    game, header = find(journal.header.game), journal.header
    options = msgspec.convert(header.options, game.info.options)
    pair, number = None, 0
    for step in steps(journal, game):
        if pair is None:
            pair = Pair(header.game, header.seats, options, journal.setup, step.state, twin)
            by_value = {action: number for number, action in enumerate(pair.actions)}
            continue
        assert step.entry is not None
        pair.state = step.state
        action = by_value[msgspec.convert(step.entry.action, game.info.action)]
        pair.follow(step.entry.actor, action, step.entry.picks, f"step {step.number}")
        number = step.number
    return number
