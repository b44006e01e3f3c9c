"""What decided a boogie, in a sentence."""

from collections.abc import Sequence

from jamboree.core.game import Outcome
from jamboree.core.kit.verdict import Verdict, find_verdict, shared_win
from jamboree.core.words import PlayerNames, capitalise_you

from ..box.texts import CATALOGUE
from ..visibility.views import JumpSeen, View
from .phrases import announce_jump, with_animals


def decided(view: View, outcome: Outcome, names: Sequence[str], lang: str, reader: int | None = None) -> str:
    players = PlayerNames(names, lang, reader)
    deciding = find_verdict({str(number): points for number, points in enumerate(view.points, 1)}, outcome)
    if not deciding:
        return shared_win(CATALOGUE, outcome, players)
    text = deciding._replace(source="jumprun").say(CATALOGUE, players, jumprun=deciding.source)
    return " ".join([text, *_best_jump(view, deciding, players), *_broken(view, deciding, players)])


def _best_jump(view: View, deciding: Verdict, players: PlayerNames) -> list[str]:
    """Name the jump that brought the winner most, if the last jury saw it."""
    if int(deciding.source) != len(view.points):
        return []
    apart = [jump for jump in view.jury.jumps if _is_for(deciding.winner, jump) and not _is_for(deciding.rival, jump)]
    best = max(apart, key=lambda jump: jump.points, default=None)
    if best is None:
        return []
    jump = announce_jump(best.jump, with_animals(*players))
    return [CATALOGUE.say(players.lang, "decided.jump", jump=jump, count=best.points)]


def _is_for(seat: int, jump: JumpSeen) -> bool:
    return seat in jump.jumpers and jump.points > 0


def _broken(view: View, deciding: Verdict, players: PlayerNames) -> list[str]:
    count = view.honesty[deciding.winner].broken
    if not count:
        return []
    text = CATALOGUE.say(players.lang, "decided.broken", winner=players.subject(deciding.winner), count=count)
    return [capitalise_you(text, players.lang)]
