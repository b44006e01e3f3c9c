"""Metrics of bots and hints: moves, waiting and thinking times, and failures, which are logged once a minute."""

import logging
from collections import Counter

from .histogram import Histogram

log = logging.getLogger(__name__)
EVERY = 60.0  # seconds between log lines
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class WorkerMetrics:
    """The waiting and thinking times of worker processes."""

    def __init__(self) -> None:
        self.waits, self.thoughts = Histogram(BOUNDS), Histogram(BOUNDS)
        self.unsearched = 0  # answers without a search, because too many bots waited


class Failures:
    """Failures since the last log line, by reason."""

    def __init__(self) -> None:
        self.reasons: Counter[str] = Counter()
        self.worst = 0.0  # the longest time until one of them

    def note(self, why: str, seconds: float) -> None:
        self.reasons[why] += 1
        self.worst = max(self.worst, seconds)

    def __str__(self) -> str:
        reasons = ", ".join(f"{many} × {why}" for why, many in self.reasons.most_common())
        return f"the slowest after {self.worst:.1f} s: {reasons}"


class BotMetrics:
    def __init__(self) -> None:
        self.bot_moves = self.stood_in = 0  # moves of bots with seats of their own, and for absent people
        self.fallbacks = 0  # of these, made without an answer of the bot
        self.expiries = 0  # phases and decisions whose time ran out
        self.hint_failures = 0
        self.for_moves, self.for_hints = WorkerMetrics(), WorkerMetrics()
        self.fallback_share = 0.0  # of the moves in the last minute
        self._reported_at: float | None = None
        self._moves_before = self._fallbacks_before = 0
        self._failed_moves, self._failed_hints = Failures(), Failures()

    def failed(self, why: str, seconds: float) -> None:
        """Count a bot that gave no answer."""
        self._failed_moves.note(why, seconds)

    def hint_failed(self, why: str, seconds: float) -> None:
        """Count a request for a hint that was refused because no advice came."""
        self.hint_failures += 1
        self._failed_hints.note(why, seconds)

    def report(self, now: float, at_once: bool = False) -> None:
        """Once a minute, update the share of fallbacks, and log a line if bots failed and one if hints failed."""
        if self._reported_at is None:
            self._reported_at = now
        if now - self._reported_at < EVERY and not at_once:
            return
        seconds, self._reported_at = now - self._reported_at, now
        all_moves = self.bot_moves + self.stood_in
        moves, fallbacks = all_moves - self._moves_before, self.fallbacks - self._fallbacks_before
        self._moves_before, self._fallbacks_before = all_moves, self.fallbacks
        self.fallback_share = fallbacks / moves if moves else 0.0
        failed_moves, failed_hints = self._failed_moves, self._failed_hints
        self._failed_moves, self._failed_hints = Failures(), Failures()
        if failed_moves.reasons:
            log.warning(
                "%d of %d bot moves in %.0f s were fallbacks without an answer (%.1f %%), %s",
                fallbacks,
                moves,
                seconds,
                100 * self.fallback_share,
                failed_moves,
            )
        if many := failed_hints.reasons.total():
            log.warning("%d hints failed in %.0f s, %s", many, seconds, failed_hints)
