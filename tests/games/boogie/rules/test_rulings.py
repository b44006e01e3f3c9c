"""Every ruling of the ledger, by its name."""

import pytest

from jamboree.core.chance import Bag, Scripted, Seeded
from jamboree.games.boogie.box.components import BOX, JUMPCARDS, NUMBER, size_of
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.rules.actions import (
    SayDone,
    SayReady,
    WithdrawReady,
)
from jamboree.games.boogie.rules.events import (
    CardLaid,
    CardLate,
    CardsDealt,
    CardsTurned,
    CharactersRemoved,
    DeckReshuffled,
    DiceRolled,
    DifficultySet,
    FiguresRefused,
    GameEnded,
    JumpersCounted,
    JumprunScored,
    JumpScored,
    LateCardTurned,
    PlaneBoarded,
    Turned,
)
from jamboree.games.boogie.rules.setup import new_cards
from jamboree.games.boogie.rules.state import JUMP, PLANE, PREPARATION, PULLED, JuryReport, State

from ..table import (
    BOOGIE,
    CLOCK,
    Options,
    all_ready,
    finish,
    jury,
    lay,
    offers,
    play,
    refused,
    table,
    time_up,
    told,
)


def pulled(marks: str = "", **hands: str) -> State:
    """Give a table just after PULL by the clock."""
    state = table(4, timed=True, promising=True, **hands)
    lay(state, marks)
    time_up(state)
    return state


def test_ruling_deck_first() -> None:
    """The old deck is dealt out first, the discard pile is shuffled in when a card is needed, hands never are."""
    state = table(3, phase="preparation", p1="1 1 1 1 1 1")
    rest = Bag.of(JUMPCARDS, state.deck.counts)
    state.deck = Bag.of(JUMPCARDS, [4 if card == "0" else 0 for card in JUMPCARDS])
    state.discard = Bag.of(JUMPCARDS, [n - m for n, m in zip(rest.counts, state.deck.counts, strict=True)])
    pile = state.discard.total
    events = all_ready(state, *["0", "0", "0", "0", "6", "6", "6", "6", "1", "1", "1", "1"])
    assert told(events, DeckReshuffled) == [DeckReshuffled(pile)]
    assert [(dealt.seat, dealt.cards) for dealt in told(events, CardsDealt)] == [
        (0, []),
        (1, ["6", "6", "0", "0", "0", "0"]),
        (2, ["1", "1", "1", "1", "6", "6"]),
    ]
    assert state.discard.total == 0
    assert size_of(state.hands[0]) == 6


@pytest.mark.parametrize(("in_hand", "dealt"), [(0, 6), (1, 6), (2, 6), (3, 5), (4, 4), (5, 3), (6, 0), (7, 0), (8, 0)])
def test_new_cards(in_hand: int, dealt: int) -> None:
    assert new_cards(in_hand) == dealt


def test_ruling_dealt_at_takeoff() -> None:
    state = BOOGIE.setup(3, Options(), Scripted("seat 1"))
    assert (state.phase, [size_of(hand) for hand in state.hands]) == (PREPARATION, [0, 0, 0])
    events = all_ready(state, *["1"] * 6, *["2"] * 6, *["3"] * 6)
    assert [(event.seat, event.cards[0]) for event in told(events, CardsDealt)] == [(1, "1"), (2, "2"), (0, "3")]
    assert told(events, PlaneBoarded) == [PlaneBoarded(1, 1)]
    assert state.phase == PLANE


def test_ruling_ready_twice() -> None:
    state = table(phase="plane")
    for _ in range(2):
        BOOGIE.apply(state, 0, SayReady(), Scripted())
        BOOGIE.apply(state, 0, WithdrawReady(), Scripted())
    BOOGIE.apply(state, 0, SayReady(), Scripted())
    assert refused(state, 0, WithdrawReady()) == "withdrawn-twice"
    assert 0 not in BOOGIE.to_act(state)


def test_ruling_done() -> None:
    """It ends when all are done; laying another card withdraws one's done."""
    state = table(3, p1="1")
    events = list[object]()
    BOOGIE.apply(state, 0, SayDone(), Scripted())
    seat, action = play("1@2:sure")
    BOOGIE.apply(state, seat, action, Scripted(), events.append)
    assert events == [CardLaid(0, Jump(2), True, "sure", done_withdrawn=True)]
    for seat in (1, 2):
        BOOGIE.apply(state, seat, SayDone(), Scripted())
    assert state.phase == JUMP
    BOOGIE.apply(state, 0, SayDone(), Scripted())
    assert state.phase == PREPARATION


def test_ruling_needs_character() -> None:
    state = table(p1="1", p2="1")
    assert refused(state, *play("1@s2:1")) == "no-character"
    lay(state, "2@s2:bluff 1@s2:1")


