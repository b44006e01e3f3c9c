"""What decided a finished game: the source of points in which the winner gained most on the best opponent."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from jamboree.core.game import Outcome
from jamboree.core.words import Catalogue, PlayerNames, capitalise_you, join_words

Sources = Mapping[str, Sequence[int]]
"""Points by seat, for each source of points; all sources together are the scores."""

Decided = Callable[..., str]
"""Describes what decided a game: called with the final view, the outcome, the names, the language and the reader."""


class Verdict(NamedTuple):
    """The source of points in which the winner gained most on the best opponent."""

    source: str
    winner: int
    rival: int
    own: int  # points of the winner there
    other: int  # points of the rival there

    def say(self, catalogue: Catalogue, players: PlayerNames, **more: object) -> str:
        """Render the text `decided.<source>` with further parameters."""
        params = {**both_players(players, self.winner, self.rival), "own": self.own, "other": self.other, **more}
        text = catalogue.say(players.lang, f"decided.{self.source}", count=self.own, **params)
        return capitalise_you(text, players.lang)


def find_verdict(sources: Sources, outcome: Outcome) -> Verdict | None:
    """Find the deciding source; None if the win was shared or decided by a tie-break."""
    winner, *others = sorted(range(len(outcome.scores)), key=lambda seat: -outcome.scores[seat])
    if len(outcome.winners) != 1 or not others or outcome.scores[winner] == outcome.scores[others[0]]:
        return None
    rival = others[0]
    source = max(sources, key=lambda name: sources[name][winner] - sources[name][rival])
    return Verdict(source, winner, rival, sources[source][winner], sources[source][rival])


def points_by_source(points: Sequence[Any]) -> Sources:
    """Turn a struct of points per player, with a field for each source, into points by source."""
    return {source: [getattr(own, source) for own in points] for source in points[0].__struct_fields__}


def both_players(players: PlayerNames, winner: int, rival: int) -> dict[str, str]:
    """Name winner and rival, each as a subject and as an object."""
    return {
        "winner": players.subject(winner),
        "rival": players.subject(rival),
        "to_winner": players.object(winner),
        "to_rival": players.object(rival),
    }


def shared_win(catalogue: Catalogue, outcome: Outcome, players: PlayerNames) -> str:
    """Render the text `decided.shared` for a shared win."""
    winners = join_words([players.subject(seat) for seat in outcome.winners], players.lang)
    text = catalogue.say(players.lang, "decided.shared", winners=winners, score=max(outcome.scores))
    return capitalise_you(text, players.lang)
