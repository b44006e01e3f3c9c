"""What decided a finished game: the source of points in which the winner gained most on the best opponent."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from jamboree.core.game import Outcome
from jamboree.core.words import Catalogue, join_words

Sources = Mapping[str, Sequence[int]]
"""Points by seat, for each source of points; all sources together are the scores."""

Decided = Callable[[Any, Outcome, Sequence[str], str], str]
"""Describes in one sentence what decided a game, given the view of its final position."""


def nothing_decided(view: Any, outcome: Outcome, names: Sequence[str], lang: str) -> str:
    """The default for games without such a sentence."""
    return ""


def say_decided(words: Any, view: Any, outcome: Outcome, names: Sequence[str], lang: str) -> str:
    """Return the sentence on what decided a game; empty if the game has none."""
    decided: Decided = getattr(words, "decided", nothing_decided)
    return decided(view, outcome, names, lang)


class Verdict(NamedTuple):
    """The source of points in which the winner gained most on the best opponent."""

    source: str
    winner: int
    rival: int
    own: int  # points of the winner there
    other: int  # points of the rival there

    def say(self, catalogue: Catalogue, lang: str, names: Sequence[str], **more: object) -> str:
        """Render the text `decided.<source>` with further parameters."""
        who = {"winner": names[self.winner], "rival": names[self.rival]}
        params = {**who, "own": self.own, "other": self.other, **more}
        return catalogue.say(lang, f"decided.{self.source}", count=self.own, **params)


def verdict(sources: Sources, outcome: Outcome) -> Verdict | None:
    """Find the deciding source; None if the win was shared or decided by a tie-break."""
    winner, *others = sorted(range(len(outcome.scores)), key=lambda seat: -outcome.scores[seat])
    if len(outcome.winners) != 1 or not others or outcome.scores[winner] == outcome.scores[others[0]]:
        return None
    rival = others[0]
    source = max(sources, key=lambda name: sources[name][winner] - sources[name][rival])
    return Verdict(source, winner, rival, sources[source][winner], sources[source][rival])


def say_shared(catalogue: Catalogue, outcome: Outcome, names: Sequence[str], lang: str) -> str:
    """Render the text `decided.shared` for a shared win."""
    winners = join_words([names[seat] for seat in outcome.winners], lang)
    return catalogue.say(lang, "decided.shared", winners=winners, score=max(outcome.scores))
