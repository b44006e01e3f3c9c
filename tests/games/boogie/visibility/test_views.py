"""Views of other players: who laid how many cards where, in which order; never faces or private promises."""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from jamboree.core.chance import EVERYONE, Chance, Scripted, Seeded, only
from jamboree.core.game import Eye
from jamboree.games.boogie.box.components import BOX, COPIES, NUMBER, ONE, hand_of, jumpcards_of, size_of
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.rules.actions import AskInExchange, PromiseTo, SayReady, Term
from jamboree.games.boogie.rules.events import CardLaid, OddsWeighed, PromiseBegun
from jamboree.games.boogie.rules.setup import Options
from jamboree.games.boogie.visibility.views import Laid

from ..table import BOOGIE, all_ready, finish, lay, play, promise, table


def test_piles_grow_for_all_to_see() -> None:
    state = table()
    lay(state, "1@2:sure 2@2:5 1@s1:bluff 2@s1:+1")
    seen = [
        Laid(0, Jump(2), True, False, None),
        Laid(1, Jump(2), False, False, None),
        Laid(0, Jump(1, 0), True, False, None),
        Laid(1, Jump(1, 0), False, False, None),
    ]
    assert BOOGIE.view(state, 2).plays == BOOGIE.view(state, None).plays == seen
    faces = [laid.card for laid in BOOGIE.view(state, 0).plays]
    assert faces == ["sure", None, "bluff", None]
    assert [laid.card for laid in BOOGIE.view(state, Eye.ALL).plays] == ["sure", "5", "bluff", "+1"]


@pytest.mark.parametrize(("seats", "formations"), [(3, [2]), (5, [2, 3, 4]), (8, [2, 3, 4, 5, 6])])
def test_a_view_tells_what_a_table_needs_no_rules_for(seats: int, formations: list[int]) -> None:
    view = BOOGIE.view(table(seats), None)
    assert view.formations == formations
    assert view.jumpruns == 4
    assert view.limits.promises == 6
    assert view.limits.worth_max == 12


def test_laying_a_card_is_told_without_its_face() -> None:
    state, events = table(p1="3"), list[Any]()
    lay(state, "1@2:sure")
    BOOGIE.apply(state, *play("1@2:3"), Scripted(), events.append)
    assert events == [CardLaid(0, Jump(2), False, "3", False), OddsWeighed(0, Jump(2), 1, 3, 67)]
    for viewer in (None, 1):
        witnessed = [BOOGIE.witness(event, viewer) for event in events]
        assert witnessed == [CardLaid(0, Jump(2), False, None, False), None]


def test_a_preview_weighs_the_odds() -> None:
    """4 dice against 14: 56 %."""
    state = table(p1="3 3 3 5")
    lay(state, "1@2:sure 1@2:3 1@2:3 1@2:3")
    preview = BOOGIE.preview(BOOGIE.view(state, 0), play("1@2:5")[1])
    assert preview.events[1] == OddsWeighed(0, Jump(2), 4, 14, 56)
    assert not preview.chance_follows


def test_a_private_promise_is_known_to_two() -> None:
    state = table(phase="plane")
    promise(state, "1>2 sure@2")
    promise(state, "1>all sure@3")
    known = {viewer: len(BOOGIE.view(state, viewer).promises) for viewer in (None, 0, 1, 2, Eye.ALL)}
    assert known == {None: 1, 0: 2, 1: 2, 2: 1, Eye.ALL: 2}


def test_nobody_sees_a_promise_that_is_only_begun() -> None:
    state = table(phase="plane")
    before = [BOOGIE.view(state, viewer) for viewer in (None, 1, 2)]
    BOOGIE.apply(state, 0, PromiseTo(1), Scripted())
    BOOGIE.apply(state, 0, AskInExchange(Term("sure", Jump(2))), Scripted())
    assert [BOOGIE.view(state, viewer) for viewer in (None, 1, 2)] == before
    assert BOOGIE.view(state, 0).talk[0].draft.to == 1
    assert BOOGIE.witness(PromiseBegun(0, 1, 5), 1) is None


def test_six_private_promises_show_nowhere() -> None:
    """The set of actors is public, so it must not reveal that a player has no private promises left."""
    state, silent = table(phase="plane"), table(phase="plane")
    for _ in range(6):
        promise(state, "1>2 harmless@2")
    assert BOOGIE.to_act(state) == BOOGIE.to_act(silent)
    assert BOOGIE.view(state, 2) == BOOGIE.view(silent, 2)
    assert msgspec.json.encode(list(BOOGIE.legal(state, 2))) == msgspec.json.encode(list(BOOGIE.legal(silent, 2)))


