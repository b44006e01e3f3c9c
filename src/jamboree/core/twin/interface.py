"""What every game's twin answers: the functions of `games/<game>/fast/` under these names (see docs/fast.md).

A row is `m`, words of at most 62 bits, and `s`, small numbers of 16 bits. `t` is the table of a set-up, which never
changes; `c` is chance. These here are only named: the loader puts a game's own in their place.
"""

from .bits import Reals, Row
from .chance import pick

CLOCK = 31
"""The clock's number among the actors, whose mask has one bit for each seat."""


def set_up(m: Row, s: Row, c: Row, t: Row) -> None:
    """Set up a game, whatever the row held before."""
    raise NotImplementedError


def actors(m: Row, s: Row, t: Row) -> int:
    """Mark who may act; nobody at the end."""
    raise NotImplementedError


def count_actions(t: Row) -> int:
    """Tell how many action ids there are: the length of the reference's `actions`."""
    raise NotImplementedError


def count_legal(m: Row, s: Row, t: Row, actor: int) -> int:
    raise NotImplementedError


def nth_legal(m: Row, s: Row, t: Row, actor: int, k: int) -> int:
    """Give the id of the k-th legal action, in the order of the reference's menu."""
    raise NotImplementedError


def random_legal(m: Row, s: Row, c: Row, t: Row, actor: int) -> int:
    """Give a random legal action. This one will do; a game may have a faster one."""
    return nth_legal(m, s, t, actor, pick(c, count_legal(m, s, t, actor)))


def choose(m: Row, s: Row, c: Row, t: Row, actor: int, k: int) -> int:
    """Count the legal actions (k = COUNT), give the k-th, or one at random (k = ANY); see choosing.py."""
    raise NotImplementedError


def apply(m: Row, s: Row, c: Row, t: Row, actor: int, action: int) -> None:
    """Carry out a legal action."""
    raise NotImplementedError


def score(m: Row, s: Row, t: Row, seat: int) -> int:
    raise NotImplementedError


def rank(m: Row, s: Row, t: Row, seat: int) -> int:
    """Give the number by which a seat wins: the highest does, equals share."""
    raise NotImplementedError


def observe(m: Row, s: Row, t: Row, seat: int, out: Row) -> None:
    """Write what a seat may see (-1: a spectator), and nothing else."""
    raise NotImplementedError


def imagine(m: Row, s: Row, c: Row, t: Row, guesses: Row) -> None:
    """Fill in what a viewer does not know, each filling as often as it is likely."""
    raise NotImplementedError


def believe(m: Row, s: Row, c: Row, t: Row, actor: int) -> None:
    """Change what was imagined into what an actor believes, by how players behave. This one leaves everything."""


def sound(m: Row, s: Row, t: Row) -> bool:
    """Tell whether a row can be a position at all."""
    raise NotImplementedError


def decide(m: Row, s: Row, c: Row, t: Row, actor: int, scratch: Reals) -> int:
    """Choose as the greedy bot does: an id, or -1 to wait."""
    raise NotImplementedError


def prior(m: Row, s: Row, c: Row, t: Row, actor: int, scratch: Reals, worth: Reals) -> None:
    """Say of each legal action, in the menu's order, how promising it looks: a search tries the most promising first.
    This one knows nothing; a game with hundreds of actions should."""
    for k in range(count_legal(m, s, t, actor)):
        worth[k] = 0.0
