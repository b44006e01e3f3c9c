"""Advice as text: every reason of every game exists in every language, and matches the action."""

import random
import re
from typing import Any

import pytest

from jamboree.bots import Budget
from jamboree.coach import Advice, RatedMove, advise, render_advice
from jamboree.coach.advice_text import action_title, game_reasons
from jamboree.coach.greedy import follow_up
from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame
from jamboree.core.kit.words import GameWords
from jamboree.core.words import LANGUAGES
from jamboree.games import all_games, find
from tests.bots.test_honesty import positions
from tests.contract.toy import HighCard

READS_ON = re.compile(r"\b(and|en|on|op|of|aan|to|least|minstens) ·")
ODD = re.compile(r"^(Er zijn nog )?0 |\b1 (dice|dobbelstenen|points|punten)\b")  # counts that read badly
NAMES = ["Ada", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal"]


def decisions(game: AnyGame, seed: int, options: Any = None) -> Any:
    """Play a game as greedy bots do, and give every decision of it."""
    rng, chance = random.Random(seed), Seeded(seed)
    state = game.setup(game.info.seats[0], options or game.info.options(), chance)
    players = [game.bots()["greedy"](seat) for seat in range(state.seats)]
    while actors := sorted(game.to_act(state), key=str):
        actor = rng.choice(actors)
        offers = game.legal(state, actor)
        chosen = players[actor].choose(game.view(state, actor), offers) if isinstance(actor, int) else None
        if isinstance(actor, int) and offers:
            yield game.view(state, actor), offers, chosen
        lawful = next((offer for offer in offers if offer.action == chosen), None)
        if lawful is None and isinstance(actor, int) and len(actors) > 1:
            continue
        game.apply(state, actor, (lawful or offers[0]).action, chance)


@pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.info.key)
def test_every_reason_of_a_game_occurs_and_can_be_rendered(game: AnyGame) -> None:
    words: GameWords[Any, Any, Any] = game.words  # type: ignore[assignment]
    texts, rng = set[str](), random.Random(5)
    kinds = set[type]()
    for seed, options in enumerate(game.info.samples[-2:]):
        for view, offers, chosen in decisions(game, seed, options):
            for offer in rng.sample(list(offers), min(len(offers), 3)):
                kinds.add(type(offer.action))
                for lang in LANGUAGES:
                    texts |= {
                        reason[:12] for reason in game_reasons(game, offer.action, view, NAMES[: view.seats], lang)
                    }
            if any(offer.action == chosen for offer in offers):
                for lang in LANGUAGES:
                    texts |= {reason[:12] for reason in game_reasons(game, chosen, view, NAMES[: view.seats], lang)}
    assert len(kinds & set(words.coaching)) >= len(words.coaching) - 2, "nearly every kind of action was on offer"
    assert len(texts) >= len(words.coaching)


def test_a_booking_names_the_size_of_its_family() -> None:
    game = find("bebop")
    titles = [
        (game.preview(view, chosen).points[view.viewer], " ".join(game_reasons(game, chosen, view, NAMES[:2], "en")))
        for view, _, chosen in decisions(game, 1)
        if type(chosen).__name__ == "BookSeat"
    ]
    assert any(f"has {points} " in texts for points, texts in titles if points > 1)


def test_a_move_names_its_points_and_the_player_it_denies() -> None:
    game = HighCard()
    state, seat = positions(game, 0)
    view, offers = game.view(state, seat), game.legal(state, seat)
    own = [seat == each for each in range(2)]
    paid, denied = [2 * mine for mine in own], [0.0 if mine else -1.6 for mine in own]
    first = RatedMove(offer=0, rank=1, certain=paid, chance=0.5, expected=3.2, others=denied)
    second = RatedMove(offer=1, rank=2, certain=[0, 0], chance=0.3, expected=0.0, others=[0.0, 0.0])
    advised = render_advice(game, Advice(moves=[first, second], chance=0.4), view, offers, NAMES[:2], "en")
    assert advised.moves[0].reason == (
        "It pays 2 points at once. By the end it should bring about 3 points more than the move a Regular would make."
        f" It takes about 2 points away from {NAMES[1 - seat]}."
    )
    assert advised.moves[1].reason == "It ends about 3 points behind the first."
    assert (
        render_advice(game, Advice(moves=[first]), view, offers, NAMES[:2], "nl")
        .moves[0]
        .reason.startswith("Het levert")
    )