def test_ruling_cards_stay() -> None:
    """A jumpcard stays if that character later comes off."""
    events = jury("1@2:sure 2@2:3 1@2:bluff 3@2:sure", "6")
    assert told(events, CharactersRemoved) == [CharactersRemoved(Jump(2), 0, late=False)]
    assert told(events, JumpScored) == [JumpScored(Jump(2), "success", [2], 1)]


def test_ruling_disqualified() -> None:
    """Two character cards: off, there; a bluff counts as one; elsewhere that player may still score."""
    events = jury("1@2:sure 1@2:bluff 2@2:sure 1@3:sure 1@s1:maybe 2@2:2 1@s1:1 1@3:2 2@s2:sure 2@s2:bluff", "6 6 6")
    removed = told(events, CharactersRemoved)
    assert {(event.jump, event.seat) for event in removed} == {(Jump(2), 0), (Jump(1, 1), 1)}
    assert told(events, JumprunScored)[0].points == [1 + 1, 1, 0, 0]
    assert next(event for event in told(events, JumpersCounted) if event.jump == Jump(1, 1)).verdict == "nobody"


def test_ruling_solo_figures() -> None:
    state = table()
    lay(state, "1@s1:sure 1@s1:1 2@s1:6 3@s1:3")
    events = finish(state, "1")
    assert told(events, FiguresRefused)[0].cards == [Turned(1, "6"), Turned(2, "3")]
    assert told(events, DifficultySet)[0] == DifficultySet(Jump(1, 0), 1, 1, 1, 100)
    assert state.discard.total == 3


def test_ruling_warned() -> None:
    """The table warns a player before such a play but allows it."""
    state = table(p1="1 2 3 4 5 6")
    lay(state, "1@2:sure 1@s1:maybe")
    offered = offers(state, 0)
    assert [caution.key for caution in offered[play("1@2:bluff")[1]]] == ["twice"]
    assert [caution.key for caution in offered[play("1@s1:bluff")[1]]] == ["twice-solo"]
    for figure in "3456":
        assert [caution.key for caution in offered[play(f"1@s1:{figure}")[1]]] == ["solo-figure"]
    for harmless in ("1@2:6", "1@s1:1", "1@s1:2", "1@3:sure"):
        assert offered[play(harmless)[1]] == ()


def test_ruling_pull() -> None:
    """Late only if the sender had been shown PULL; otherwise refused, and the card stays in hand."""
    state = pulled("1@2:sure", p2="3")
    assert (state.phase, BOOGIE.timer(state).seconds) == (PULLED, 3.0)
    seat, unseen = play("2@2:3")
    assert refused(state, seat, unseen) == "pulled"
    assert state.held[1] >> NUMBER["3"] & 1
    assert state.late == 0
    seat, seen = play("2@2:3", after_pull=True)
    assert [caution.key for caution in offers(state, 1)[seen]] == ["late"]
    assert unseen not in offers(state, 1)
    BOOGIE.apply(state, seat, seen, Scripted())
    assert state.late == 2


def test_ruling_late() -> None:
    """Characters off every jump, jumpcards in time count, the late card has no effect."""
    state = pulled("1@2:sure 2@2:sure 3@2:maybe 2@s2:maybe 2@2:5", p2="6")
    events = list[object]()
    BOOGIE.apply(state, *play("2@2:6", after_pull=True), Scripted(), events.append)
    assert events == [CardLate(1, Jump(2), False, "6")]
    events = time_up(state, "5")
    assert told(events, LateCardTurned) == [LateCardTurned(1, "6")]
    assert {(event.jump, event.late) for event in told(events, CharactersRemoved)} == {
        (Jump(2), True),
        (Jump(1, 1), True),
    }
    assert told(events, DifficultySet) == [DifficultySet(Jump(2), 1, 5, 5, 33)]
    assert told(events, JumprunScored)[0].points == [5, 0, 5, 0]
    assert state.discard.counts[NUMBER["6"]] == 1


def test_late_character_returns() -> None:
    state, events = pulled(), list[object]()
    assert BOOGIE.view(state, None).phase == "pulled"
    BOOGIE.apply(state, *play("2@3:sure", after_pull=True), Scripted(), events.append)
    assert events == [CardLate(1, Jump(3), True, "sure")]
    events = time_up(state)
    assert told(events, LateCardTurned) == [LateCardTurned(1, None)]
    assert state.hands == table().hands


def test_ruling_late_once() -> None:
    state = pulled("1@2:sure", p2="3 4")
    BOOGIE.apply(state, *play("2@2:3", after_pull=True), Scripted())
    assert refused(state, *play("2@2:4", after_pull=True)) == "late-already"
    assert BOOGIE.to_act(state) == {0, 2, 3, CLOCK}


