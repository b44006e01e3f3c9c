"""What decided a show, in a sentence."""

from collections.abc import Sequence

from jamboree.core.game import Outcome
from jamboree.core.kit.verdict import Verdict, find_verdict, points_by_source, shared_win
from jamboree.core.words import PlayerNames

from ..box.texts import CATALOGUE
from ..visibility.views import View


def decided(view: View, outcome: Outcome, names: Sequence[str], lang: str, reader: int | None = None) -> str:
    players = PlayerNames(names, lang, reader)
    deciding = find_verdict(points_by_source(view.points), outcome)
    if not deciding:
        return shared_win(CATALOGUE, outcome, players)
    return deciding.say(CATALOGUE, players, **_details(view, deciding, lang)) + _extra_rounds(view, lang)


def _details(view: View, deciding: Verdict, lang: str) -> dict[str, object]:
    """Say superfans by their number, and a quest by what it wanted."""
    if deciding.source == "superfans":
        return {"own": len(view.superfans[deciding.winner]), "other": len(view.superfans[deciding.rival])}
    return {"quest": CATALOGUE.say(lang, f"quest.{view.quests[deciding.winner]}")}


def _extra_rounds(view: View, lang: str) -> str:
    extra = view.round - view.rounds
    return " " + CATALOGUE.say(lang, "decided.extra", count=extra) if extra > 0 else ""
