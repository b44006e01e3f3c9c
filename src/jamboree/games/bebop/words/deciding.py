"""What decided a festival, in a sentence."""

from collections.abc import Sequence

from jamboree.core.game import Outcome
from jamboree.core.kit.deciding import Sources, Verdict, say_shared, verdict

from ..box.texts import CATALOGUE
from ..seen.views import Points, View


def decided(seen: View, outcome: Outcome, names: Sequence[str], lang: str) -> str:
    found = verdict(_sources(seen), outcome)
    if found:
        return found.say(CATALOGUE, lang, names, **_best_stage(seen, found))
    if len(outcome.winners) > 1:
        return say_shared(CATALOGUE, outcome, names, lang)
    return _by_tokens(seen, outcome, names, lang)


def _sources(seen: View) -> Sources:
    return {source: [getattr(own, source) for own in seen.points] for source in Points.__struct_fields__}


def _best_stage(seen: View, found: Verdict) -> dict[str, object]:
    """Name the stage that made the greatest difference, if stages decided the game."""
    if found.source != "stages":
        return {}
    played = [stage for stage in seen.stages if stage.paid]
    best = max(played, key=lambda stage: stage.paid[found.winner] - stage.paid[found.rival])
    return {"stage": best.stage, "most": best.paid[found.winner], "least": best.paid[found.rival]}


def _by_tokens(seen: View, outcome: Outcome, names: Sequence[str], lang: str) -> str:
    (winner,), score = outcome.winners, max(outcome.scores)
    held = [sum(tokens) for tokens in seen.tokens]
    level = [seat for seat, points in enumerate(outcome.scores) if points == score and seat != winner]
    rival = max(level, key=lambda seat: held[seat])
    params = {"winner": names[winner], "rival": names[rival], "own": held[winner], "other": held[rival]}
    return CATALOGUE.say(lang, "decided.tokens", score=score, **params)
