"""Find positions for a strategy course: decisions of strong bots with a large gap between good and other actions.

    python scripts/strategy_positions.py bebop --games 20 --level star > bebop.jsonl

Every decision of the first seat is compared on few playouts, from its view alone; those with a gap are measured again
on many. Each remaining one is printed as a line of JSON: the position as that seat sees it, drawn as in a lesson, and
its actions with their chance to win, best first.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from jamboree.bots import LEVELS, Budget
from jamboree.bots.levels import player
from jamboree.coach.advice import compare_actions
from jamboree.coach.comparison import Comparison
from jamboree.coach.greedy import greedy_index
from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame
from jamboree.core.learning import course_of
from jamboree.core.offers import Offer
from jamboree.core.play import Match, Player, play
from jamboree.games import find, keys

LEARNER = 0
MOST_ACTIONS = 6  # measured actions of a decision
MOST_RIGHT = 3  # actions above the gap
QUICK, THOROUGH = 1_200, 12_000  # playouts


class Recorder:
    """A player that notes what it is asked."""

    def __init__(self, own: Player) -> None:
        self.own = own
        self.decisions: list[tuple[Any, Sequence[Offer[Any]]]] = []

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        self.decisions.append((view, list(offers)))
        return self.own.choose(view, offers)


def decisions_of(game: AnyGame, level: Any, seed: int, seconds: float) -> list[tuple[Any, Sequence[Offer[Any]]]]:
    """Play a game between bots of a level; return the decisions of the learner's seat."""
    course = course_of(game)
    assert course, "there is a course whose table the positions are for"
    rng = random.Random(seed)
    match = Match(game, course.common.seats, course.common.options, Seeded(seed))
    players: list[Any] = [player(game, level, seed + seat, seconds) for seat in range(course.common.seats)]
    players[LEARNER] = recorder = Recorder(players[LEARNER])
    play(match, players, rng)
    return recorder.decisions


def gap_of(comparison: Comparison) -> tuple[int, float]:
    """Return the number of actions above the largest gap, and that gap in chance to win."""
    found = comparison.estimates
    gaps = [(found[at].chance - found[at + 1].chance, at + 1) for at in range(min(MOST_RIGHT, len(found) - 1))]
    gap, count = max(gaps, default=(0.0, 0))
    return count, gap


def measured(game: AnyGame, view: Any, offers: Sequence[Offer[Any]], playouts: int, seed: int) -> Any:
    greedy = greedy_index(game, view, offers, seed)
    return greedy, compare_actions(game, view, offers, greedy, Budget(playouts=playouts), seed, most=MOST_ACTIONS)


def kind_of(offers: Sequence[Offer[Any]], index: int) -> str:
    return type(offers[index].action).__name__ if index >= 0 else "wait"


def candidates(
    game: AnyGame, level: Any, seed: int, seconds: float, least: float, kinds: Sequence[str], hard: bool
) -> Iterator[dict[str, Any]]:
    before: list[Any] = []
    for number, (view, offers) in enumerate(decisions_of(game, level, seed, seconds)):
        menu = [offer.action for offer in offers]
        if menu == before:  # in real time, the same decision is asked again and again
            continue
        before = menu
        if kinds and not any(kind_of(offers, index) in kinds for index in range(len(offers))):
            continue
        greedy, quick = measured(game, view, offers, QUICK, seed)
        if quick is None or gap_of(quick)[1] < least:
            continue
        if kinds and kind_of(offers, quick.estimates[0].offer) not in kinds:
            continue
        greedy, comparison = measured(game, view, offers, THOROUGH, seed + 1)
        count, gap = gap_of(comparison)
        is_obvious = greedy in [each.offer for each in comparison.estimates[:count]]
        if gap < least or (hard and is_obvious):
            continue
        names = [f"P{seat + 1}" for seat in range(view.seats)]
        actions = [
            {
                "action": msgspec.to_builtins(offers[each.offer].action) if each.offer >= 0 else "wait",
                "text": game.words.choice(offers[each.offer].action, view, names, "en").title
                if each.offer >= 0
                else "",
                "chance": round(each.chance, 3),
                "value": round(each.value, 3),
                "error": round(each.error, 3),
                "greedy": each.offer == greedy,
            }
            for each in comparison.estimates
        ]
        yield {
            "game": game.info.key,
            "seed": seed,
            "decision": number,
            "right": count,
            "gap": round(gap, 3),
            "actions": actions,
            "position": game.words.draw(view),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", choices=keys())
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--level", choices=LEVELS, default="star")
    parser.add_argument("--seconds", type=float, default=0.3, help="most of a bot's time for a decision")
    parser.add_argument("--gap", type=float, default=0.08, help="least difference in the chance to win")
    parser.add_argument("--kind", action="append", default=[], help="only where the best action is of such a type")
    parser.add_argument("--hard", action="store_true", help="only where the greedy choice is not among the best")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for seed in range(given.seed, given.seed + given.games):
        for found in candidates(find(given.game), given.level, seed, given.seconds, given.gap, given.kind, given.hard):
            print(json.dumps(found))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
