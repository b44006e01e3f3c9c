"""Metrics of bots: moves, waiting and thinking times, and failures, which are logged once a minute."""

import logging
from collections import Counter

from .histogram import Histogram

log = logging.getLogger(__name__)
EVERY = 60.0  # seconds between log lines
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class BotMetrics:
    def __init__(self) -> None:
        self.bot_moves = self.stood_in = 0  # moves of bots with seats of their own, and for absent people
        self.fallbacks = 0  # of these, made without an answer of the bot
        self.expiries = 0  # phases and decisions whose time ran out
        self.waits, self.thoughts = Histogram(BOUNDS), Histogram(BOUNDS)
        self.unsearched = 0  # moves made without a search, because too many bots waited
        self.fallback_share = 0.0  # of the moves in the last minute
        self._reported_at: float | None = None
        self._moves_before = self._fallbacks_before = 0
        self._failures: Counter[str] = Counter()  # since the last log line, by reason
        self._worst = 0.0  # the longest time until one of them

    def failed(self, why: str, seconds: float) -> None:
        """Count a bot that gave no answer."""
        self._failures[why] += 1
        self._worst = max(self._worst, seconds)

    def report(self, now: float, at_once: bool = False) -> None:
        """Once a minute, update the share of fallbacks, and log a line if a bot failed."""
        if self._reported_at is None:
            self._reported_at = now
        if now - self._reported_at < EVERY and not at_once:
            return
        seconds, self._reported_at = now - self._reported_at, now
        all_moves = self.bot_moves + self.stood_in
        moves, fallbacks = all_moves - self._moves_before, self.fallbacks - self._fallbacks_before
        self._moves_before, self._fallbacks_before = all_moves, self.fallbacks
        self.fallback_share = fallbacks / moves if moves else 0.0
        failures, worst, self._failures, self._worst = self._failures, self._worst, Counter(), 0.0
        if failures:
            log.warning(
                "%d of %d bot moves in %.0f s were fallbacks without an answer (%.1f %%), the slowest after %.1f s: %s",
                *(fallbacks, moves, seconds, 100 * self.fallback_share, worst),
                ", ".join(f"{many} × {why}" for why, many in failures.most_common()),
            )
