"""What is told of a game that was looked back on, to one viewer in one language."""

from collections.abc import Sequence

import msgspec

from jamboree.coach.back import Analysis, balance, render_sections, retell, turning_points
from jamboree.core.avatars import using_avatars
from jamboree.core.game import AnyGame

from ..memory.finished.replay import journal_of
from ..minding.analyst import Work
from ..protocol.analysis import AnalysisSeen, Swing
from ..store import Record


def journal_line(history: Sequence[Record]) -> bytes:
    """Write the journal of a game as one line, for another process."""
    return msgspec.json.encode(journal_of(history))


def told(
    work: Work, history: Sequence[Record], game: AnyGame, looks: Sequence[int], viewer: int | None, seat: int | None,
    lang: str,
) -> AnalysisSeen:  # fmt: skip
    """Tell what was found so far; the words of what was done in private are for those alone who saw it."""
    found, left = work.found, work.left()
    if found is None:
        return AnalysisSeen(work.state, before=work.before)
    points = turning_points(found, seat)
    with using_avatars(looks):
        worded = retell(game, journal_of(history), found, points, viewer, lang)
        sections = render_sections(game, journal_of(history), found, viewer, lang) if found.finished else []
    return AnalysisSeen(
        state=work.state,
        before=work.before,
        left=None if left is None else round(left),
        done=max(0, found.done),
        steps=found.steps,
        playouts=found.playouts,
        moments=found.moments,
        losses=[Swing(each.step, each.seat, each.loss) for each in found.decisions if each.loss],
        balance=balance(found),
        sections=sections,
        turning_points=worded,
    )


def kept_work(kept: bytes | None, work: Work) -> Work:
    """Give what is kept, or else what is being done. A draft that nobody works on is left from before a restart."""
    found = _read(kept) if kept else None
    if found and found.finished:
        return Work("done", found)
    return Work("interrupted", found) if found and work.state == "none" else work


def _read(kept: bytes) -> Analysis | None:
    """Read what was kept; what an earlier version wrote in another way was never done."""
    try:
        return msgspec.json.decode(kept, type=Analysis)
    except msgspec.MsgspecError:
        return None
