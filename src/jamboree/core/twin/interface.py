"""The interface of a twin: the functions that `games/<game>/fast/` defines (see docs/fast.md).

A row is `m`, words of at most 62 bits, and `s`, numbers of 16 bits. `t` is the constant table of a set-up, `c` the
random state. The functions below are stand-ins, which the loader replaces by those of a game.
"""

from .bits import Reals, Row
from .chance import pick

CLOCK = 31
"""The number of the clock as an actor; masks of actors have a bit for each seat and this one."""


def set_up(m: Row, s: Row, c: Row, t: Row) -> None:
    """Set up a game, overwriting the row."""
    raise NotImplementedError


def actors(m: Row, s: Row, t: Row) -> int:
    """Return a mask of the actors that may act; 0 at the end."""
    raise NotImplementedError


def count_actions(t: Row) -> int:
    """Return the number of action ids: the length of the reference's `actions`."""
    raise NotImplementedError


def count_legal(m: Row, s: Row, t: Row, actor: int) -> int:
    raise NotImplementedError


def nth_legal(m: Row, s: Row, t: Row, actor: int, k: int) -> int:
    """Return the id of the k-th legal action in the order of the reference's menu."""
    raise NotImplementedError


def random_legal(m: Row, s: Row, c: Row, t: Row, actor: int) -> int:
    """Return a random legal action. A game may have a faster implementation than this default."""
    return nth_legal(m, s, t, actor, pick(c, count_legal(m, s, t, actor)))


def choose(m: Row, s: Row, c: Row, t: Row, actor: int, k: int) -> int:
    """Return the number of legal actions (k = COUNT), the k-th, or a random one (k = ANY); see choosing.py."""
    raise NotImplementedError


def apply(m: Row, s: Row, c: Row, t: Row, actor: int, action: int) -> None:
    """Apply a legal action."""
    raise NotImplementedError


def score(m: Row, s: Row, t: Row, seat: int) -> int:
    raise NotImplementedError


def rank(m: Row, s: Row, t: Row, seat: int) -> int:
    """Return the sort key of the ranking: the highest wins, equal ones share the win."""
    raise NotImplementedError


def observe(m: Row, s: Row, t: Row, seat: int, out: Row) -> None:
    """Write the observation of a seat, or of a spectator (-1)."""
    raise NotImplementedError


def imagine(m: Row, s: Row, c: Row, t: Row, guesses: Row) -> None:
    """Determinization: fill in hidden information at random, according to its likelihood."""
    raise NotImplementedError


def believe(m: Row, s: Row, c: Row, t: Row, actor: int) -> None:
    """Change a determinization according to an actor's beliefs about how players behave. The default does nothing."""


def sound(m: Row, s: Row, t: Row) -> bool:
    """Return whether a row is a valid position."""
    raise NotImplementedError


def decide(m: Row, s: Row, c: Row, t: Row, actor: int, scratch: Reals) -> int:
    """Return the choice of the greedy bot: an action id, or -1 to wait."""
    raise NotImplementedError


def prior(m: Row, s: Row, c: Row, t: Row, actor: int, scratch: Reals, worth: Reals) -> None:
    """Write the prior of each legal action, in the order of the menu; a search tries those with high priors. The
    default is 0 for all, which is enough for a game with few actions."""
    for k in range(count_legal(m, s, t, actor)):
        worth[k] = 0.0
