"""Game review by Monte Carlo evaluation: every position is played out, every decision compared with alternatives."""

from collections.abc import Iterator
from math import sqrt
from typing import Any
from zlib import crc32

import msgspec

from jamboree.bots import Budget
from jamboree.bots.search import NativeSearch, can_search, request_of_state
from jamboree.core.errors import BadOptions, JamboreeError
from jamboree.core.extras import MissingExtra
from jamboree.core.game import Actor, AnyGame, Nature, read_action
from jamboree.core.journal import Entry, Journal, steps
from jamboree.core.twin.interface import CLOCK
from jamboree.fast.playouts import NOBODY

from ..advice import compare_actions
from ..greedy import greedy_index
from .analysis import Analysis, DecisionLoss, LuckEffect, WinChances
from .fingerprint import analysis_fingerprint

PLAYOUTS = 200  # from each position, by default
DECISION_FACTOR = 4  # times as many playouts for a decision
CLEARLY = 2.0  # standard errors by which a better action must be better to count
SETUP = 0


def can_review(game: AnyGame) -> bool:
    return can_search(game)


class GameReview:
    """A review in progress. Iterating analyses one step after the other; a draft is continued."""

    def __init__(
        self, game: AnyGame, journal: Journal, draft: Analysis | None = None, playouts: int = PLAYOUTS
    ) -> None:
        if not can_review(game):
            raise MissingExtra(f"Reviewing a game of {game.info.title} needs numba", "fast")
        self.game, self.journal = game, journal
        header = journal.header
        self.options = msgspec.convert(header.options, game.info.options)
        fresh = Analysis(header.game, header.rules, header.seats, playouts, len(journal.entries))
        code = analysis_fingerprint(header.game)
        fresh = msgspec.structs.replace(fresh, moments=[], decisions=[], luck=[], sections={}, fingerprint=code)
        usable = draft and (draft.playouts, draft.steps, draft.fingerprint) == (playouts, fresh.steps, code)
        self.analysis = draft if draft and usable else fresh
        self._seed = crc32(journal.seal.encode())

    def __iter__(self) -> Iterator[Analysis]:
        effective = effective_steps(self.journal)
        before = None
        events = list[Any]()
        for step in steps(self.journal, self.game):
            if step.number in effective:
                events += step.events
                if step.number > self.analysis.done:
                    self._analyse_step(step.number, step.entry, before, step.state)
                    yield self.analysis
                before = step.state.clone()
        self.analysis.done = self.analysis.steps
        for section in self.game.review:
            rows = section.rows(events, self.journal.header.seats)
            self.analysis.sections[section.key] = [list(row) for row in rows]
        yield self.analysis

    def _analyse_step(self, number: int, entry: Entry | None, before: Any, after: Any) -> None:
        analysis, chances = self.analysis, self._chances(after)
        analysis.moments.append(WinChances(number, entry.actor if entry else None, chances))
        if entry is None:
            fair = [1 / analysis.seats] * analysis.seats
            analysis.luck.append(LuckEffect(number, self._shrunk(chances, fair, 1 / analysis.playouts)))
        else:
            self._analyse_action(number, entry, before, chances)
        analysis.done = number

    def _analyse_action(self, number: int, entry: Entry, before: Any, chances: list[float]) -> None:
        action = read_action(self.game, entry.action)
        offers = self.game.legal(before, entry.actor)
        index = next(at for at, offer in enumerate(offers) if offer.action == action)
        if entry.picks:
            expected = self._chances(before, entry.actor, index)
            changes = self._shrunk(chances, expected, 2 / self.analysis.playouts)
            self.analysis.luck.append(LuckEffect(number, changes))
        if isinstance(entry.actor, int) and len(offers) > 1:
            self._analyse_decision(number, entry.actor, index, before, offers)

    def _analyse_decision(self, number: int, seat: int, index: int, before: Any, offers: Any) -> None:
        """Compare an action with the best one, from its player's view alone."""
        view, seed = self.game.view(before, seat), self._seed + number
        greedy = greedy_index(self.game, view, offers, seed)
        budget = Budget(playouts=DECISION_FACTOR * self.analysis.playouts)
        comparison = compare_actions(self.game, view, offers, greedy, budget, seed, also=[index], most=1)
        if comparison is None:
            return
        best, own = comparison.estimates[0], next(each for each in comparison.estimates if each.offer == index)
        kept = _shrinkage(best.value - own.value, CLEARLY * own.error)
        chosen = [round(chance, 4) for chance in own.chances]
        reached = [
            round(chance + kept * (other - chance), 4) for chance, other in zip(own.chances, best.chances, strict=True)
        ]
        loss = round(reached[seat] - chosen[seat], 4)
        if loss <= 0:
            self.analysis.decisions.append(DecisionLoss(number, seat, 0.0, None))
            return
        better = None if best.offer < 0 else msgspec.to_builtins(offers[best.offer].action)
        self.analysis.decisions.append(DecisionLoss(number, seat, loss, better, reached, chosen))

    def _chances(self, state: Any, actor: Actor = 0, index: int = NOBODY) -> list[float]:
        """Return each seat's chance to win from a position, or after an action there, with other picks each time."""
        outcome = self.game.outcome(state)
        if outcome:
            return [(seat in outcome.winners) / len(outcome.winners) for seat in range(self.analysis.seats)]
        number = CLOCK if actor is Nature.CLOCK else actor
        try:
            request = request_of_state(self.game, state, self.options, self._seed, number)
        except BadOptions as error:  # a board that is too large for the twin
            raise JamboreeError(f"This game can't be reviewed: {error}") from None
        found = NativeSearch(request).run([index], self.analysis.playouts, None, keep=0)
        return [round(chance, 4) for chance in found.chances(0)]

    def _shrunk(self, after: list[float], expected: list[float], variance: float) -> list[float]:
        """Return the changes of the chances, shrunk according to the sampling error of the playouts."""
        changes = [new - old for new, old in zip(after, expected, strict=True)]
        errors = [sqrt(variance * old * (1 - old)) for old in expected]
        return [round(change * _shrinkage(change, error), 4) for change, error in zip(changes, errors, strict=True)]


def _shrinkage(change: float, error: float) -> float:
    """Return the James–Stein shrinkage factor of a change with a standard error."""
    return max(0.0, 1 - (error / change) ** 2) if change else 0.0


def effective_steps(journal: Journal) -> set[int]:
    """Return the numbers of the steps that were not undone; undoing is none of them."""
    numbers = [SETUP]
    for number, entry in enumerate(journal.entries, 1):
        if entry.undo is None:
            numbers.append(number)
        else:
            to = entry.undo
            numbers = [each for each in numbers if each <= to]
    return set(numbers)
