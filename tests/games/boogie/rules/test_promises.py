"""Promises: what can be said, how the jury judges it, who hears of it."""

import pytest

from jamboree.core.chance import Scripted
from jamboree.games.boogie.box.components import JUMPCARDS
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.rules.actions import AskInExchange, PromiseTo, SayReady, Term, WithdrawReady
from jamboree.games.boogie.rules.events import Honesty, PromiseJudged
from jamboree.games.boogie.rules.state import OVER

from ..table import BOOGIE, all_ready, finish, lay, play, promise, refused, table, time_up, told


def judged(marks: str, promised: str, dice: str = "") -> str:
    """Make one promise in the plane, lay cards, and hear what the jury says of it."""
    state = table(phase="plane")
    promise(state, promised)
    all_ready(state)
    lay(state, marks)
    return str(told(finish(state, dice), PromiseJudged)[0].verdict)


def test_ruling_ready_is_silent() -> None:
    state = table(phase="plane")
    BOOGIE.apply(state, 0, PromiseTo(None), Scripted())
    BOOGIE.apply(state, 0, SayReady(), Scripted())
    assert state.drafts[0] is None
    assert refused(state, 0, PromiseTo(None)) == "ready-is-silent"
    BOOGIE.apply(state, 0, WithdrawReady(), Scripted())
    promise(state, "1>all sure@2")


def test_ruling_six_promises() -> None:
    state = table(phase="plane")
    for _ in range(5):
        promise(state, "1>all harmless@2")
    BOOGIE.apply(state, 0, PromiseTo(1), Scripted())  # begun, never finished
    assert refused(state, 0, PromiseTo(None)) == "six-promises"
    all_ready(state)
    finish(state)
    all_ready(state, *[card for card in JUMPCARDS for _ in range(2)][:24])
    promise(state, "1>all harmless@2")  # a new jumprun, six new promises


def test_ruling_exchange_one() -> None:
    state = table(phase="plane")
    BOOGIE.apply(state, 0, PromiseTo(None), Scripted())
    assert refused(state, 0, AskInExchange(Term("sure", Jump(2)))) == "exchange-with-all"
    promise(state, "1>2 harmless@s2 for sure@2")
    assert state.promises[0].asked >= 0


VERDICTS = [
    # what was laid, the promise, the dice of the jury, the verdict
    ("1@3:sure", "1>all sure@3", "", "kept"),
    ("1@3:maybe", "1>all sure@3", "", "broken"),
    ("1@3:sure 1@3:bluff 2@3:sure", "1>all sure@3", "", "broken"),
    ("1@3:bluff 2@3:sure", "1>all sure@3", "", "broken"),
    ("2@3:sure", "1>all sure@3", "", "broken"),
    ("1@3:maybe", "1>all maybe@3", "", "kept"),
    ("1@3:sure", "1>all maybe@3", "", "broken"),
    ("1@3:bluff 2@3:sure", "1>all out@3", "", "kept"),
    ("2@3:maybe", "1>all out@3", "", "kept"),
    ("1@3:maybe", "1>all out@3", "", "broken"),
    ("1@s1:sure", "1>all sure@s1", "", "kept"),
    ("2@3:sure 1@3:2 1@3:3", "1>2 figures5@3", "1 1", "kept"),
    ("2@3:sure 1@3:2 1@3:+3", "1>2 figures5@3", "1", "broken"),
    ("2@3:sure 1@3:2 2@3:3", "1>2 figures5@3", "1 1", "broken"),
    ("2@s2:sure 1@s2:2 1@s2:6", "1>2 figures3@s2", "1", "broken"),
    ("2@3:sure 1@3:-3 2@3:+3 1@3:6 1@3:0", "1>all harmless@3", "1", "kept"),
    ("2@3:sure 1@3:+1", "1>all harmless@3", "", "broken"),
    ("2@2:sure 2@s2:maybe", "1>2 harmless@s2 for sure@2", "", "kept"),
    ("2@2:sure 2@s2:maybe 1@s2:+1", "1>2 harmless@s2 for sure@2", "", "broken"),
    ("2@2:bluff 3@2:sure 2@s2:maybe 1@s2:+1", "1>2 harmless@s2 for sure@2", "", "void"),
    ("2@2:bluff 3@2:sure 2@s2:maybe", "1>2 harmless@s2 for sure@2", "", "void"),
]


@pytest.mark.parametrize(("marks", "promised", "dice", "verdict"), VERDICTS)
def test_ruling_verdicts(marks: str, promised: str, dice: str, verdict: str) -> None:
    assert judged(marks, promised, dice) == verdict


@pytest.mark.parametrize("term", ["sure@2", "maybe@2", "out@2", "figures5@2", "harmless@2"])
def test_ruling_came_about(term: str) -> None:
    """Without anybody to jump, nobody laid or only cards that come off, every promise about it is void."""
    for nobody in ("", "1@2:bluff", "1@2:bluff 1@2:+1 2@2:bluff", "1@2:sure 1@2:bluff 1@2:6", "1@3:sure"):
        assert judged(nobody, f"1>all {term}") == "void"
    assert judged("2@2:sure 3@2:sure 4@2:sure", f"1>all {term}") != "void"  # too many: it failed, but it came about


def test_what_a_late_player_promised_about_an_empty_jump_is_void() -> None:
    state = table(phase="plane", timed=True, p1="3")
    promise(state, "1>all sure@2")
    promise(state, "1>all sure@3")
    all_ready(state)
    lay(state, "1@2:sure 1@3:sure 2@3:sure")
    time_up(state)
    BOOGIE.apply(state, *play("1@2:3", after_pull=True), Scripted())
    assert [event.verdict for event in told(time_up(state), PromiseJudged)] == ["void", "broken"]


def test_the_other_side_of_an_exchange_that_never_came_about_is_no_other_side() -> None:
    assert judged("2@s2:sure", "1>2 harmless@s2 for sure@2") == "void"


def test_ruling_verdict_audience() -> None:
    """A promise to all is judged before all, one to a single seat before those two; at the end both count."""
    state = table(phase="plane")
    promise(state, "1>all sure@3")
    promise(state, "1>2 sure@2")
    all_ready(state)
    lay(state, "1@3:sure 3@2:sure")
    events = finish(state)
    knows_promise = {
        viewer: len([e for e in told(events, PromiseJudged) if BOOGIE.witness(e, viewer)]) for viewer in (None, 0, 1, 2)
    }
    assert knows_promise == {None: 1, 0: 2, 1: 2, 2: 1}
    counted = {viewer: BOOGIE.view(state, viewer).honesty[0] for viewer in (None, 0, 1, 2)}
    assert counted == {None: Honesty(1, 0, 0), 0: Honesty(1, 1, 0), 1: Honesty(1, 1, 0), 2: Honesty(1, 0, 0)}
    state.phase = OVER
    assert all(BOOGIE.view(state, viewer).honesty[0] == Honesty(1, 1, 0) for viewer in (None, 0, 1, 2))
