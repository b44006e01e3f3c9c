"""Rookie's mistakes: it overlooks offers when there are many, and takes the most points among the rest."""

from typing import Any

from jamboree.bots.budget import Budget
from jamboree.bots.rookie import SAMPLE, Rookie
from jamboree.core.chance import Seeded
from jamboree.core.game import GameDefaults, Preview
from jamboree.core.offers import Caution, Offer, menu_of
from jamboree.core.play import WAIT
from jamboree.games import find

DRAWN = 300


class Better:
    """Always takes the first offer."""

    def decide(self, view: Any, offers: Any, budget: Budget) -> Any:
        return offers[0].action if offers else WAIT


class Paying(GameDefaults):
    """A game in which each action pays its own number."""

    def preview(self, view: Any, action: int) -> Preview:
        return Preview([], [0, action], False)


class Seen:
    viewer = 1


def chosen(count: int) -> list[Any]:
    rookie: Any = Rookie(Paying(), Better(), 5)  # type: ignore[arg-type]
    return [rookie.decide(Seen, menu_of(*range(count)), Budget()) for _ in range(DRAWN)]


def test_a_rookie_examines_all_offers_of_a_short_menu() -> None:
    assert set(chosen(SAMPLE)) == {0}


def test_a_rookie_takes_the_best_of_a_sample() -> None:
    picked = chosen(200)
    slips = [action for action in picked if action != 0]
    assert DRAWN / 2 < len(slips) < DRAWN
    assert min(slips) >= SAMPLE - 1, "it never takes the worst of its sample"
    assert sum(slips) / len(slips) > 140, "the best of a handful is better than any one"


def test_a_rookie_heeds_warnings() -> None:
    warned = [Offer(number, (Caution("late", "late"),) if number % 2 else ()) for number in range(100)]
    rookie: Any = Rookie(Paying(), Better(), 5)  # type: ignore[arg-type]
    picked = [rookie.decide(Seen, warned, Budget()) for _ in range(DRAWN)]
    assert len(set(picked)) > 10
    assert not any(action % 2 for action in picked)


def test_a_rookie_waits_if_waiting_is_best() -> None:
    assert Rookie(find("boogie"), Better(), 1).decide(None, [], Budget()) is WAIT


def test_a_rookie_plays_from_a_real_position() -> None:
    game = find("bebop")
    state = game.setup(2, game.info.options(), Seeded(3))
    offers = game.legal(state, state.turn)
    rookie = Rookie(game, Better(), 8)
    picked = {rookie.decide(game.view(state, state.turn), offers, Budget()) for _ in range(20)}
    assert len(picked) > 5
    assert all(any(offer.action == action for offer in offers) for action in picked)
