"""What a search asks of a twin, the same for every game: how promising actions look, and how each fares if everybody
goes on as greedy bots do. Hidden things are drawn anew for every trial.

An action is named by its place in the menu, or WAITING.
"""

from collections.abc import MutableSequence
from math import exp

from jamboree.core.kernel.bits import Reals, Row, i64
from jamboree.core.kernel.chance import seed
from jamboree.core.kernel.interface import actors, apply, imagine, nth_legal, prior, rank, score

from .drivers import Rows, go_on_greedily

WAITING = -1
BEHIND = -(1 << 40)


def weigh_menu(
    m: Row, s: Row, t: Row, guesses: Row, actor: int, number: int, room_m: Rows, room_s: Rows, c: Row, scratch: Reals,
    worth: Reals,
) -> int:  # fmt: skip
    """Say how promising each action of the menu looks; tell who else may act."""
    draw_world(m, s, t, guesses, room_m[0], room_s[0], c, number, 0)
    prior(room_m[0], room_s[0], c, t, actor, scratch, worth)
    return actors(room_m[0], room_s[0], t)


def try_actions(
    m: Row, s: Row, t: Row, guesses: Row, actor: int, number: int, room_m: Rows, room_s: Rows, c: Row, scratch: Reals,
    menu: Row, seats: int, spread: float, win_part: float, values: MutableSequence[Reals], first: int,
) -> None:  # fmt: skip
    """Play each action out in the same imagined worlds, with the same luck: a line of values for each world."""
    for line in range(len(values)):
        draw_world(m, s, t, guesses, room_m[0], room_s[0], c, number, first + line)
        for k in range(len(menu)):
            copy_row(room_m[0], room_s[0], room_m[1], room_s[1])
            seed(c, number, 2 * (first + line) + 1)
            waiting = 1 << actor
            if menu[k] != WAITING:
                apply(room_m[1], room_s[1], c, t, actor, nth_legal(room_m[1], room_s[1], t, actor, i64(menu[k])))
                waiting = 0
            go_on_greedily(room_m[1], room_s[1], c, t, scratch, waiting)
            values[line][k] = value_for(room_m[1], room_s[1], t, actor, seats, spread, win_part)


def draw_world(
    m: Row, s: Row, t: Row, guesses: Row, new_m: Row, new_s: Row, c: Row, number: int, world: int
) -> None:  # fmt: skip
    """Imagine a position that fits what the actor knows; the same number and world give the same one."""
    copy_row(m, s, new_m, new_s)
    seed(c, number, 2 * world)
    imagine(new_m, new_s, c, t, guesses)


def copy_row(m: Row, s: Row, new_m: Row, new_s: Row) -> None:
    for i in range(len(m)):
        new_m[i] = m[i]
    for i in range(len(s)):
        new_s[i] = s[i]


def value_for(m: Row, s: Row, t: Row, seat: int, seats: int, spread: float, win_part: float) -> float:
    """Give what an end is worth to a seat, from 0 to 1: its share of the win, and in part by how much."""
    own, sharing, beaten, best = rank(m, s, t, seat), 1, 0, i64(BEHIND)
    for other in range(seats):
        if other != seat:
            theirs, points = rank(m, s, t, other), score(m, s, t, other)
            sharing += 1 if theirs == own else 0
            beaten += 1 if theirs > own else 0
            best = points if points > best else best
    share = 0.0 if beaten else 1.0 / sharing
    margin = (score(m, s, t, seat) - best) / spread
    return win_part * share + (1.0 - win_part) / (1.0 + exp(-margin))
