"""What decided a boogie, in a sentence."""

from collections.abc import Sequence

from jamboree.core.game import Outcome
from jamboree.core.kit.verdict import Verdict, find_verdict, shared_win
from jamboree.core.words import PlayerNames, capitalise_you

from ..box.texts import CATALOGUE
from ..visibility.views import JumpSeen, View
from .phrases import tell_jump, with_animals


def decided(seen: View, outcome: Outcome, names: Sequence[str], lang: str, reader: int | None = None) -> str:
    players = PlayerNames(names, lang, reader)
    found = find_verdict({str(number): points for number, points in enumerate(seen.points, 1)}, outcome)
    if not found:
        return shared_win(CATALOGUE, outcome, players)
    said = found._replace(source="jumprun").say(CATALOGUE, players, jumprun=found.source)
    return " ".join([said, *_best_jump(seen, found, players), *_broken(seen, found, players)])


def _best_jump(seen: View, found: Verdict, players: PlayerNames) -> list[str]:
    """Name the jump that brought the winner most, if the last jury saw it."""
    if int(found.source) != len(seen.points):
        return []
    apart = [jump for jump in seen.jury.jumps if _is_for(found.winner, jump) and not _is_for(found.rival, jump)]
    best = max(apart, key=lambda jump: jump.points, default=None)
    if best is None:
        return []
    jump = tell_jump(best.jump, with_animals(*players))
    return [CATALOGUE.say(players.lang, "decided.jump", jump=jump, count=best.points)]


def _is_for(seat: int, jump: JumpSeen) -> bool:
    return seat in jump.jumpers and jump.points > 0


def _broken(seen: View, found: Verdict, players: PlayerNames) -> list[str]:
    count = seen.honesty[found.winner].broken
    if not count:
        return []
    text = CATALOGUE.say(players.lang, "decided.broken", winner=players.subject(found.winner), count=count)
    return [capitalise_you(text, players.lang)]
