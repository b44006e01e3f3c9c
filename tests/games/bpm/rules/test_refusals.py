"""Everything the rules refuse, and the reason they give. A refused action leaves the position as it was."""

from typing import NamedTuple

import pytest

from jamboree.core.chance import Chance
from jamboree.core.errors import Illegal
from jamboree.core.game import Nature
from jamboree.games.bpm.box.components import COLOURS
from jamboree.games.bpm.rules.actions import (
    AnyAction,
    ChooseHype,
    CueSong,
    Decline,
    DiscardSongs,
    FinishSong,
    KeepFan,
    MakeSuperfan,
    PlaceToken,
    RecoverToken,
    SendOnBreak,
    SwapDancers,
)
from jamboree.games.bpm.rules.state import PHASES

from ..refusals import refusals
from ..table import ADA, BIX, BPM, position, refused

TABLE = """
    round: {round}
    turn: 1
    options: hypemaster
    hype: {hype}
    {more}
    seat 1: tokens {tokens}; hand 43 44 45; song {song}; {sealed}
    seat 2: tokens 7; hand 28 29 30; song blue left-right
    floor:
    r^1 r<1 rv1
    y^  b<2 g>
    yv  b^  --
"""


class Case(NamedTuple):
    """A try, the rule it breaks, and what is special about the position."""

    rule: str
    key: str
    action: AnyAction
    phase: str = "song"
    song: str = "red hop"
    hype: str = "slow-burn"
    tokens: int = 5
    more: str = ""
    sealed: str = "changes 3"
    round: int = 2

    def drawing(self) -> str:
        text = TABLE.format(
            round=f"{self.round} {self.phase}",
            hype=self.hype,
            more=self.more,
            tokens=self.tokens,
            song=self.song,
            sealed=self.sealed,
        )
        if self.phase in ("setlist", "cue", "hype"):
            text = text.replace(f"; song {self.song}", "").replace("; song blue left-right", "")
        return text.replace("hand 43 44 45;", "hand 7 8 9 10 11 12 13 14 15 16;") if self.phase == "setlist" else text


