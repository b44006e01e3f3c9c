"""Everything the rules refuse, and the reason they give. A refused action leaves the position as it was."""

from typing import NamedTuple

import pytest

from jamboree.core.game import Nature
from jamboree.games.bebop.rules.actions import (
    AnyAction,
    BookSeat,
    ClaimSeat,
    DrawFromBag,
    KeepDice,
    Pass,
    PerformStage,
    RerollDie,
    TakeFromQueue,
)

from ..refusals import refusals
from ..table import BEBOP, BILLIE, LOUIS, position, refused

TABLE = """
    turn: {turn}
    pending: {pending}
    seat 1: hand rk gb; supply {supply}
    seat 2: hand yk
    queue: gk -- -- --
    {more}
    map:
       .     *     Ak    B-
    1.    2.    2t    2v    2.yk  1i
       =gk   .     .     .
"""


class Case(NamedTuple):
    """A try, the rule it breaks, and what is special about the position."""

    rule: str
    key: str
    action: AnyAction
    turn: str = "1 turn"
    pending: str = "0 rerolls, seat -, stages -"
    supply: str = "9 vdst"
    more: str = ""


CASES = [
    Case("end", "over", KeepDice(), "1 over"),
    Case("turn", "not-now.turn", KeepDice()),
    Case("turn", "not-now.claim again", KeepDice(), "1 claim again", "1 rerolls, seat -, stages -"),
    Case("turn", "not-now.book this seat", KeepDice(), "1 book this seat", "1 rerolls, seat b6, stages -"),
    Case("turn", "not-now.perform", KeepDice(), "1 perform", "0 rerolls, seat -, stages A"),
    Case("turn", "not-now.take a die", KeepDice(), "1 take a die"),
    Case("turn", "not-now.reroll", ClaimSeat("basic", "a1"), "1 reroll", "1 rerolls, seat -, stages -"),
    Case("claim", "no-such-tile", ClaimSeat("throne", "a1")),
    Case("regions", "no-such-hex", ClaimSeat("basic", "z9")),
    Case("regions", "no-such-hex", BookSeat(0, "z9")),
    Case("claim", "not-in-supply", ClaimSeat("insta", "a1")),
    Case("claim", "not-in-supply", ClaimSeat("basic", "a1"), supply="0 vdst"),
    Case("claim", "basic-face-down", ClaimSeat("basic", "a1", True)),
    Case("claim", "occupied", ClaimSeat("basic", "b1")),
    Case("claim", "occupied", ClaimSeat("basic", "b5")),
    Case("claim", "occupied", ClaimSeat("boot", "b5")),
    Case("claim", "occupied", ClaimSeat("boot", "b2", True)),
    Case("claim", "occupied", ClaimSeat("vip", "b4")),
    Case("claim", "occupied", ClaimSeat("basic", "c1")),
    Case("hexes", "vip-only", ClaimSeat("basic", "a2")),
    Case("hexes", "vip-only", ClaimSeat("vip", "a2", True)),
    Case("hexes", "vip-only", ClaimSeat("boot", "a2")),
    Case("hexes", "vip-only", ClaimSeat("backstage", "a2")),
    Case("special-vip", "vip-elsewhere", ClaimSeat("vip", "a1")),
    Case("special-vip", "vip-elsewhere", ClaimSeat("vip", "a4")),
    Case("special-backstage", "backstage-elsewhere", ClaimSeat("backstage", "a1")),
    Case("special-backstage", "backstage-elsewhere", ClaimSeat("backstage", "a3")),
    Case("hexes", "stage-space", ClaimSeat("basic", "a3")),
    Case("hexes", "stage-space", ClaimSeat("double", "a3")),
    Case("hexes", "stage-performed", ClaimSeat("basic", "a4")),
    Case("hexes", "stage-performed", ClaimSeat("backstage", "a4", True)),
    Case("special-boot", "boot-own", ClaimSeat("boot", "b1")),
    Case("special-boot", "boot-boot", ClaimSeat("boot", "b3")),
    Case("special-boot", "boot-special", ClaimSeat("boot", "b4")),
    Case("book", "no-such-die", BookSeat(2, "b1")),
    Case("book", "no-such-die", BookSeat(-1, "b1")),
    Case("book", "not-your-open-seat", BookSeat(0, "b2")),
    Case("book", "not-your-open-seat", BookSeat(0, "a1")),
    Case("book", "not-your-open-seat", BookSeat(0, "c1")),
    Case("special-insta", "insta-this-seat", BookSeat(0, "b1"), "1 book this seat", "1 rerolls, seat b6, stages -"),
    Case("stage", "not-complete", PerformStage("B"), "1 perform", "0 rerolls, seat -, stages A"),
    Case("stage", "not-complete", PerformStage("Z"), "1 perform", "0 rerolls, seat -, stages A"),
    Case("take", "queue-empty-place", TakeFromQueue(1), "1 take a die"),
    Case("take", "queue-empty-place", TakeFromQueue(4), "1 take a die"),
    Case("take", "queue-empty-place", TakeFromQueue(-4), "1 take a die"),
    Case("take", "bag-empty", DrawFromBag(), "1 take a die", more="bag: 0"),
    Case("reroll", "no-such-die", RerollDie(2), "1 reroll", "1 rerolls, seat -, stages -"),
    Case("reroll", "no-such-die", RerollDie(-1), "1 reroll", "1 rerolls, seat -, stages -"),
    Case("pass", "can-claim", Pass()),
    Case("pass", "can-book", Pass(), supply="0"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.key}: {case.action}")
def test_a_refusal_names_its_rule_and_its_reason(case: Case) -> None:
    drawing = TABLE.format(turn=case.turn, pending=case.pending, supply=case.supply, more=case.more or "passed:")
    refusal = refused(position(drawing), case.action)
    assert (refusal.rule, refusal.key) == (case.rule, case.key)
    assert refusal.why[0].isupper() or refusal.why[0] in "abc"  # a hex may come first
    assert refusal.why.endswith(".")
    assert "{" not in refusal.why


def test_three_open_seats() -> None:
    state = position("""
        seat 1: hand rk
        map:
        1.    1.    1.    .     Ak
    """)
    refusal = refused(state, ClaimSeat("basic", "a4"))
    assert (refusal.rule, refusal.key) == ("claim", "three-open")
    assert refusal.why == "You already have three open seats, so book one first."


@pytest.mark.parametrize("actor", [LOUIS, 3, Nature.CLOCK])
def test_not_your_turn(actor: int | Nature) -> None:
    state = position("""
        map:
        .     .     Ak
    """)
    refusal = refused(state, ClaimSeat("basic", "a1"), actor)
    assert (refusal.rule, refusal.key, refusal.why) == ("turn", "not-your-turn", "It is not your turn.")


def test_a_spectator_only_watches() -> None:
    state = position("""
        map:
        .     .     Ak
    """)
    refusal = BEBOP.why_not(BEBOP.view(state, None), ClaimSeat("basic", "a1"))
    assert refusal is not None
    assert (refusal.rule, refusal.key, refusal.why) == ("turn", "only-watching", "You are watching, not playing.")


def test_every_refusal_of_the_source_is_tried() -> None:
    elsewhere = {("claim", "three-open"), ("turn", "not-your-turn"), ("turn", "only-watching")}
    assert {(case.rule, case.key) for case in CASES} | elsewhere == refusals()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.key}: {case.action}")
def test_why_not_gives_the_same_reason(case: Case) -> None:
    drawing = TABLE.format(turn=case.turn, pending=case.pending, supply=case.supply, more=case.more or "passed:")
    refusal = BEBOP.why_not(BEBOP.view(position(drawing), BILLIE), case.action)
    assert refusal is not None
    assert (refusal.rule, refusal.key) == (case.rule, case.key)
