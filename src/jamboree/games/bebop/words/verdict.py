"""What decided a festival, in a sentence."""

from collections.abc import Sequence

from jamboree.core.game import Outcome
from jamboree.core.kit.verdict import Verdict, both_players, find_verdict, points_by_source, shared_win
from jamboree.core.words import PlayerNames, capitalise_you

from ..box.texts import CATALOGUE
from ..visibility.views import View


def decided(seen: View, outcome: Outcome, names: Sequence[str], lang: str, reader: int | None = None) -> str:
    players = PlayerNames(names, lang, reader)
    found = find_verdict(points_by_source(seen.points), outcome)
    if found:
        return found.say(CATALOGUE, players, **_best_stage(seen, found))
    if len(outcome.winners) > 1:
        return shared_win(CATALOGUE, outcome, players)
    return _by_tokens(seen, outcome, players)


def _best_stage(seen: View, found: Verdict) -> dict[str, object]:
    """Name the stage that made the greatest difference, if stages decided the game."""
    if found.source != "stages":
        return {}
    played = [stage for stage in seen.stages if stage.paid]
    best = max(played, key=lambda stage: stage.paid[found.winner] - stage.paid[found.rival])
    return {"stage": best.stage, "most": best.paid[found.winner], "least": best.paid[found.rival]}


def _by_tokens(seen: View, outcome: Outcome, players: PlayerNames) -> str:
    (winner,), score = outcome.winners, max(outcome.scores)
    held = [sum(tokens) for tokens in seen.tokens]
    level = [seat for seat, points in enumerate(outcome.scores) if points == score and seat != winner]
    rival = max(level, key=lambda seat: held[seat])
    params = {**both_players(players, winner, rival), "own": held[winner], "other": held[rival]}
    return capitalise_you(CATALOGUE.say(players.lang, "decided.tokens", score=score, **params), players.lang)
