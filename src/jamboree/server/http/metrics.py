"""What the server measures of itself, as Prometheus reads it."""

from bisect import bisect_left

from ..minding.thinking import Tally

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)


class Metrics:
    def __init__(self) -> None:
        self.sockets = self.frames = self.refused = self.overflows = 0
        self._acks = [0] * (len(BOUNDS) + 1)
        self._ack_seconds = 0.0

    def acked(self, seconds: float) -> None:
        """Count an action by the time from its arrival to its durable acknowledgement."""
        self._acks[bisect_left(BOUNDS, seconds)] += 1
        self._ack_seconds += seconds

    def text(self, tables: int, commits: int, tally: Tally) -> str:
        lines = [
            *_one("gauge", "tables", "tables in memory", tables),
            *_one("gauge", "sockets", "open sockets", self.sockets),
            *_one("counter", "commits_total", "groups committed", commits),
            *_one("counter", "frames_total", "messages received", self.frames),
            *_one("counter", "refused_total", "messages refused", self.refused),
            *_one("counter", "overflows_total", "sockets that could not keep up", self.overflows),
            *_one("counter", "bot_moves_total", "moves of bots that have a seat", tally.bot_moves),
            *_one("counter", "stood_in_total", "moves of bots for people", tally.stood_in),
            *_one("counter", "bot_fallbacks_total", "moves made because a bot gave no answer", tally.fallbacks),
            *_one("counter", "clock_expiries_total", "phases and decisions whose time ran out", tally.expiries),
            *self._histogram(),
        ]
        return "\n".join(lines) + "\n"

    def _histogram(self) -> list[str]:
        name, total, lines = "jamboree_ack_seconds", 0, []
        for bound, count in zip((*BOUNDS, "+Inf"), self._acks, strict=True):
            total += count
            lines.append(f'{name}_bucket{{le="{bound}"}} {total}')
        head = [f"# HELP {name} from an action's arrival to its durable acknowledgement", f"# TYPE {name} histogram"]
        return [*head, *lines, f"{name}_sum {self._ack_seconds}", f"{name}_count {total}"]


def _one(kind: str, name: str, about: str, value: int) -> list[str]:
    return [f"# HELP jamboree_{name} {about}", f"# TYPE jamboree_{name} {kind}", f"jamboree_{name} {value}"]