def test_the_asker_is_addressed_as_you_among_the_paid_players() -> None:
    game = HighCard()
    state, seat = positions(game, 0)
    view, offers = game.view(state, seat), game.legal(state, seat)
    both = Advice(moves=[RatedMove(offer=0, rank=1, certain=[3, 3])])
    names = [f"3 for {'you' if each == seat else NAMES[each]}" for each in range(2)]
    assert (
        render_advice(game, both, view, offers, NAMES[:2], "en")
        .moves[0]
        .reason.startswith(f"It pays {' and '.join(names)} at once.")
    )


def test_a_close_call_is_named_as_such() -> None:
    game = HighCard()
    state, seat = positions(game, 0)
    even = [
        RatedMove(offer=place, rank=1, certain=[0, 0], chance=0.5, expected=0.0, others=[0.0, 0.0]) for place in (0, 1)
    ]
    advice = Advice(moves=even, chance=0.5)
    first, second = render_advice(game, advice, game.view(state, seat), game.legal(state, seat), NAMES[:2], "en").moves
    assert first.reason == "It is a close call: others do about as well."
    assert second.reason == "It does about as well as the first."


def test_a_single_offer_is_described_as_the_only_one() -> None:
    game = HighCard()
    state, seat = positions(game, 0)
    view, offers = game.view(state, seat), game.legal(state, seat)[:1]
    (only,) = render_advice(
        game, advise(game, view, offers, Budget(playouts=40), seed=1), view, offers, NAMES[:2], "en"
    ).moves
    assert only.reason.startswith("It is the only thing you can do now.")
    waiting = Advice(moves=[RatedMove(offer=-1, rank=1, certain=[0, 0])])
    assert (
        render_advice(game, waiting, view, offers, NAMES[:2], "en").moves[0].reason == "See first what the others do."
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.info.key)
def test_titles_and_reasons_form_one_line(game: AnyGame, lang: str) -> None:
    for number, (view, offers, _) in enumerate(decisions(game, 3)):
        for offer in random.Random(number).sample(list(offers), min(len(offers), 4)):
            title = action_title(game, offer.action, view, NAMES[: view.seats], lang)
            assert not READS_ON.search(title), title
            for reason in game_reasons(game, offer.action, view, NAMES[: view.seats], lang):
                assert not reason[0].islower(), reason
                assert not ODD.search(reason), reason


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", list(all_games().values()), ids=lambda game: game.info.key)
def test_every_move_has_a_title_and_a_reason(game: AnyGame, lang: str) -> None:
    for number in range(1, 5):
        state, seat = positions(game, number)
        view, offers = game.view(state, seat), game.legal(state, seat)
        advice = advise(game, view, offers, Budget(playouts=40), seed=number)
        for move in render_advice(game, advice, view, offers, NAMES[: view.seats], lang).moves:
            assert move.title
            assert move.reason.endswith(".")


@pytest.mark.parametrize(
    ("key", "begins", "text"),
    [
        ("bebop", "ClaimSeat", "Next, for instance: “Claim: "),
        ("bpm", "SwapDancers", "Next, for instance: “Place a token · "),
        ("boogie", "PromiseTo", "Next, for instance: “I promise: "),
    ],
)
def test_the_first_half_of_an_action_is_described_with_the_second(key: str, begins: str, text: str) -> None:
    game, reasons = find(key), set[str]()
    for view, offers, _ in decisions(game, 1):
        halves = [at for at, offer in enumerate(offers) if type(offer.action).__name__ == begins][:40]
        moves = [RatedMove(offer=at, rank=1, certain=[0] * view.seats) for at in halves]
        reasons |= {
            move.reason
            for move in render_advice(game, Advice(moves=moves), view, offers, NAMES[: view.seats], "en").moves
            if len(offers) > 1
        }
        if any(text in reason for reason in reasons):
            return
    raise AssertionError(reasons)


def test_a_promise_is_not_advised_twice() -> None:
    game = find("boogie")
    begun = [
        (offer.action, follow_up(game, view, offer.action))
        for view, offers, _ in decisions(game, 1)
        for offer in offers
        if type(offer.action).__name__ == "PromiseTo"
    ]
    assert any(action.to is not None for action, _ in begun)
    assert any(after for _, after in begun)
    assert not any(after and type(after[0]) is type(action) for action, after in begun)


def test_a_neighbours_token_does_not_count_as_an_own_fan() -> None:
    game = find("bpm")
    gifts = [
        game_reasons(game, offers[0].action, view, NAMES[:2], "en")
        for seed in range(3)
        for view, offers, _ in decisions(game, seed)
        if view.phase == "gift"
    ]
    assert gifts
    assert all(not any("your" in reason for reason in texts) for texts in gifts)
