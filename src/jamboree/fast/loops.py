"""Loops over the rows of a batch, compiled together with a game's rules.

Each takes a range of rows, so that threads can share a batch. A GPU runs the bodies, one thread per row.
"""

from collections.abc import MutableSequence
from typing import Any

from jamboree.core.twin.bits import Reals, Row, ctz, i64, larger, nth_in_word, popc
from jamboree.core.twin.chance import pick, seed
from jamboree.core.twin.interface import (
    actors,
    apply,
    count_actions,
    count_legal,
    decide,
    imagine,
    nth_legal,
    observe,
    random_legal,
    rank,
    score,
    set_up,
    sound,
)

Rows = MutableSequence[Row]
Flags = MutableSequence[Any]

MAX_MOVES = 100_000  # more than any game takes, including waits; a damaged row might not end


def begin(m: Row, s: Row, c: Row, t: Row, number: int, row: int) -> None:
    """Set up a game from a seed; a negative one leaves the generator or script in `c` as it is."""
    if number >= 0:
        seed(c, number, row)
    set_up(m, s, c, t)


def list_legal(m: Row, s: Row, t: Row, actor: int, ids: Row) -> int:
    """Write the ids of an actor's legal actions in the order of the reference's menu, and return their number."""
    count = count_legal(m, s, t, actor) if actors(m, s, t) >> actor & 1 else 0
    for k in range(count):
        ids[k] = nth_legal(m, s, t, actor, k)
    return count


def mark_legal(m: Row, s: Row, t: Row, actor: int, legal: Flags) -> int:
    """Mark the legal ids of an actor, or of the lowest seat that may act if it may not. Return the actor; -1 at the
    end."""
    for action in range(count_actions(t)):
        legal[action] = False
    acting = actors(m, s, t)
    if acting == 0:
        return -1
    chosen = i64(actor) if actor >= 0 and acting >> actor & 1 else ctz(acting)
    for k in range(count_legal(m, s, t, chosen)):
        legal[nth_legal(m, s, t, chosen, k)] = True
    return chosen


def write_scores(m: Row, s: Row, t: Row, scores: Row) -> None:
    for seat in range(len(scores)):
        scores[seat] = score(m, s, t, seat)


def best_rank(m: Row, s: Row, t: Row, seats: int) -> int:
    best = rank(m, s, t, 0)
    for seat in range(1, seats):
        best = larger(best, rank(m, s, t, seat))
    return best


def mark_winners(m: Row, s: Row, t: Row, winners: Flags) -> None:
    best = best_rank(m, s, t, len(winners))
    for seat in range(len(winners)):
        winners[seat] = rank(m, s, t, seat) == best


def step(
    m: Row,
    s: Row,
    c: Row,
    t: Row,
    actor: int,
    action: int,
    scores: Row,
    winners: Flags,
    again: int,
) -> int:
    """Apply an action and write the scores; at the end mark the winners and, if `again`, set up a new game. Return 1 at
    the end, else 0."""
    apply(m, s, c, t, actor, action)
    write_scores(m, s, t, scores)
    if actors(m, s, t):
        return 0
    mark_winners(m, s, t, winners)
    if again:
        set_up(m, s, c, t)
    return 1


def finish(m: Row, s: Row, c: Row, t: Row) -> int:
    """Play to the end with uniformly random actors and actions; return the number of moves."""
    moves, acting = 0, actors(m, s, t)
    while acting and moves < MAX_MOVES:
        actor = ctz(acting)
        if acting & (acting - 1):
            actor = nth_in_word(acting, pick(c, popc(acting)))
        apply(m, s, c, t, actor, random_legal(m, s, c, t, actor))
        acting = actors(m, s, t)
        moves += 1
    return moves


def finish_greedily(m: Row, s: Row, c: Row, t: Row, scratch: Reals) -> int:
    """Play to the end as greedy bots do; return the number of moves."""
    return play_greedily(m, s, c, t, scratch, 0, -1)


