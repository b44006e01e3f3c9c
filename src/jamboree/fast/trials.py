"""What a search asks of a twin, the same for every game: how promising actions look, and how each fares if everybody
goes on as greedy bots do. Hidden things are drawn anew for every trial.

An action is named by its place in the menu, or WAITING; NOBODY does nothing, and everybody goes on.
"""

from collections.abc import MutableSequence

from jamboree.core.twin.bits import Reals, Row, i64
from jamboree.core.twin.chance import seed
from jamboree.core.twin.interface import actors, apply, believe, imagine, nth_legal, observe, prior, rank, score

from .drivers import Rows, best_rank, go_on_greedily

Ends = MutableSequence[MutableSequence[Reals]]  # by world, action and seat

WAITING, NOBODY = -1, -2


def weigh_menu(
    m: Row, s: Row, t: Row, guesses: Row, actor: int, number: int, believing: int, room_m: Rows, room_s: Rows, c: Row,
    scratch: Reals, worth: Reals,
) -> int:  # fmt: skip
    """Say how promising each action of the menu looks; tell who else may act."""
    draw_world(m, s, t, guesses, room_m[0], room_s[0], c, number, 0, actor, believing)
    prior(room_m[0], room_s[0], c, t, actor, scratch, worth)
    return actors(room_m[0], room_s[0], t)


def try_actions(
    m: Row, s: Row, t: Row, guesses: Row, actor: int, number: int, believing: int, room_m: Rows, room_s: Rows, c: Row,
    scratch: Reals, menu: Row, seats: int, shares: Ends, points: Ends, first: int,
) -> None:  # fmt: skip
    """Play each action out in the same imagined worlds, with the same luck: how each seat fares in each world."""
    for line in range(len(shares)):
        draw_world(m, s, t, guesses, room_m[0], room_s[0], c, number, first + line, actor, believing)
        for k in range(len(menu)):
            copy_row(room_m[0], room_s[0], room_m[1], room_s[1])
            seed(c, number, 2 * (first + line) + 1)
            try_action(room_m[1], room_s[1], c, t, actor, scratch, i64(menu[k]), -1)
            write_end(room_m[1], room_s[1], t, seats, shares[line][k], points[line][k])


def see_actions(
    m: Row, s: Row, t: Row, guesses: Row, actor: int, number: int, believing: int, room_m: Rows, room_s: Rows, c: Row,
    scratch: Reals, menu: Row, seats: int, shares: Ends, points: Ends, seen: MutableSequence[Rows], first: int,
) -> None:  # fmt: skip
    """Play each action in the same imagined worlds, with the same luck, until the actor has to decide again: what is
    seen then, and how it would end there; a share below zero says that it has not ended."""
    for line in range(len(shares)):
        draw_world(m, s, t, guesses, room_m[0], room_s[0], c, number, first + line, actor, believing)
        for k in range(len(menu)):
            copy_row(room_m[0], room_s[0], room_m[1], room_s[1])
            seed(c, number, 2 * (first + line) + 1)
            try_action(room_m[1], room_s[1], c, t, actor, scratch, i64(menu[k]), actor)
            observe(room_m[1], room_s[1], t, actor, seen[line][k])
            write_end(room_m[1], room_s[1], t, seats, shares[line][k], points[line][k])
            if actors(room_m[1], room_s[1], t):
                shares[line][k][actor] = -1.0


def try_action(m: Row, s: Row, c: Row, t: Row, actor: int, scratch: Reals, place: int, until: int) -> None:
    """Carry out an action of the menu, and go on as greedy bots do."""
    if place >= 0:
        apply(m, s, c, t, actor, nth_legal(m, s, t, actor, place))
    go_on_greedily(m, s, c, t, scratch, 1 << actor if place == WAITING else 0, until)


def draw_world(
    m: Row, s: Row, t: Row, guesses: Row, new_m: Row, new_s: Row, c: Row, number: int, world: int,
    actor: int, believing: int,
) -> None:  # fmt: skip
    """Imagine a position that fits what the actor knows, or one that the actor believes in; the same number and world
    give the same one. Without guesses nothing is hidden."""
    copy_row(m, s, new_m, new_s)
    seed(c, number, 2 * world)
    if len(guesses):
        imagine(new_m, new_s, c, t, guesses)
        if believing:
            believe(new_m, new_s, c, t, actor)


def copy_row(m: Row, s: Row, new_m: Row, new_s: Row) -> None:
    for i in range(len(m)):
        new_m[i] = m[i]
    for i in range(len(s)):
        new_s[i] = s[i]


def write_end(m: Row, s: Row, t: Row, seats: int, shares: Reals, points: Reals) -> None:
    """Write each seat's share of the win, and its points."""
    best, sharing = best_rank(m, s, t, seats), 0
    for seat in range(seats):
        sharing += 1 if rank(m, s, t, seat) == best else 0
    for seat in range(seats):
        shares[seat] = 1.0 / sharing if rank(m, s, t, seat) == best else 0.0
        points[seat] = score(m, s, t, seat)
