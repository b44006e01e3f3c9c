"""What decided a festival, in a sentence."""

from collections.abc import Sequence

from jamboree.core.game import Outcome
from jamboree.core.kit.verdict import Verdict, both_players, find_verdict, points_by_source, shared_win
from jamboree.core.words import PlayerNames, capitalise_you

from ..box.texts import CATALOGUE
from ..visibility.views import View


def decided(view: View, outcome: Outcome, names: Sequence[str], lang: str, reader: int | None = None) -> str:
    players = PlayerNames(names, lang, reader)
    deciding = find_verdict(points_by_source(view.points), outcome)
    if deciding:
        return deciding.say(CATALOGUE, players, **_best_stage(view, deciding))
    if len(outcome.winners) > 1:
        return shared_win(CATALOGUE, outcome, players)
    return _by_tokens(view, outcome, players)


def _best_stage(view: View, deciding: Verdict) -> dict[str, object]:
    """Name the stage that made the greatest difference, if stages decided the game."""
    if deciding.source != "stages":
        return {}
    played = [stage for stage in view.stages if stage.paid]
    best = max(played, key=lambda stage: stage.paid[deciding.winner] - stage.paid[deciding.rival])
    return {"stage": best.stage, "most": best.paid[deciding.winner], "least": best.paid[deciding.rival]}


def _by_tokens(view: View, outcome: Outcome, players: PlayerNames) -> str:
    (winner,), score = outcome.winners, max(outcome.scores)
    held = [sum(tokens) for tokens in view.tokens]
    level = [seat for seat, points in enumerate(outcome.scores) if points == score and seat != winner]
    rival = max(level, key=lambda seat: held[seat])
    params = {**both_players(players, winner, rival), "own": held[winner], "other": held[rival]}
    return capitalise_you(CATALOGUE.say(players.lang, "decided.tokens", score=score, **params), players.lang)
