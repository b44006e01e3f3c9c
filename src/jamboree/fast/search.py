"""The search, the same for every game: a shortlist of candidates, then sequential halving over common random numbers.

All candidates are valued in the same determinizations with the same luck, so that paired differences show early which
are worse. The loops decide everything that a choice depends on, with operations that give the same result on every
target. A caller measures the time, and calls `search` until it is over. Between the calls the state is in arrays:

- `remains` by candidate, which are 1 until they are dropped;
- `progress`, the counters below;
- `values` by candidate: visits, the sum of its values, its value in the latest world, and the sums of the products of
  its values with those of each candidate, from which follows the variance of any paired difference;
- `by_seat` by candidate and seat: sums of the shares of the win, points in the latest world, and the sums and squared
  sums of points more than with the first candidate, as long as that remains.
"""

from collections.abc import MutableSequence

from jamboree.core.twin.bits import Reals, Row, i64, larger
from jamboree.core.twin.chance import pick, seed
from jamboree.core.twin.interface import CLOCK, actors, prior, score

from .loops import Flags, Rows
from .playouts import WAITING, draw_world, play_candidate, value_of, win_share

WORLDS, PLAYOUTS, HALVINGS, OVER, PROGRESS = 0, 1, 2, 3, 4  # counters, a flag, and their number
VISITS, TOTAL, LATEST, PRODUCTS = 0, 1, 2, 3  # of a candidate
SHARES, POINTS, GAINS, SQUARES, BY_SEAT = 0, 1, 2, 3, 4  # of a candidate and a seat, and their number
DROPPED, REMAINS, FALLS = 0, 1, 2
BATCH = 4  # worlds of one call
CLEARLY = 2.5  # standard errors by which a candidate must trail the leader to be dropped at once
SHUFFLE = -1  # number of the world whose random numbers order equal priors


def shortlist(
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
    first: int,
    shuffle_ties: int,
    menu: Flags,
    priors: Reals,
    candidates: Row,
) -> int:
    """Write `first`, waiting in real time, and the marked actions of the menu with the highest priors, as many as fit
    into `candidates`. Return their number."""
    draw_world(m, s, t, guesses, new_m[0], new_s[0], c, number, 0, actor, use_beliefs)
    prior(new_m[0], new_s[0], c, t, actor, scratch, priors)
    candidates[0], count = first, 1
    if first >= 0:
        menu[first] = False
    if first != WAITING and count < len(candidates) and actors(new_m[0], new_s[0], t) >> CLOCK & 1:
        candidates[1], count = WAITING, 2  # other seats may act first
    seed(c, number, 2 * SHUFFLE)
    while count < len(candidates):
        best = most_promising(menu, priors, c, shuffle_ties)
        if best < 0:
            break
        menu[best] = False
        candidates[count] = best
        count += 1
    return count


def most_promising(menu: Flags, priors: Reals, c: Row, shuffle_ties: int) -> int:
    """Return the marked action with the highest prior; of several the first, or any. Return -1 if none is marked."""
    best, equal = -1, 0
    for k in range(len(menu)):
        if not menu[k]:
            continue
        if best < 0 or priors[k] > priors[best]:
            best, equal = k, 1
        elif shuffle_ties and priors[k] == priors[best]:
            equal += 1
            if pick(c, equal) == 0:
                best = k
    return best


def search(
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
    bonuses: Reals,
    remains: Row,
    progress: Row,
    values: MutableSequence[Reals],
    by_seat: MutableSequence[MutableSequence[Reals]],
    keep: int,
    playouts: int,
    elapsed: float,
) -> int:
    """Value the remaining candidates in a batch of worlds, then drop the worse ones. Return the index of the best.

    The search is over when `keep` candidates are left, or the budget is spent: so many playouts, if not 0, or the time,
    of which the share `elapsed` is over. If `keep` is 0, no candidate is dropped.
    """
    left, spent = count_remaining(remains), elapsed
    if not is_over(left, keep, 0.0):
        worlds = worlds_of_batch(left, i64(progress[PLAYOUTS]), playouts)
        for _ in range(worlds):
            world = i64(progress[WORLDS])
            draw_world(m, s, t, guesses, new_m[0], new_s[0], c, number, world, actor, use_beliefs)
            for k in range(len(candidates)):
                if remains[k]:
                    play_candidate(new_m, new_s, c, t, actor, number, world, scratch, i64(candidates[k]), -1)
                    add_outcome(new_m[1], new_s[1], t, actor, utility, bonuses[k], values[k], by_seat[k], by_seat[0])
            add_products(remains, values)
            progress[WORLDS] += 1
        progress[PLAYOUTS] += worlds * left
        if playouts and progress[PLAYOUTS] / playouts > spent:
            spent = progress[PLAYOUTS] / playouts
        if keep:
            drop_worse(remains, progress, values, keep, spent)
    progress[OVER] = 1 if is_over(count_remaining(remains), keep, spent) else 0
    return leader(remains, values)


