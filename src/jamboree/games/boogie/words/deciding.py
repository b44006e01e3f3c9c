"""What decided a boogie, in a sentence."""

from collections.abc import Sequence

from jamboree.core.game import Outcome
from jamboree.core.kit.deciding import Verdict, say_shared, verdict

from ..box.texts import CATALOGUE
from ..seen.views import JumpSeen, View
from .phrases import naming, say_jump


def decided(seen: View, outcome: Outcome, names: Sequence[str], lang: str) -> str:
    found = verdict({str(number): points for number, points in enumerate(seen.points, 1)}, outcome)
    if not found:
        return say_shared(CATALOGUE, outcome, names, lang)
    said = found._replace(source="jumprun").say(CATALOGUE, lang, names, jumprun=found.source)
    return " ".join([said, *_best_jump(seen, found, names, lang), *_broken(seen, found, names, lang)])


def _best_jump(seen: View, found: Verdict, names: Sequence[str], lang: str) -> list[str]:
    """Name the jump that brought the winner most, if the last jury saw it."""
    if int(found.source) != len(seen.points):
        return []
    apart = [jump for jump in seen.jury.jumps if _is_for(found.winner, jump) and not _is_for(found.rival, jump)]
    best = max(apart, key=lambda jump: jump.points, default=None)
    if best is None:
        return []
    jump = say_jump(best.jump, naming(names, lang), lang, "jump.solo.told")
    return [CATALOGUE.say(lang, "decided.jump", jump=jump, count=best.points)]


def _is_for(seat: int, jump: JumpSeen) -> bool:
    return seat in jump.jumpers and jump.points > 0


def _broken(seen: View, found: Verdict, names: Sequence[str], lang: str) -> list[str]:
    count = seen.honesty[found.winner].broken
    return [CATALOGUE.say(lang, "decided.broken", winner=names[found.winner], count=count)] if count else []
