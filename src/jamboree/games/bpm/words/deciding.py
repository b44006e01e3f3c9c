"""What decided a show, in a sentence."""

from collections.abc import Sequence

from jamboree.core.game import Outcome
from jamboree.core.kit.deciding import Sources, Verdict, say_shared, verdict
from jamboree.core.words import PlayerNames

from ..box.texts import CATALOGUE
from ..seen.views import Points, View


def decided(seen: View, outcome: Outcome, names: Sequence[str], lang: str, reader: int | None = None) -> str:
    players = PlayerNames(names, lang, reader)
    found = verdict(_sources(seen), outcome)
    if not found:
        return say_shared(CATALOGUE, outcome, players)
    return found.say(CATALOGUE, players, **_details(seen, found, lang)) + _extra_rounds(seen, lang)


def _sources(seen: View) -> Sources:
    return {source: [getattr(own, source) for own in seen.points] for source in Points.__struct_fields__}


def _details(seen: View, found: Verdict, lang: str) -> dict[str, object]:
    """Say superfans by their number, and a quest by what it wanted."""
    if found.source == "superfans":
        return {"own": len(seen.superfans[found.winner]), "other": len(seen.superfans[found.rival])}
    return {"quest": CATALOGUE.say(lang, f"quest.{seen.quests[found.winner]}")}


def _extra_rounds(seen: View, lang: str) -> str:
    extra = seen.round - seen.rounds
    return " " + CATALOGUE.say(lang, "decided.extra", count=extra) if extra > 0 else ""