WRONG_NOW = [
    Case(
        "round",
        f"not-now.{phase}",
        CueSong(0) if phase != "cue" else FinishSong(),
        phase,
        more="drawn: mosh-pit power-cut" if phase == "hype" else "",
    )
    for phase in PHASES[:-1]
]
SENTENCES_OF_COLOURS = [
    Case("placing", f"other-colour.{colour}", PlaceToken("a2" if colour != "yellow" else "c2"), song=f"{colour} hop")
    for colour in COLOURS
]
CASES = [
    *WRONG_NOW,
    *SENTENCES_OF_COLOURS,
    Case("ending", "over", FinishSong(), "over"),
    Case("setlist", "no-such-pair", DiscardSongs(3, 3), "setlist"),
    Case("setlist", "no-such-pair", DiscardSongs(4, 3), "setlist"),
    Case("setlist", "no-such-pair", DiscardSongs(3, 10), "setlist"),
    Case("sealed", "same-choice", DiscardSongs(3, 4), "setlist", sealed="sealed 3 4"),
    Case("sealed", "nothing-sealed", Decline(), "cue"),
    Case("sealed", "no-more-changes", Decline(), "cue", sealed="sealed 1; changes 0"),
    Case("sealed", "no-more-changes", DiscardSongs(0, 1), "setlist", sealed="sealed 3 4; changes 0"),
    Case("cue", "no-such-song", CueSong(3), "cue"),
    Case("cue", "no-such-song", CueSong(-1), "cue"),
    Case("sealed", "same-choice", CueSong(1), "cue", sealed="sealed 1"),
    Case("sealed", "no-more-changes", CueSong(0), "cue", sealed="sealed 1; changes 0"),
    Case("hypemaster", "no-such-card", ChooseHype(2), "hype", more="drawn: mosh-pit power-cut"),
    Case("hypemaster", "no-such-card", ChooseHype(-1), "hype", more="drawn: mosh-pit power-cut"),
    Case("floor", "no-such-cell", PlaceToken("z9")),
    Case("floor", "no-such-cell", SwapDancers("a1", "z9")),
    Case("floor", "no-such-cell", SendOnBreak("z9"), song="red break"),
    Case("floor", "no-such-cell", KeepFan(""), "stay"),
    Case("no-tokens", "not-your-fan", RecoverToken("b2"), "recover"),
    Case("no-tokens", "not-your-fan", RecoverToken("c3"), "recover"),
    Case("no-tokens", "no-token-left", PlaceToken("c2"), tokens=0),
    Case("action", "other-action.left-right", SwapDancers("a1", "a2"), song="red left-right"),
    Case("action", "other-action.up-down", SwapDancers("a1", "b1"), song="red up-down"),
    Case("action", "other-action.hop", SwapDancers("a1", "b1")),
    Case("action", "other-action.break", SwapDancers("a1", "b1"), song="red break"),
    Case("action", "other-action.hop", SendOnBreak("a2")),
    Case("action", "action-done", SwapDancers("a1", "c1"), more="left: 0 1"),
    Case("action", "action-done", SendOnBreak("a2"), song="red break", more="left: 0 1"),
    Case("hype", "no-actions", SwapDancers("a1", "c1"), hype="power-cut"),
    Case("hype", "no-actions", SendOnBreak("a2"), song="red break", hype="power-cut"),
    Case("moving", "no-such-swap", SwapDancers("a1", "b2")),
    Case("moving", "no-such-swap", SwapDancers("c1", "a1")),
    Case("moving", "no-such-swap", SwapDancers("a1", "a1")),
    Case("moving", "swap-with-gap", SwapDancers("a3", "c3")),
    Case("moving", "swap-with-gap", SwapDancers("c2", "c3"), song="red up-down"),
    Case("break", "gap", SendOnBreak("c3"), song="red break"),
    Case("break", "has-token", SendOnBreak("b2"), song="red break"),
    Case("placing", "gap", PlaceToken("c3")),
    Case("placing", "has-token", PlaceToken("a1")),
    Case("placing", "has-token", PlaceToken("b2"), song="blue hop"),
    Case("placing", "not-moved", PlaceToken("a2"), song="yellow hop", more="on: c1 c2"),
    Case("placing", "gap", PlaceToken("c3"), "welcome", hype="warm-welcome"),
    Case("placing", "has-token", PlaceToken("b2"), "welcome", hype="warm-welcome"),
    Case("hype", "not-welcome", PlaceToken("a2"), "welcome", hype="warm-welcome"),
    Case("crowd-bonus", "no-bonus-fan", MakeSuperfan("a2"), "bonus", hype="front-row"),
    Case("crowd-bonus", "no-bonus-fan", MakeSuperfan("b2"), "bonus", hype="centre"),
    Case("combos", "not-in-a-line", KeepFan("b2"), "stay"),
    Case("combos", "not-in-a-line", KeepFan("c3"), "stay"),
    Case("gift", "gap", PlaceToken("c3"), "gift"),
    Case("gift", "has-token", PlaceToken("b2"), "gift"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.key}-{case.action}")
def test_refused_with_its_reason(case: Case) -> None:
    state = position(case.drawing())
    refusal = refused(state, case.action, ADA)
    assert (refusal.rule, refusal.key) == (case.rule, case.key)
    assert refusal.why[-1] == "."
    answer = BPM.why_not(BPM.view(state, ADA), case.action)
    assert answer is not None
    assert (answer.rule, answer.key) == (case.rule, case.key)


def test_who_is_not_asked() -> None:
    state = position(Case("", "", FinishSong()).drawing())
    for other in (BIX, Nature.CLOCK):
        refusal = refused(state, FinishSong(), other)
        assert (refusal.rule, refusal.key) == ("round", "not-your-turn")
    cue = position(Case("", "", CueSong(0), "cue").drawing())
    for nobody in (Nature.CLOCK, 2, -1):
        with pytest.raises(Illegal) as caught:
            BPM.apply(cue, nobody, CueSong(0), Chance())
        assert caught.value.key == "not-your-turn"


def test_a_spectator_is_told_so() -> None:
    state = position(Case("", "", FinishSong()).drawing())
    answer = BPM.why_not(BPM.view(state, None), FinishSong())
    assert answer is not None
    assert (answer.rule, answer.key) == ("round", "only-watching")


def test_every_refusal_is_reached() -> None:
    tried = {(case.rule, case.key) for case in CASES}
    tried |= {("round", "not-your-turn"), ("round", "only-watching")}
    assert tried == refusals()
