"""Looks back step by step. What is done can be read at any time, and gone on with later."""

from collections.abc import Iterator
from math import sqrt
from typing import Any
from zlib import crc32

import msgspec

from jamboree.bots import Budget
from jamboree.bots.search import can_search
from jamboree.bots.search.trials import NOBODY, Trials
from jamboree.core.errors import BadOptions, JamboreeError
from jamboree.core.extras import MissingExtra
from jamboree.core.game import Actor, AnyGame, Nature, read_action
from jamboree.core.journal import Entry, Journal, steps
from jamboree.core.twin.interface import CLOCK

from ..advice import compared
from ..instinct import greedy_place
from .analysis import Analysis, Chanced, Decision, Moment
from .sources import analysis_fingerprint

USUAL = 200  # playouts for each position
MORE = 4  # times as many for a decision
CLEARLY = 2.0  # standard errors by which a better action must be better to count
SETUP = 0


def can_look_back(game: AnyGame) -> bool:
    return can_search(game)


class LookBack:
    """A game on its way to being analysed. Iterating takes one step after the other."""

    def __init__(self, game: AnyGame, journal: Journal, kept: Analysis | None = None, playouts: int = USUAL) -> None:
        if not can_look_back(game):
            raise MissingExtra(f"Looking back at {game.info.title} needs numba", "fast")
        self.game, self.journal = game, journal
        header = journal.header
        self.options = msgspec.convert(header.options, game.info.options)
        fresh = Analysis(header.game, header.rules, header.seats, playouts, len(journal.entries))
        by = analysis_fingerprint(header.game)
        fresh = msgspec.structs.replace(fresh, moments=[], decisions=[], luck=[], sections={}, fingerprint=by)
        usable = kept and (kept.playouts, kept.steps, kept.fingerprint) == (playouts, fresh.steps, by)
        self.analysis = kept if kept and usable else fresh
        self._number = crc32(journal.seal.encode())

    def __iter__(self) -> Iterator[Analysis]:
        holding, before, events = holding_steps(self.journal), None, list[Any]()
        for step in steps(self.journal, self.game):
            if step.number in holding:
                events += step.events
                if step.number > self.analysis.done:
                    self._look(step.number, step.entry, before, step.state)
                    yield self.analysis
                before = step.state.clone()
        self.analysis.done = self.analysis.steps
        for section in self.game.review:
            rows = section.rows(events, self.journal.header.seats)
            self.analysis.sections[section.key] = [list(row) for row in rows]
        yield self.analysis

    def _look(self, number: int, entry: Entry | None, before: Any, after: Any) -> None:
        found, chances = self.analysis, self._chances(after)
        found.moments.append(Moment(number, entry.actor if entry else None, chances))
        if entry is None:
            fair = [1 / found.seats] * found.seats
            found.luck.append(Chanced(number, self._clear(chances, fair, 1 / found.playouts)))
        else:
            self._look_at_action(number, entry, before, chances)
        found.done = number

    def _look_at_action(self, number: int, entry: Entry, before: Any, chances: list[float]) -> None:
        action = read_action(self.game, entry.action)
        offers = self.game.legal(before, entry.actor)
        place = next(at for at, offer in enumerate(offers) if offer.action == action)
        if entry.picks:
            expected = self._chances(before, entry.actor, place)
            changes = self._clear(chances, expected, 2 / self.analysis.playouts)
            self.analysis.luck.append(Chanced(number, changes))
        if isinstance(entry.actor, int) and len(offers) > 1:
            self._look_at_decision(number, entry.actor, place, before, offers)

    def _look_at_decision(self, number: int, seat: int, place: int, before: Any, offers: Any) -> None:
        """Compare an action with the best from what its player saw, and from nothing else."""
        view, seed = self.game.view(before, seat), self._number + number
        greedy = greedy_place(self.game, view, offers, seed)
        budget = Budget(playouts=MORE * self.analysis.playouts)
        contest = compared(self.game, view, offers, greedy, budget, seed, also=[place], most=1)
        if contest is None:
            return
        best, own = contest.all[0], next(each for each in contest.all if each.place == place)
        loss = max(0.0, best.chance - own.chance) * _clearness(best.value - own.value, CLEARLY * own.doubt)
        better = None if loss == 0 or best.place < 0 else msgspec.to_builtins(offers[best.place].action)
        self.analysis.decisions.append(Decision(number, seat, round(loss, 4), better))

    def _chances(self, state: Any, actor: Actor = 0, place: int = NOBODY) -> list[float]:
        """Say who is how likely to win from a position, or if an action is taken there, with other draws each time."""
        outcome = self.game.outcome(state)
        if outcome:
            return [(seat in outcome.winners) / len(outcome.winners) for seat in range(self.analysis.seats)]
        who = CLOCK if actor is Nature.CLOCK else actor
        try:
            trials = Trials.of_state(self.game, state, self.options, self._number, who)
        except BadOptions as error:  # a board the twin has no room for
            raise JamboreeError(f"This game can't be looked back on: {error}") from None
        shares = trials.ends([place], 0, self.analysis.playouts).shares.mean(axis=(0, 1))
        return [round(share, 4) for share in shares.tolist()]

    def _clear(self, after: list[float], expected: list[float], once: float) -> list[float]:
        """Give what changed, less what may be an accident of the playouts: small changes count for little."""
        changes = [new - old for new, old in zip(after, expected, strict=True)]
        errors = [sqrt(once * old * (1 - old)) for old in expected]
        return [round(change * _clearness(change, error), 4) for change, error in zip(changes, errors, strict=True)]


def _clearness(change: float, error: float) -> float:
    """Give the part of a change that its error can't explain, as James and Stein reckon."""
    return max(0.0, 1 - (error / change) ** 2) if change else 0.0


def holding_steps(journal: Journal) -> set[int]:
    """Number the steps that hold: those that were taken back do not, nor does taking back."""
    line = [SETUP]
    for number, entry in enumerate(journal.entries, 1):
        if entry.undo is None:
            line.append(number)
        else:
            to = entry.undo
            line = [each for each in line if each <= to]
    return set(line)