def worlds_of_batch(candidates: int, played: int, playouts: int) -> int:
    """Return the number of worlds for which a budget suffices: at least one, at most a batch."""
    worlds = (playouts - played) // candidates if playouts else BATCH
    return larger(1, worlds if worlds < BATCH else BATCH)


def is_over(left: int, keep: int, spent: float) -> bool:
    return spent >= 1.0 or left <= keep


def add_outcome(
    m: Row,
    s: Row,
    t: Row,
    actor: int,
    utility: Reals,
    bonus: float,
    value: Reals,
    seats: MutableSequence[Reals],
    first: MutableSequence[Reals],
) -> None:
    """Add the outcome of a playout to the sums of its candidate; `first` are those of the first candidate."""
    for seat in range(len(seats)):
        seats[seat][SHARES] += win_share(m, s, t, len(seats), seat)
        seats[seat][POINTS] = score(m, s, t, seat)
        gain = seats[seat][POINTS] - first[seat][POINTS]
        seats[seat][GAINS] += gain
        seats[seat][SQUARES] += gain * gain
    value[VISITS] += 1.0
    value[LATEST] = value_of(m, s, t, len(seats), actor, utility) + bonus
    value[TOTAL] += value[LATEST]


def add_products(remains: Row, values: MutableSequence[Reals]) -> None:
    """Add the products of the values of all pairs of candidates in the latest world."""
    for k in range(len(remains)):
        if remains[k]:
            for other in range(len(remains)):
                if remains[other]:
                    values[k][PRODUCTS + other] += values[k][LATEST] * values[other][LATEST]


def drop_worse(remains: Row, progress: Row, values: MutableSequence[Reals], keep: int, spent: float) -> None:
    """Drop the candidates that are clearly worse than the leader, and the worse half at the end of a round: all rounds
    have the same share of the budget. The best `keep` stay."""
    best, most = leader(remains, values), count_remaining(remains)
    if spent * count_rounds(len(remains)) >= progress[HALVINGS] + 1:
        progress[HALVINGS] += 1
        most = (most + 1) // 2
    for k in range(len(remains)):
        if remains[k]:
            better = count_better(remains, values, k)
            if better >= keep and (better >= most or is_clearly_worse(values, k, best)):
                remains[k] = FALLS
    for k in range(len(remains)):
        if remains[k] == FALLS:
            remains[k] = DROPPED


def count_rounds(candidates: int) -> int:
    """Return how often candidates must be halved until one is left; at least once."""
    rounds = 1
    while 1 << rounds < candidates:
        rounds += 1
    return rounds


def count_remaining(remains: Row) -> int:
    left = 0
    for k in range(len(remains)):
        left += 1 if remains[k] else 0
    return left


def count_better(remains: Row, values: MutableSequence[Reals], k: int) -> int:
    """Count the remaining candidates before another, by their totals: all of them have the same visits."""
    better = 0
    for other in range(len(remains)):
        if remains[other]:
            ahead = values[other][TOTAL] - values[k][TOTAL]
            better += 1 if ahead > 0.0 or (ahead == 0.0 and other < k) else 0
    return better


def leader(remains: Row, values: MutableSequence[Reals]) -> int:
    """Return the index of the best remaining candidate."""
    best = -1
    for k in range(len(remains)):
        if remains[k] and (best < 0 or values[k][TOTAL] > values[best][TOTAL]):
            best = k
    return best


def is_clearly_worse(values: MutableSequence[Reals], k: int, best: int) -> bool:
    """Return whether the mean paired difference of a candidate to the leader is significant."""
    visits, behind = values[k][VISITS], values[best][TOTAL] - values[k][TOTAL]
    if visits < 2.0 or behind <= 0.0:
        return False
    squares = values[k][PRODUCTS + k] + values[best][PRODUCTS + best] - 2.0 * values[k][PRODUCTS + best]
    variance = (squares / visits - (behind / visits) * (behind / visits)) / (visits - 1.0)  # of the mean difference
    return (behind / visits) * (behind / visits) > CLEARLY * CLEARLY * variance
