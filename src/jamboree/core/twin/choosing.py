"""Legal actions of a twin that implements one function, `choose`, to count them, find the k-th or pick one."""

from .bits import Row
from .chance import pick
from .interface import choose

COUNT, ANY = -1, -2
"""Values of k: return the number of legal actions; return a random one."""


def nth_legal(m: Row, s: Row, t: Row, actor: int, k: int) -> int:
    return choose(m, s, t, t, actor, k)


def random_legal(m: Row, s: Row, c: Row, t: Row, actor: int) -> int:
    return choose(m, s, c, t, actor, ANY)


def chosen(c: Row, count: int, k: int) -> int:
    return pick(c, count) if k == ANY else k
