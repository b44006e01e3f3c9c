"""Playouts for the search, the same for every game: a candidate is played in a determinization of what its actor knows,
then all seats play as greedy bots do.

A candidate is an index into the menu, WAITING (the actor waits) or NOBODY (the playout starts at once).
"""

from collections.abc import MutableSequence

from jamboree.core.twin.bits import Reals, Row, i64, larger
from jamboree.core.twin.chance import seed
from jamboree.core.twin.interface import actors, apply, believe, imagine, nth_legal, observe, rank, score

from .loops import Rows, best_rank, play_greedily

WAITING, NOBODY = -1, -2
WIN_WEIGHT, MARGIN_WEIGHT, MARGIN_SCALE, UTILITY = 0, 1, 2, 3  # of a utility function, and its length
GOES_ON = -1.0  # in place of the value of a game that has not ended
MOST_MARGIN = 40.0  # scales, beyond which the logistic function is 0 or 1


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


def play_candidate(
    new_m: Rows,
    new_s: Rows,
    c: Row,
    t: Row,
    actor: int,
    number: int,
    world: int,
    scratch: Reals,
    candidate: int,
    until: int,
) -> None:
    """Apply a candidate to a copy of the world, then play greedily, to the end or to the next decision of the seat
    `until`. All candidates have the same luck."""
    m, s = new_m[1], new_s[1]
    copy_row(new_m[0], new_s[0], m, s)
    seed(c, number, 2 * world + 1)
    if candidate >= 0:
        apply(m, s, c, t, actor, nth_legal(m, s, t, actor, candidate))
    play_greedily(m, s, c, t, scratch, 1 << actor if candidate == WAITING else 0, until)


def look_ahead(
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
    utility: Reals,
    candidates: Row,
    seats: int,
    observations: MutableSequence[Rows],
    values: MutableSequence[Reals],
) -> None:
    """Play each candidate until the actor has to decide again. Write, by world and candidate, the observation there and
    the value of the game if it has ended."""
    for world in range(len(values)):
        draw_world(m, s, t, guesses, new_m[0], new_s[0], c, number, world, actor, use_beliefs)
        for k in range(len(candidates)):
            play_candidate(new_m, new_s, c, t, actor, number, world, scratch, i64(candidates[k]), actor)
            observe(new_m[1], new_s[1], t, actor, observations[world][k])
            goes_on = actors(new_m[1], new_s[1], t) != 0
            values[world][k] = GOES_ON if goes_on else value_of(new_m[1], new_s[1], t, seats, actor, utility)


def copy_row(m: Row, s: Row, new_m: Row, new_s: Row) -> None:
    for i in range(len(m)):
        new_m[i] = m[i]
    for i in range(len(s)):
        new_s[i] = s[i]


def value_of(m: Row, s: Row, t: Row, seats: int, actor: int, utility: Reals) -> float:
    """Return the value of an outcome for a seat: the weighted sum of its share of the win and a sigmoid of its margin.
    Nothing has a value for the clock."""
    if actor >= seats:
        return 0.0
    others = i64(score(m, s, t, 0 if actor else 1))
    for seat in range(seats):
        if seat != actor:
            others = larger(others, i64(score(m, s, t, seat)))
    by_margin = logistic((i64(score(m, s, t, actor)) - others) / utility[MARGIN_SCALE])
    return utility[WIN_WEIGHT] * win_share(m, s, t, seats, actor) + utility[MARGIN_WEIGHT] * by_margin


def win_share(m: Row, s: Row, t: Row, seats: int, seat: int) -> float:
    """Return a seat's share of the win."""
    best, sharing = best_rank(m, s, t, seats), 0
    if rank(m, s, t, seat) != best:
        return 0.0
    for other in range(seats):
        sharing += 1 if rank(m, s, t, other) == best else 0
    return 1.0 / sharing


def logistic(x: float) -> float:
    """Return 1 / (1 + e**-x)."""
    if x > MOST_MARGIN:
        return 1.0
    return 1.0 / (1.0 + exponential(-x)) if x > -MOST_MARGIN else 0.0


def exponential(x: float) -> float:
    """Return e**x to twelve digits, for numbers of a moderate size: a Taylor series of x / 1024, squared ten times.

    Libraries of different targets round differently; sums, products and quotients are the same everywhere.
    """
    small, power, term = x / 1024.0, 1.0, 1.0
    for n in range(1, 8):
        term *= small / n
        power += term
    for _ in range(10):
        power *= power
    return power