def test_ruling_impossible_not_late() -> None:
    state = pulled("1@2:sure", p2="3")
    assert refused(state, *play("2@3:3", after_pull=True)) == "no-character"
    assert refused(state, *play("2@2:5", after_pull=True)) == "not-in-hand"
    assert not state.late


def test_ruling_all_done() -> None:
    """When the phase ended because all were done, nothing is late, only refused."""
    state = table(timed=True, p2="3")
    lay(state, "1@2:sure")
    finish(state)
    assert refused(state, *play("2@2:3", after_pull=True)) == "no-cards-now"
    assert not state.report.late


def test_ruling_jury_order() -> None:
    state = table(5)
    state.jumpmaster = 3
    lay(state, "1@4:sure 1@s1:sure 2@2:bluff 3@s3:maybe 5@s5:bluff 4@s4:sure 1@2:maybe")
    shown = told(finish(state), CardsTurned)
    assert [event.jump for event in shown] == [Jump(1, 3), Jump(1, 4), Jump(1, 0), Jump(1, 2), Jump(2), Jump(4)]
    assert shown[4].characters == [Turned(0, "maybe"), Turned(1, "bluff")]


def test_ruling_always_rolls() -> None:
    """Even when the result is certain; halving leaves difficulty and dice alone."""
    certain = jury("1@s1:sure 1@s1:1", "1")
    assert told(certain, DifficultySet)[0].percent == 100
    assert told(certain, DiceRolled)
    halved = jury("1@3:sure 1@3:5 2@3:4", "4 5")
    assert told(halved, DifficultySet) == [DifficultySet(Jump(3), 2, 9, 9, 28)]
    assert told(halved, JumpScored)[0].points == 4


def test_a_jump_that_fails_does_not_roll() -> None:
    assert not told(jury("1@2:sure 2@2:sure 3@2:sure 1@2:3"), DiceRolled)
    assert not told(jury("1@2:bluff 1@2:3"), DiceRolled)


def test_ruling_all_cards_count() -> None:
    """Whoever played them, also under a bluff or a disqualified character."""
    events = jury("1@2:sure 2@2:sure 3@2:bluff 4@2:sure 4@2:bluff 3@2:2 4@2:+1 1@2:1", "3 3")
    assert told(events, DifficultySet) == [DifficultySet(Jump(2), 2, 4, 3, 92)]


def test_ruling_next_plane() -> None:
    state = table(timed=True, phase="preparation")
    assert BOOGIE.timer(state).seconds == 60
    assert CLOCK in BOOGIE.to_act(state)
    time_up(state, *["1", "2"] * 12)
    assert state.phase == PLANE
    untimed = table(phase="preparation")
    assert CLOCK not in BOOGIE.to_act(untimed)
    assert BOOGIE.timer(untimed) is None


def test_the_minute_to_the_next_plane_begins_when_the_jury_has_been_told() -> None:
    state = table(timed=True)
    lay(state, "1@2:sure 2@2:sure 3@2:bluff 3@2:2 4@2:+1 1@2:1")
    finish(state, "3 3")
    told = 6 * 0.7 + 4.0
    assert BOOGIE.timer(state).seconds == 60 + told
    state.report = JuryReport(0, (), state.report.jumps * 40, ())
    assert BOOGIE.timer(state).seconds == 60 + 45


def test_ruling_first_jumpmaster() -> None:
    assert [BOOGIE.setup(4, Options(), Scripted(f"seat {seat}")).jumpmaster for seat in range(4)] == [0, 1, 2, 3]


def test_ruling_animal_by_seat() -> None:
    names = ["A", "B", "C"]
    lines = BOOGIE.words.paint(BOOGIE.view(table(3), 0), names, "en")
    painted = "\n".join("".join(span.text for span in line) for line in lines)
    assert all(animal.capitalize() in painted for animal in BOX.animals[:3])


def test_ruling_shared_victory() -> None:
    state = table()
    state.points = [(3, 5, 0, 1), (4, 2, 0, 1), (0, 0, 0, 1)]
    state.jumprun = 3
    events = finish(state)
    assert BOOGIE.outcome(state).winners == [0, 1]
    assert told(events, GameEnded)[0].winners == [0, 1]
    assert BOOGIE.to_act(state) == frozenset()


@pytest.mark.parametrize("pace", ["standard", "relaxed", "own"])
def test_time(pace: str) -> None:
    options = Options(pace=pace, plane_seconds=30, jump_seconds=20)  # type: ignore[arg-type]
    state = BOOGIE.setup(3, options, Seeded(1))
    lengths = {"standard": (180, 60), "relaxed": (360, 120), "own": (30, 20)}[pace]
    seen = []
    for _ in range(4):
        seen.append(BOOGIE.timer(state).seconds)
        BOOGIE.apply(state, CLOCK, BOOGIE.legal(state, CLOCK)[0].action, Seeded(1))
    assert seen == [60, *lengths, 3]
