"""The kit's rulebook and the game made of it, with a game of three lines."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from jamboree.core.chance import EVERYONE, Chance, LeftToChance, NoPicks, Scripted, Unseen
from jamboree.core.errors import BadOptions, Illegal
from jamboree.core.game import Actor, Eye, GameInfo, Nature, Outcome, Timer
from jamboree.core.kit.events import EventSink
from jamboree.core.kit.game import RuledGame, Visibility
from jamboree.core.kit.rulebook import Rulebook, by_mask, in_turn, nothing
from jamboree.core.offers import Offer, menu_of
from jamboree.core.play import WAIT, Later
from jamboree.core.words import Catalogue

BID, OVER = range(2)
FACES = ("tails", "heads")


class Bid(msgspec.Struct, frozen=True, tag=True):
    coins: int


class TimeUp(msgspec.Struct, frozen=True, tag=True):
    pass


class Announced(msgspec.Struct, frozen=True, tag=True):
    what: str


class State(msgspec.Struct):
    turn: int = 0
    phase: int = BID
    points: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    timed: bool = False

    @property
    def seats(self) -> int:
        return 2

    def clone(self) -> "State":
        return State(self.turn, self.phase, self.points[:], self.timed)


class View(msgspec.Struct, frozen=True):
    viewer: int | str | None
    state: State


ACTORS = (by_mask(2), by_mask(2, Nature.CLOCK))


def to_act(state: State) -> frozenset[Actor]:
    return ACTORS[0][0] if state.phase == OVER else ACTORS[state.timed][1 << state.turn]


def bids(state: State, seat: int) -> Sequence[Offer[Any]]:
    return menu_of(Bid(1), Bid(2))


def bid(state: State, seat: int, action: Bid, chance: Chance, emit: EventSink[Announced]) -> Any:
    if action.coins > 2:
        raise refused("too-much")
    state.points[seat] += action.coins
    emit(Announced, "bid")
    return toss if action.coins == 2 else end


def time_up(state: State, actor: Actor, action: TimeUp, chance: Chance, emit: EventSink[Announced]) -> Any:
    return end


def toss(state: State, chance: Chance, emit: EventSink[Announced]) -> Any:
    emit(Announced, FACES[chance.roll(FACES)])
    return end


def end(state: State, chance: Chance, emit: EventSink[Announced]) -> None:
    state.phase = OVER
    emit(Announced, "end")


def refused(key: str) -> Illegal:
    return Illegal("rule", key, {}, key)


def out_of_turn(state: State, actor: Actor, action: Any) -> Illegal | None:
    if state.phase == OVER:
        return refused("over")
    if actor is Nature.CLOCK:
        return None if isinstance(action, TimeUp) else refused("clock")
    return refused("not-your-turn")


def census(state: State) -> Mapping[str, int]:
    return Counter()


BOOK: Rulebook[State, Any, Announced] = Rulebook(
    set_up=lambda seats, options, chance: State(),
    to_act=to_act,
    actions=lambda state: [Bid(1), Bid(2), TimeUp()],
    menus=(bids, nothing),
    rules={Bid: ((BID,), bid), TimeUp: ((BID,), time_up)},
    out_of_turn=out_of_turn,
    timer=lambda state: Timer(0, 5.0) if state.timed else None,
    expiry=menu_of(TimeUp()),
    scores=lambda state: tuple(state.points),
    census=census,
)
GAME: RuledGame[State, Any, Announced, View, Any] = RuledGame(
    info=GameInfo("coins", "Coins", 1, (2, 2), (1, 1), View, Bid | TimeUp, Announced, View, ()),
    words=None,  # type: ignore[arg-type]
    rulebook=BOOK,
    visibility=Visibility(
        view=lambda state, viewer: View(viewer, state.clone()),
        reveals=lambda state, event: False,
        restore=lambda view: view.state.clone(),
        imagine=lambda view, chance: view.state.clone(),
    ),
    players={},
    spectator_refusal=lambda: refused("only-watching"),
)


def test_an_action_is_followed_by_its_automatic_steps() -> None:
    state, events = State(), list[Announced]()
    GAME.apply(state, 0, Bid(2), Scripted("heads"), events.append)
    assert [event.what for event in events] == ["bid", "heads", "end"]
    assert GAME.to_act(state) == frozenset()
    assert GAME.outcome(state) == Outcome([0], [2, 0])


def test_most_points_win_unless_a_rulebook_says_otherwise() -> None:
    over = State(phase=OVER, points=[3, 3])
    assert GAME.outcome(State(points=[3, 3])) is None
    assert GAME.outcome(over) == Outcome([0, 1], [3, 3])
    first = replace(GAME, rulebook=replace(BOOK, outcome=lambda state: Outcome([0], state.points)))
    assert first.outcome(over) == Outcome([0], [3, 3])


def test_in_turn_allows_one_actor_until_the_end() -> None:
    asked = in_turn(OVER, 2)
    assert [asked(State(turn=1)), asked(State(phase=OVER))] == [{1}, frozenset()]


def test_events_are_public_by_default() -> None:
    assert GAME.witness(Announced("toss"), None) == Announced("toss")


@pytest.mark.parametrize(
    ("actor", "action", "phase", "key"),
    [
        (1, Bid(1), BID, "not-your-turn"),
        (0, Bid(1), OVER, "over"),
        (0, Bid(3), BID, "too-much"),
        (Nature.CLOCK, Bid(1), BID, "clock"),
    ],
)
def test_refusals(actor: Actor, action: Any, phase: int, key: str) -> None:
    state = State(phase=phase, timed=True)
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, actor, action, Scripted())
    assert refusal.value.key == key
    assert state == State(phase=phase, timed=True)


@pytest.mark.parametrize("value", [WAIT, Later(1.0), None, [], "bid", Bid("1"), Bid(None)])  # type: ignore[arg-type]
def test_an_unknown_action_is_refused_in_every_language(value: Any) -> None:
    state = State()
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, 0, value, Scripted())
    assert state == State()
    assert str(refusal.value) == "That is not an action of this game."
    words = Catalogue("jamboree.games.bebop.words")
    assert words.reason(refusal.value, "nl") == "Dat is geen actie in dit spel."


def test_an_exception_in_a_rule_is_not_a_refusal() -> None:
    def broken(state: State, seat: int, action: Bid, chance: Chance, emit: EventSink[Announced]) -> Any:
        raise KeyError("a mistake")

    game = replace(GAME, rulebook=replace(BOOK, rules={**BOOK.rules, Bid: ((BID,), broken)}))
    with pytest.raises(KeyError, match="a mistake"):
        game.apply(State(), 0, Bid(1), Scripted())


def test_only_actors_have_a_menu() -> None:
    state = State()
    assert [len(GAME.legal(state, actor)) for actor in (0, 1, 7, -1, Nature.CLOCK)] == [2, 0, 0, 0, 0]
    assert len(GAME.legal(State(phase=OVER), 0)) == 0


def test_the_clock_is_an_actor_while_a_timer_runs() -> None:
    state = State(timed=True)
    assert GAME.timer(state) == Timer(0, 5.0)
    assert [offer.action for offer in GAME.legal(state, Nature.CLOCK)] == [TimeUp()]
    GAME.apply(state, Nature.CLOCK, TimeUp(), Scripted())
    assert state.phase == OVER


def test_a_preview_stops_at_the_first_pick() -> None:
    certain, tossed = (GAME.preview(View(0, State()), Bid(coins)) for coins in (1, 2))
    assert ([event.what for event in certain.events], certain.chance_follows) == (["bid", "end"], False)
    assert ([event.what for event in tossed.events], tossed.chance_follows) == (["bid"], True)
    assert tossed.points == [2, 0]


def test_a_game_can_exclude_automatic_steps_from_previews() -> None:
    preview = replace(GAME, foresees_steps=False).preview(View(0, State()), Bid(1))
    assert ([event.what for event in preview.events], preview.chance_follows) == (["bid"], True)


def test_unknown_information_also_ends_a_preview() -> None:
    def hidden(state: State, seat: int, action: Bid, chance: Chance, emit: EventSink[Announced]) -> None:
        raise Unseen

    game = replace(GAME, rulebook=replace(BOOK, rules={**BOOK.rules, Bid: ((BID,), hidden)}))
    assert game.preview(View(0, State()), Bid(1)).chance_follows
    assert game.why_not(View(0, State()), Bid(1)) is None


def test_why_not_reports_the_refusal_of_a_preview() -> None:
    assert GAME.why_not(View(0, State()), Bid(2)) is None
    for view in (View(1, State()), View(None, State()), View(Eye.ALL.value, State())):
        refusal = GAME.why_not(view, Bid(1))
        with pytest.raises(Illegal) as raised:
            GAME.preview(view, Bid(1))
        assert refusal is not None
        assert refusal.key == raised.value.key


def test_the_number_of_players_is_checked() -> None:
    with pytest.raises(BadOptions, match="Coins is for 2 to 2 players, not 3"):
        GAME.setup(3, None, Scripted())


def test_untimed_answers_nothing() -> None:
    with pytest.raises(LeftToChance):
        NoPicks().index(2, EVERYONE)


class Nameless(msgspec.Struct, frozen=True):
    seats: int


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"info": msgspec.structs.replace(GAME.info, view=Nameless)}, "needs a field `viewer`"),
        ({"info": msgspec.structs.replace(GAME.info, action=Bid | Nameless)}, "no rule for the action Nameless"),
        ({"rulebook": replace(GAME.rulebook, menus=())}, "menus for 0 phases only"),
    ],
)
def test_an_invalid_declaration_is_reported_at_construction(changed: Any, complaint: str) -> None:
    with pytest.raises(TypeError, match=complaint):
        replace(GAME, **changed)


def test_a_game_without_bots_is_valid() -> None:
    bare: RuledGame[State, Any, Announced, View, Any] = RuledGame(
        info=GAME.info,
        words=GAME.words,
        rulebook=GAME.rulebook,
        visibility=GAME.visibility,
        spectator_refusal=GAME.spectator_refusal,
    )
    assert bare.bots() == {}