def play_greedily(m: Row, s: Row, c: Row, t: Row, scratch: Reals, waiting: int, until: int) -> int:
    """Play as greedy bots do, to the end or to the next decision of the seat `until`. `waiting` is a mask of the actors
    that wait until another has acted."""
    moves, waits, acting = 0, 0, actors(m, s, t)
    while acting and moves + waits < MAX_MOVES:
        asked = acting & ~waiting
        actor = ctz(asked) if asked else ctz(acting)
        if asked & (asked - 1):
            seats = asked & 0x7FFFFFFF
            actor = nth_in_word(seats, pick(c, popc(seats))) if seats & (seats - 1) else ctz(seats)
        action = decide(m, s, c, t, actor, scratch)
        if action < 0:
            waiting |= 1 << actor
            waits += 1
            continue
        if actor == until:
            break
        apply(m, s, c, t, actor, action)
        acting, waiting = actors(m, s, t), 0
        moves += 1
    return moves


def begin_rows(m: Rows, s: Rows, c: Rows, t: Row, number: int, first: int, last: int) -> None:
    for i in range(first, last):
        begin(m[i], s[i], c[i], t, number, i)


def legal_rows(
    m: Rows, s: Rows, t: Row, actor: Row, legal: MutableSequence[Flags], acting: Row, first: int, last: int
) -> None:
    for i in range(first, last):
        actor[i] = mark_legal(m[i], s[i], t, i64(actor[i]), legal[i])
        acting[i] = actors(m[i], s[i], t)


def score_rows(m: Rows, s: Rows, t: Row, scores: Rows, winners: MutableSequence[Flags], first: int, last: int) -> None:
    for i in range(first, last):
        write_scores(m[i], s[i], t, scores[i])
        for seat in range(len(winners[i])):
            winners[i][seat] = False
        if actors(m[i], s[i], t) == 0:
            mark_winners(m[i], s[i], t, winners[i])


def step_rows(
    m: Rows,
    s: Rows,
    c: Rows,
    t: Row,
    actor: Row,
    ids: Row,
    scores: Rows,
    ended: Flags,
    winners: MutableSequence[Flags],
    again: int,
    first: int,
    last: int,
) -> None:
    for i in range(first, last):
        ended[i] = False
        for seat in range(len(winners[i])):
            winners[i][seat] = False
        if actor[i] >= 0:
            ended[i] = step(m[i], s[i], c[i], t, i64(actor[i]), i64(ids[i]), scores[i], winners[i], again) == 1
            actor[i] = -1


def check_rows(actor: Row, ids: Row, legal: MutableSequence[Flags], wrong: Row, first: int, last: int) -> None:
    """Write the number, from 1, of a row whose id is not legal."""
    for i in range(first, last):
        if actor[i] >= 0 and (ids[i] < 0 or ids[i] >= len(legal[i]) or not legal[i][ids[i]]):
            wrong[0] = i + 1


def finish_rows(m: Rows, s: Rows, c: Rows, t: Row, moves: Row, first: int, last: int) -> None:
    for i in range(first, last):
        moves[i] = finish(m[i], s[i], c[i], t)


def greedy_rows(m: Rows, s: Rows, c: Rows, t: Row, scratch: Reals, moves: Row, first: int, last: int) -> None:
    for i in range(first, last):
        moves[i] = finish_greedily(m[i], s[i], c[i], t, scratch)


def decide_rows(m: Rows, s: Rows, c: Rows, t: Row, actor: Row, scratch: Reals, ids: Row, first: int, last: int) -> None:
    for i in range(first, last):
        ids[i] = decide(m[i], s[i], c[i], t, i64(actor[i]), scratch) if actor[i] >= 0 else -1


def observe_rows(m: Rows, s: Rows, t: Row, seat: int, out: Rows, first: int, last: int) -> None:
    for i in range(first, last):
        observe(m[i], s[i], t, seat, out[i])


def imagine_rows(m: Rows, s: Rows, c: Rows, t: Row, guesses: Row, first: int, last: int) -> None:
    for i in range(first, last):
        imagine(m[i], s[i], c[i], t, guesses)


def sound_rows(m: Rows, s: Rows, t: Row, found: Flags, first: int, last: int) -> None:
    for i in range(first, last):
        found[i] = sound(m[i], s[i], t)
