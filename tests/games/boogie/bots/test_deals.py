"""How bots answer deals, and which promises they consider: each answer once, each promise one that can be true."""

import random
from typing import Any

import pytest

from jamboree.bots import Level, player
from jamboree.core.chance import Seeded
from jamboree.core.play import Match, Whisper, play
from jamboree.games.boogie.bots.deals import NO, PROMISED_OUT, DealReplies, can_be_true, credible_offers
from jamboree.games.boogie.rules.actions import AskInExchange, Promise, PromiseTo, SayReady
from jamboree.games.boogie.rules.events import CharactersRemoved, PromiseMade
from jamboree.games.boogie.rules.setup import Options
from jamboree.games.boogie.rules.state import State
from jamboree.games.boogie.words.parsing import read_term

from ..table import BOOGIE, promise, table

GOOD, BAD = "2>1 sure@3 for sure@3", "2>1 harmless@s3 for figures9@s2"


def replies(state: State, seat: int = 0, seed: int = 1) -> list[Any]:
    """Let the replier of a seat answer until it has nothing left to say; return what it did."""
    replier, done = DealReplies(seed), list[Any]()
    while (reply := replier(BOOGIE.view(state, seat), BOOGIE.legal(state, seat))) is not None:
        assert len(done) < 20, done
        done.append(reply)
        if not isinstance(reply, Whisper):
            BOOGIE.apply(state, seat, reply, Seeded(1))
    return done


def plane(*promises: str, **hands: str) -> State:
    state = table(4, "plane", False, True, **hands)
    for mark in promises:
        promise(state, mark)
    return state


def test_a_good_deal_is_accepted_in_the_same_terms() -> None:
    state = plane(GOOD)
    assert replies(state) == [PromiseTo(1), AskInExchange(read_term("sure@3")), Promise(read_term("sure@3"))]
    assert replies(state) == [], "once"


def test_a_deal_that_can_not_be_kept_is_refused_in_words() -> None:
    assert replies(plane(BAD, p1="1 2")) == [Whisper(NO, 1)]


def test_a_counter_offer_gives_less_of_what_was_asked_for() -> None:
    done = replies(plane("2>1 sure@3 for figures12@3", "1>all sure@3", p1="4 5"))
    (given,) = [action.term for action in done if isinstance(action, Promise)]
    assert (given.pledge, given.jump.number) == ("figures", 3)
    assert 0 < given.worth <= 9


def test_a_ready_bot_takes_that_back_to_accept() -> None:
    state = plane(GOOD)
    BOOGIE.apply(state, 0, SayReady(), Seeded(1))
    assert len(replies(state)) == 4
    assert state.withdrawn[0] == 1


def test_after_six_promises_a_bot_says_that_it_has_promised_enough() -> None:
    state = plane(*["1>all harmless@s1"] * 6, GOOD)
    assert replies(state) == [Whisper(PROMISED_OUT, 1)]


def test_the_acceptance_of_a_deal_is_no_offer() -> None:
    state = plane("1>2 sure@3 for sure@3", "2>1 sure@3 for sure@3")
    assert replies(state) == []


def test_each_of_several_deals_is_answered() -> None:
    done = replies(plane(BAD, "3>1 sure@2 for sure@2", "4>1 harmless@s2 for figures8@s2"))
    assert Whisper(NO, 1) in done
    assert Whisper(NO, 3) in done
    assert Promise(read_term("sure@2")) in done


def test_two_bots_do_not_haggle_for_ever() -> None:
    state = plane("2>1 harmless@s3 for sure@3")
    for _ in range(6):
        for seat in (0, 1):
            replies(state, seat)
    assert len(state.promises) <= 4


@pytest.mark.parametrize("term", ["figures10@s1", "figures5@3", "maybe@2", "out@3", "sure@s1"])
def test_what_can_not_be_true_is_not_promised(term: str) -> None:
    """With a 1, a 2 and a 4 in hand, ✓ on the 2 and the 3, and 3 points on the 2."""
    state = plane("1>all sure@2", "1>all sure@3", "1>all figures3@2", p1="1 2 4")
    BOOGIE.apply(state, 0, PromiseTo(None), Seeded(1))
    view, offers = BOOGIE.view(state, 0), BOOGIE.legal(state, 0)
    promised = [offer.action for offer in credible_offers(view, offers)]
    assert Promise(read_term(term)) in [offer.action for offer in offers]
    assert Promise(read_term(term)) not in promised
    assert Promise(read_term("figures4@3")) in promised
    assert not any(isinstance(action, PromiseTo) for action in promised), "one promise after the other"


def test_a_deal_is_about_jumps_on_which_both_sides_gain() -> None:
    """A card on the solo of a third player gains nobody anything, and one on the own solo only its owner."""
    state = plane()
    BOOGIE.apply(state, 0, PromiseTo(1), Seeded(1))
    requests = [action.term for action in considered(state) if isinstance(action, AskInExchange)]
    assert {term.jump.solo for term in requests} == {None, 0}
    BOOGIE.apply(state, 0, AskInExchange(read_term("sure@3")), Seeded(1))
    gifts = [action.term for action in considered(state) if isinstance(action, Promise)]
    assert {term.jump.solo for term in gifts} == {None, 1}


def considered(state: State) -> list[Any]:
    return [offer.action for offer in credible_offers(BOOGIE.view(state, 0), BOOGIE.legal(state, 0))]


def watched(levels: list[Level], number: int) -> tuple[list[PromiseMade], list[bool], int]:
    """Play a game; return the promises, whether each could be true, and the number of disqualifications."""
    match = Match(BOOGIE, len(levels), Options(pace="standard"), Seeded(number))
    made, credible, removed = list[PromiseMade](), list[bool](), 0

    def hear(actor: Any, action: Any, events: list[Any]) -> None:
        nonlocal removed
        for event in events:
            removed += isinstance(event, CharactersRemoved) and not event.late
            if isinstance(event, PromiseMade):
                made.append(event)
                credible.append(can_be_true(BOOGIE.view(match.state, event.seat), event.term))

    match.listeners.append(hear)
    play(match, [player(BOOGIE, level, 10 * number + seat) for seat, level in enumerate(levels)], random.Random(number))
    return made, credible, removed


def test_rookies_promise_what_can_be_true_and_hardly_ever_disqualify_themselves() -> None:
    """They did so in 0.42 of the jumpruns among Regulars, and half of their promises could not be true."""
    games = [watched(["rookie"] * 4, number) for number in range(6)]
    assert sum(len(made) for made, *_ in games) > 100
    assert all(all(credible) for _, credible, _ in games)
    assert sum(removed for *_, removed in games) <= 0.05 * 6 * 4 * 4