def test_the_last_jury_can_be_read_again() -> None:
    state = table()
    lay(state, "1@2:sure 2@2:sure 1@2:4")
    finish(state, "5")
    (jump,) = BOOGIE.view(state, None).jury.jumps
    assert (jump.jumpers, jump.verdict, jump.eyes, jump.points, jump.percent) == ([0, 1], "exact", [5], 4, 50)


def test_imagined_hands_remember_what_the_deck_was_made_of() -> None:
    """After a reshuffle the deck holds nothing but what was on the discard pile then."""
    state = BOOGIE.setup(8, Options(), Seeded(3))
    rng = random.Random(3)
    chance = Seeded(5)
    checked = 0
    while actors := BOOGIE.to_act(state):
        actor = rng.choice(sorted(actors))
        legal = BOOGIE.legal(state, actor)
        BOOGIE.apply(state, actor, legal[rng.randrange(len(legal))].action, chance)
        if state.phase != 0 or not any(state.era_hands) or checked > 5:
            continue
        checked += 1
        for seed in range(5):
            imagined = BOOGIE.imagine(BOOGIE.view(state, 0), Seeded(seed))
            for card, inside in enumerate(imagined.deck.counts):
                assert inside <= jumpcards_of(state.era_deck)[card]
            assert [size_of(hand) for hand in imagined.hands] == [size_of(hand) for hand in state.hands]
    assert checked


def test_imagined_hands_are_as_likely_as_they_should_be() -> None:
    """Before the first reshuffle every unseen card is as likely as any other to be in a hidden hand."""
    state = table(3, phase="plane", p1="6 6 6", p2="1")
    view = BOOGIE.view(state, 0)
    drawn = Counter[int]()
    for seed in range(3000):
        (card,) = [kind for kind, n in enumerate(jumpcards_of(BOOGIE.imagine(view, Seeded(seed)).hands[1])) if n]
        drawn[card] += 1
    unseen = [*BOX.figures.values(), *BOX.effects.values()]
    unseen[5] -= 3
    for card, copies in enumerate(unseen):
        assert drawn[card] / 3000 == pytest.approx(copies / sum(unseen), abs=0.025)


def test_imagined_hands_weigh_where_a_turned_card_came_from() -> None:
    """Worked out by hand. The deck was made while the second and third player held a 1 and a 6, nobody knows who which.

    The second player drew one card and then played a 1. It was the old card with 1/2 · 1/2, or the fresh one with
    1/2 · 11/91; in the first case the third player holds the 6, in the second with 1/2.
    """
    state = table(3, phase="preparation", p2="3", p3="6")
    one, six = ONE[NUMBER["1"]], ONE[NUMBER["6"]]
    state.deck.take(NUMBER["1"])
    state.discard.put(NUMBER["1"])
    state.era_deck = hand_of(COPIES) - one - six
    state.era_hands, state.shown = [0, one, six], [0, one, 0]
    old, fresh = 1 / 4, 1 / 2 * 11 / 91
    expected = (old + fresh / 2) / (old + fresh)
    view = BOOGIE.view(state, 0)
    holds_six = sum(BOOGIE.imagine(view, Seeded(seed)).hands[2] & six > 0 for seed in range(2000))
    assert holds_six / 2000 == pytest.approx(expected, abs=0.03)


def test_new_cards_are_seen_in_the_plane_and_by_their_owner_alone() -> None:
    state = BOOGIE.setup(3, Options(), Scripted("seat 0"))
    assert BOOGIE.view(state, 0).hands[0].jumpcards == 0
    events = all_ready(state, *["1"] * 6, *["2"] * 6, *["3"] * 6)
    dealt = [event for event in events if type(event).__name__ == "CardsDealt"]
    assert [BOOGIE.witness(event, 1).cards for event in dealt] == [None, ["2"] * 6, None]
    assert BOOGIE.view(state, 1).hands[0].cards is None


def test_who_may_see_what_chance_decides() -> None:
    """The first jumpmaster and the jury's dice are open to all; a card is its owner's."""
    asked: list[int] = []

    class Listening(Chance):
        def index(self, n: int, seen_by: int) -> int:
            asked.append(seen_by)
            return 1

    state = BOOGIE.setup(3, Options(), Listening())
    for seat in range(3):
        BOOGIE.apply(state, seat, SayReady(), Listening())
    assert asked == [EVERYONE, *[only(1)] * 6, *[only(2)] * 6, *[only(0)] * 6]
