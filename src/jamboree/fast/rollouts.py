"""Rollouts for the search, the same for every game: priors of actions, and playouts by greedy bots after each
candidate.

A candidate is an index into the menu, WAITING (the actor waits) or NOBODY (the playout starts at once).
"""

from collections.abc import MutableSequence

from jamboree.core.twin.bits import Reals, Row, i64
from jamboree.core.twin.chance import seed
from jamboree.core.twin.interface import actors, apply, believe, imagine, nth_legal, observe, prior, rank, score

from .loops import Rows, best_rank, play_greedily

Outcomes = MutableSequence[MutableSequence[Reals]]  # by world, candidate and seat

WAITING, NOBODY = -1, -2


def weigh_menu(
    m: Row,
    s: Row,
    t: Row,
    guesses: Row,
    actor: int,
    number: int,
    use_beliefs: int,
    new_m: Rows,
    new_s: Rows,
    c: Row,
    scratch: Reals,
    priors: Reals,
) -> int:
    """Write the prior of each action of the menu; return a mask of the actors that may act."""
    draw_world(m, s, t, guesses, new_m[0], new_s[0], c, number, 0, actor, use_beliefs)
    prior(new_m[0], new_s[0], c, t, actor, scratch, priors)
    return actors(new_m[0], new_s[0], t)


def roll_out(
    m: Row,
    s: Row,
    t: Row,
    guesses: Row,
    actor: int,
    number: int,
    use_beliefs: int,
    new_m: Rows,
    new_s: Rows,
    c: Row,
    scratch: Reals,
    candidates: Row,
    seats: int,
    shares: Outcomes,
    points: Outcomes,
    first: int,
) -> None:
    """Play each candidate to the end in the same determinizations with the same luck, and write the outcomes."""
    for world in range(len(shares)):
        draw_world(m, s, t, guesses, new_m[0], new_s[0], c, number, first + world, actor, use_beliefs)
        for k in range(len(candidates)):
            copy_row(new_m[0], new_s[0], new_m[1], new_s[1])
            seed(c, number, 2 * (first + world) + 1)
            play_candidate(new_m[1], new_s[1], c, t, actor, scratch, i64(candidates[k]), -1)
            write_outcome(new_m[1], new_s[1], t, seats, shares[world][k], points[world][k])


def roll_out_to_next_decision(
    m: Row,
    s: Row,
    t: Row,
    guesses: Row,
    actor: int,
    number: int,
    use_beliefs: int,
    new_m: Rows,
    new_s: Rows,
    c: Row,
    scratch: Reals,
    candidates: Row,
    seats: int,
    shares: Outcomes,
    points: Outcomes,
    observations: MutableSequence[Rows],
    first: int,
) -> None:
    """Play each candidate until the actor has to decide again, and write the observation and the outcome there. A share
    below zero marks a game that has not ended."""
    for world in range(len(shares)):
        draw_world(m, s, t, guesses, new_m[0], new_s[0], c, number, first + world, actor, use_beliefs)
        for k in range(len(candidates)):
            copy_row(new_m[0], new_s[0], new_m[1], new_s[1])
            seed(c, number, 2 * (first + world) + 1)
            play_candidate(new_m[1], new_s[1], c, t, actor, scratch, i64(candidates[k]), actor)
            observe(new_m[1], new_s[1], t, actor, observations[world][k])
            write_outcome(new_m[1], new_s[1], t, seats, shares[world][k], points[world][k])
            if actors(new_m[1], new_s[1], t):
                shares[world][k][actor] = -1.0


def play_candidate(m: Row, s: Row, c: Row, t: Row, actor: int, scratch: Reals, candidate: int, until: int) -> None:
    """Apply a candidate, then play greedily."""
    if candidate >= 0:
        apply(m, s, c, t, actor, nth_legal(m, s, t, actor, candidate))
    play_greedily(m, s, c, t, scratch, 1 << actor if candidate == WAITING else 0, until)


def draw_world(
    m: Row,
    s: Row,
    t: Row,
    guesses: Row,
    new_m: Row,
    new_s: Row,
    c: Row,
    number: int,
    world: int,
    actor: int,
    use_beliefs: int,
) -> None:
    """Write a determinization, which depends on the seed `number` and the number of the world only. Without guesses
    nothing is hidden."""
    copy_row(m, s, new_m, new_s)
    seed(c, number, 2 * world)
    if len(guesses):
        imagine(new_m, new_s, c, t, guesses)
        if use_beliefs:
            believe(new_m, new_s, c, t, actor)


def copy_row(m: Row, s: Row, new_m: Row, new_s: Row) -> None:
    for i in range(len(m)):
        new_m[i] = m[i]
    for i in range(len(s)):
        new_s[i] = s[i]


def write_outcome(m: Row, s: Row, t: Row, seats: int, shares: Reals, points: Reals) -> None:
    """Write each seat's share of the win, and its points."""
    best, sharing = best_rank(m, s, t, seats), 0
    for seat in range(seats):
        sharing += 1 if rank(m, s, t, seat) == best else 0
    for seat in range(seats):
        shares[seat] = 1.0 / sharing if rank(m, s, t, seat) == best else 0.0
        points[seat] = score(m, s, t, seat)
