"""Legal actions of a twin that has one function for counting them, finding the k-th and picking one: `choose`."""

from .bits import Row
from .chance import pick
from .interface import choose

COUNT, ANY = -1, -2
"""Asked for in place of a k: how many there are; one at random."""


def nth_legal(m: Row, s: Row, t: Row, actor: int, k: int) -> int:
    return choose(m, s, t, t, actor, k)


def random_legal(m: Row, s: Row, c: Row, t: Row, actor: int) -> int:
    return choose(m, s, c, t, actor, ANY)


def chosen(c: Row, count: int, k: int) -> int:
    return pick(c, count) if k == ANY else k
