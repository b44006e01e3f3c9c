"""What decided a show, in a sentence."""

from collections.abc import Sequence

from jamboree.core.game import Outcome
from jamboree.core.kit.verdict import Verdict, find_verdict, points_by_source, shared_win
from jamboree.core.words import PlayerNames

from ..box.texts import CATALOGUE
from ..visibility.views import View


def decided(seen: View, outcome: Outcome, names: Sequence[str], lang: str, reader: int | None = None) -> str:
    players = PlayerNames(names, lang, reader)
    found = find_verdict(points_by_source(seen.points), outcome)
    if not found:
        return shared_win(CATALOGUE, outcome, players)
    return found.say(CATALOGUE, players, **_details(seen, found, lang)) + _extra_rounds(seen, lang)


def _details(seen: View, found: Verdict, lang: str) -> dict[str, object]:
    """Say superfans by their number, and a quest by what it wanted."""
    if found.source == "superfans":
        return {"own": len(seen.superfans[found.winner]), "other": len(seen.superfans[found.rival])}
    return {"quest": CATALOGUE.say(lang, f"quest.{seen.quests[found.winner]}")}


def _extra_rounds(seen: View, lang: str) -> str:
    extra = seen.round - seen.rounds
    return " " + CATALOGUE.say(lang, "decided.extra", count=extra) if extra > 0 else ""
