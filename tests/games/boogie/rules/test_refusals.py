"""Every reason for a refusal, reached through `apply`, with the state untouched; and every rule it names exists."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from jamboree.core.chance import Scripted
from jamboree.core.errors import BadOptions, Illegal
from jamboree.core.words import LANGUAGES
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.rules import actions as a
from jamboree.games.boogie.rules.state import State

from ..refusals import refusals
from ..table import BOOGIE, CLOCK, Options, all_ready, finish, lay, picture, play, promise, same, table, time_up

Attempt = tuple[State, Any, Any]
SURE2 = a.Term("sure", Jump(2))


def at(phase: str, seat: Any, action: Any, *before: Callable[[State], Any], **options: Any) -> Callable[[], Attempt]:
    def attempt() -> Attempt:
        state = table(phase=phase, **options)
        for step in before:
            step(state)
        return state, seat, action

    return attempt


def act(seat: int, action: Any) -> Callable[[State], None]:
    return lambda state: BOOGIE.apply(state, seat, action, Scripted())


def laid(marks: str) -> Callable[[State], None]:
    return lambda state: lay(state, marks)


LATE = play("1@2:bluff", after_pull=True)[1]
WITHDRAWN = [act(0, action) for _ in range(2) for action in (a.SayReady(), a.WithdrawReady())]

REFUSALS: Mapping[str, Callable[[], Attempt]] = {
    "over": at("over", 0, a.SayReady()),
    "only-watching": at("plane", 7, a.SayReady()),
    "clock-only": at("plane", 0, a.TimeUp(), timed=True),
    "clock-only-expires": at("plane", CLOCK, a.SayReady(), timed=True),
    "untimed": at("plane", CLOCK, a.TimeUp()),
    "already-ready": at("plane", 0, a.SayReady(), act(0, a.SayReady())),
    "say-done": at("jump", 0, a.SayReady()),
    "only-in-plane": at("jump", 0, a.WithdrawReady()),
    "not-ready": at("plane", 0, a.WithdrawReady()),
    "withdrawn-twice": at("plane", 0, a.WithdrawReady(), *WITHDRAWN, act(0, a.SayReady())),
    "no-promises": at("plane", 0, a.PromiseTo(None), promising=False),
    "ready-is-silent": at("plane", 0, a.PromiseTo(None), act(0, a.SayReady())),
    "six-promises": at("plane", 0, a.PromiseTo(None), *[act(0, a.PromiseTo(None))] * 6),
    "nobody-there": at("plane", 0, a.PromiseTo(4)),
    "to-yourself": at("plane", 0, a.PromiseTo(0)),
    "nothing-begun": at("plane", 0, a.Promise(SURE2)),
    "exchange-with-all": at("plane", 0, a.AskInExchange(SURE2), act(0, a.PromiseTo(None))),
    "asked-already": at("plane", 0, a.AskInExchange(SURE2), act(0, a.PromiseTo(1)), act(0, a.AskInExchange(SURE2))),
    "no-such-term": at("plane", 0, a.Promise(a.Term("sure", Jump(1, 1))), act(0, a.PromiseTo(1))),
    "no-cards-now": at("plane", 0, play("1@2:sure")[1]),
    "not-pulled": at("jump", 0, play("1@2:sure", after_pull=True)[1]),
    "pulled": at("jump", 0, play("1@2:sure")[1], time_up, timed=True),
    "late-already": at("jump", 0, LATE, time_up, act(0, LATE), timed=True),
    "no-such-card": at("jump", 0, a.PlayCard("7", Jump(2))),
    "no-such-jump": at("jump", 0, a.PlayCard("sure", Jump(4))),
    "not-in-hand": at("jump", 0, play("1@2:5")[1], laid("2@2:sure")),
    "solo-of-another": at("jump", 0, play("1@s2:sure")[1]),
    "no-character": at("jump", 0, play("1@2:5")[1], p1="5"),
    "already-done": at("jump", 0, a.SayDone(), act(0, a.SayDone())),
}

OTHER_WAYS: list[tuple[str, Callable[[], Attempt]]] = [
    ("nothing-begun", at("plane", 0, a.AskInExchange(SURE2))),
    ("no-such-term", at("plane", 0, a.Promise(a.Term("figures", Jump(2), 13)), act(0, a.PromiseTo(1)))),
    ("no-such-term", at("plane", 0, a.AskInExchange(a.Term("sure", Jump(1, 0))), act(0, a.PromiseTo(1)))),
    ("no-such-term", at("plane", 0, a.Promise(a.Term("sure", Jump(4))), act(0, a.PromiseTo(1)))),
    ("only-in-plane", at("jump", 0, a.PromiseTo(None))),
    ("only-in-plane", at("preparation", 0, a.PromiseTo(None))),
    ("no-such-jump", at("jump", 0, a.PlayCard("sure", Jump(2, 0)))),
    ("no-such-jump", at("jump", 0, a.PlayCard("sure", Jump(1, 6)))),
    ("no-cards-now", at("plane", 0, a.SayDone())),
    ("pulled", at("jump", 0, a.SayDone(), time_up, timed=True)),
    ("say-done", at("jump", 0, a.SayReady(), time_up, timed=True)),
    ("already-ready", at("preparation", 0, a.SayReady(), act(0, a.SayReady()))),
    ("only-in-plane", at("preparation", 0, a.WithdrawReady(), act(0, a.SayReady()))),
    ("not-in-hand", at("jump", 0, play("1@s1:sure")[1], laid("1@2:sure 1@3:sure"))),
]


def refusal_of(attempt: Attempt) -> Illegal:
    state, actor, action = attempt
    before, drawn = state.clone(), picture(state)
    with pytest.raises(Illegal) as refusal:
        BOOGIE.apply(state, actor, action, Scripted())
    assert same(state, before)
    assert picture(state) == drawn
    return refusal.value


@pytest.mark.parametrize("key", REFUSALS)
def test_refusal(key: str) -> None:
    refusal = refusal_of(REFUSALS[key]())
    assert refusal.key == key
    assert refusal.why
    assert_is_a_rule(refusal.rule)


def assert_is_a_rule(rule: str) -> None:
    for lang in LANGUAGES:
        assert f"{{#{rule}}}" in BOOGIE.words.rules(lang), rule


@pytest.mark.parametrize(("key", "attempt"), OTHER_WAYS)
def test_other_ways_to_the_same_refusal(key: str, attempt: Callable[[], Attempt]) -> None:
    refusal = refusal_of(attempt())
    assert refusal.key == key
    assert_is_a_rule(refusal.rule)


def test_a_word_out_of_place_is_refused_by_the_rule_it_belongs_to() -> None:
    assert refusal_of(at("jump", 0, a.WithdrawReady())()).rule == "plane"
    assert refusal_of(at("jump", 0, a.PromiseTo(None))()).rule == "promises"


def test_every_warning_names_a_rule() -> None:
    for caution in (a.TWICE, a.TWICE_SOLO, a.SOLO_FIGURE, a.LATE):
        assert_is_a_rule(caution.rule)


@pytest.mark.parametrize("key", [key for key in REFUSALS if key not in ("clock-only-expires", "untimed")])
def test_why_not_says_the_same(key: str) -> None:
    state, seat, action = REFUSALS[key]()
    if seat < state.seats:
        refusal = BOOGIE.why_not(BOOGIE.view(state, seat), action)
        assert refusal is not None
        assert refusal.key == key


def test_a_spectator_is_told_so() -> None:
    assert BOOGIE.why_not(BOOGIE.view(table(), None), a.SayDone()).key == "only-watching"


def test_every_reason_in_the_rules_is_reached() -> None:
    assert set(REFUSALS) == refusals()


@pytest.mark.parametrize("seats", [2, 9])
def test_too_few_or_too_many_players(seats: int) -> None:
    with pytest.raises(BadOptions, match="3 to 8"):
        BOOGIE.setup(seats, Options(), Scripted())


@pytest.mark.parametrize(("plane", "jump"), [(4, 60), (3601, 60), (60, 4), (60, 3601)])
def test_bad_times(plane: int, jump: int) -> None:
    with pytest.raises(BadOptions):
        BOOGIE.setup(4, Options(pace="own", plane_seconds=plane, jump_seconds=jump), Scripted())


@pytest.mark.parametrize(("plane", "jump"), [(5, 3600), (3600, 5)])
def test_the_shortest_and_the_longest_times(plane: int, jump: int) -> None:
    state = BOOGIE.setup(4, Options(pace="own", plane_seconds=plane, jump_seconds=jump), Scripted("seat 0"))
    assert (state.plane_seconds, state.jump_seconds) == (plane, jump)


def test_a_pace_that_is_not_there() -> None:
    with pytest.raises(BadOptions):
        BOOGIE.setup(4, Options(pace="slow"), Scripted())  # type: ignore[arg-type]


def test_a_whole_jumprun_can_be_played_after_refusals() -> None:
    state = table(phase="plane", p1="1")
    promise(state, "1>all sure@2")
    refusal_of((state, 0, a.TimeUp()))
    all_ready(state)
    refusal_of((state, 0, a.SayReady()))
    lay(state, "1@2:sure 1@2:1")
    finish(state, "6")
    assert state.points == [(0, 0, 0, 0)]  # 1 halved is 0
