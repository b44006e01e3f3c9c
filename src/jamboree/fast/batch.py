"""Many games at once, as arrays."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

from jamboree.core.errors import JamboreeError
from jamboree.core.twin.chance import CHANCE
from jamboree.core.twin.interface import CLOCK

from . import sources, validation
from .engines import Graphics, Processor
from .errors import DamagedRow, IllegalId, TooManyGames

MOST = (1 << 63) - 1
ROWS = ("masks", "smalls", "chance", "scores", "winners", "ended", "_legal", "_actor", "_acting")
AS_IT_IS = -1  # in place of a seed: each game's chance goes on
OF_THE_PROCESS = ("engine", "_layout", "_lock")  # what does not go along with a copy


class Batch:
    """Games of one set-up that go on side by side; one that ends begins again by itself. Instead of new games `view`
    gives positions that fit a viewer's view, each as often as it is likely.

    `actor` says who is asked in each game (a seat, CLOCK, or -1 at the end), `legal` marks the ids that one can choose,
    `scores` the points by seat. After a step `ended` marks the games it ended: their scores are the last ones, and
    `winners` marks who won them. Arrays are written anew by every step.
    """

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Any = None,
        games: int = 1,
        seed: int = 0,
        *,
        view: Any = None,
        target: str = "cpu",
        again: bool = True,
        debug: bool = False,
    ) -> None:
        whole, here = validation.whole, validation.set_up(game, seats, options, view)
        self.game, self.seats, self.target, self.again, self.debug = game, here.seats, target, again, debug
        self.games, seed = whole("The number of games", games, 1, MOST), whole("A seed", seed, 0, MOST)
        self.actions: int = sources.names(game)["count_actions"](here.table)
        self._settle()
        self._check_room()
        self.table = self.engine.table(here.table)
        self.masks, self.smalls = self._zeros("i8", self._layout.MASKS), self._zeros("i2", self._layout.SMALLS)
        self.chance, self.scores = self._zeros("i8", CHANCE), self._zeros("i8", self.seats)
        self.winners, self.ended = self._zeros("?", self.seats), self._zeros("?")
        self._legal, self._actor, self._acting = self._zeros("?", self.actions), self._zeros("i8"), self._zeros("i8")
        self._begin(seed)
        if here.known:
            self._imagine(*here.known)
        self._look_anew()

    @property
    def legal(self) -> Any:
        """Mark the ids that can be chosen in each game."""
        return self.engine.shown(self._legal)

    @property
    def actor(self) -> Any:
        """Tell who is asked in each game."""
        return self.engine.shown(self._actor)

    @property
    def acting(self) -> Any:
        """Tell who may act in each game: a bit for each seat, and bit CLOCK."""
        return self.engine.shown(self._acting)

    def step(self, ids: Any) -> None:
        """Carry out one action in every game, given by its id."""
        with self._changing():
            chosen = self._ids(ids)
            self._refuse_illegal(chosen)
            step = (self.chance, self.table, self._actor, chosen, self.scores, self.ended, self.winners)
            self.engine.run("step_rows", *self._rows, *step, int(self.again), rows=self.games)
            self._look()

    def turn_to(self, actors: Any) -> None:
        """Ask somebody else where several may act; seats that may not act are not asked."""
        actors_given = validation.numbers(actors, "i8", (self.games,), JamboreeError)
        validation.whole("An actor", actors_given.min(), -1, CLOCK)
        validation.whole("An actor", actors_given.max(), -1, CLOCK)
        with self._changing():
            self._actor = self.engine.put(actors_given.copy())
            self._look()

    def observe(self, seat: int) -> Any:
        """Give what a seat may see of each game, or a spectator (-1): a fixed number of small numbers."""
        viewer = validation.whole("A seat (or a spectator, -1)", seat, -1, self.seats - 1)
        seen = self._zeros("i2", self._layout.OBSERVED)
        self.engine.run("observe_rows", *self._rows, self.table, viewer, seen, rows=self.games)
        return seen

    def greedy(self) -> Any:
        """Give what a greedy bot would choose in each game; -1 where it waits or there is nothing to choose."""
        ids = self._zeros("i8")
        self.engine.run("decide_rows", *self._rows, self.chance, self.table, self._actor, ids, rows=self.games)
        return ids

    def finish(self, greedy: bool = False) -> Any:
        """Play every game to its end, at random or greedily; give how many moves that took."""
        moves, loop = self._zeros("i8"), "greedy_rows" if greedy else "finish_rows"
        with self._changing():
            self.ended = self.engine.put(self.engine.get(self._actor) >= 0)
            self.engine.run(loop, *self._rows, self.chance, self.table, moves, rows=self.games)
            self._look_anew()
            if (on := self.engine.get(self._actor) >= 0).any():
                raise DamagedRow(f"Game {int(on.argmax())} of the batch is damaged: it does not come to an end.")
            if self.again:
                self._begin(AS_IT_IS)
                self._look()
        return moves

    def put(self, masks: Any, smalls: Any) -> None:
        """Lay other positions on the table; one that can't be a position is refused."""
        new = [
            validation.numbers(values, kind, (self.games, width), DamagedRow).copy()
            for values, kind, width in ((masks, "i8", self._layout.MASKS), (smalls, "i2", self._layout.SMALLS))
        ]
        with self._lock:
            before = self._rows
            self.masks, self.smalls = map(self.engine.put, new)
            try:
                self.check()
            except DamagedRow:
                self.masks, self.smalls = before
                raise
            self._look_anew()

    def check(self) -> None:
        """Raise DamagedRow if some row can't be a position."""
        sound = self._zeros("?")
        self.engine.run("sound_rows", *self._rows, self.table, sound, rows=self.games)
        found = self.engine.get(sound)
        if not found.all():
            raise DamagedRow(f"Game {int(found.argmin())} of the batch is damaged: its row can't be a position.")

    def __getstate__(self) -> dict[str, Any]:
        """Give what a copy needs, here or in another process; arrays come along as numpy's."""
        state = {name: value for name, value in vars(self).items() if name not in OF_THE_PROCESS}
        return state | {name: self.engine.get(state[name]).copy() for name in (*ROWS, "table")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._settle()
        for name in (*ROWS, "table"):
            setattr(self, name, self.engine.put(state[name]))

    def _settle(self) -> None:
        """Find what belongs to this process."""
        self._layout, self._lock = sources.layout(self.game), RLock()
        self.engine = _engine(self.game, self._layout.SCRATCH, self.target, self.debug)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Let one thread at a time change rows. In debug mode they are looked at before and after; if something is
        wrong with them, they stay as they were."""
        with self._lock:
            if not self.debug:
                yield
                return
            self.check()
            before = {name: self.engine.copy(getattr(self, name)) for name in ROWS}
            try:
                yield
                self.check()
            except (DamagedRow, IndexError) as why:
                vars(self).update(before)
                raise DamagedRow(f"{why} No game was touched.") from why

    def _begin(self, seed: int) -> None:
        self.engine.run("begin_rows", *self._rows, self.chance, self.table, seed, rows=self.games)

    def _imagine(self, masks: list[int], smalls: list[int], guesses: list[int]) -> None:
        """Lay what a viewer knows on every table, and fill in the rest."""
        import numpy

        self.masks = self.engine.put(numpy.array([masks] * self.games, "i8"))
        self.smalls = self.engine.put(numpy.array([smalls] * self.games, "i2"))
        arguments = (self.chance, self.table, self.engine.table(guesses))
        self.engine.run("imagine_rows", *self._rows, *arguments, rows=self.games)

    @property
    def _rows(self) -> tuple[Any, Any]:
        return self.masks, self.smalls

    def _look(self) -> None:
        found = self._actor, self._legal, self._acting
        self.engine.run("look_rows", *self._rows, self.table, *found, rows=self.games)

    def _look_anew(self) -> None:
        self._look()
        self.engine.run("score_rows", *self._rows, self.table, self.scores, self.winners, rows=self.games)

    def _ids(self, ids: Any) -> Any:
        if not hasattr(ids, "__cuda_array_interface__"):
            return self.engine.put(validation.numbers(ids, "i8", (self.games,), IllegalId))
        chosen = self.engine.put(ids)
        if chosen.shape != (self.games,) or chosen.dtype != "i8":
            raise IllegalId(f"{self.games} ids of int64 are wanted, not {chosen.dtype} of shape {chosen.shape}.")
        return chosen

    def _refuse_illegal(self, ids: Any) -> None:
        found = self.engine.zeros([1], "i8")
        self.engine.run("check_rows", self._actor, ids, self._legal, found, rows=self.games)
        wrong = int(self.engine.get(found)[0])
        if wrong:
            action = int(self.engine.get(ids)[wrong - 1])
            raise IllegalId(f"{action} is not legal in game {wrong - 1} of the batch; no game was touched.")

    def _zeros(self, dtype: str, *width: int) -> Any:
        try:
            return self.engine.zeros([self.games, *width], dtype)
        except MemoryError:
            raise TooManyGames(f"{self.games:,} games do not fit into memory.") from None

    def _check_room(self) -> None:
        """Refuse what does not fit into memory before half of it is taken."""
        layout, most = self._layout, self.engine.free_memory()
        each = 8 * layout.MASKS + 2 * (layout.SMALLS + layout.OBSERVED) + self.actions + 9 * (self.seats + CHANCE + 4)
        if self.games * each > most:
            raise TooManyGames(
                f"{self.games:,} games of {each:,} bytes do not fit into {most / 1e9:.1f} GB; {most // each:,} would."
            )


def _engine(game: str, scratch: int, target: str, debug: bool) -> Any:
    if target == "cuda":
        return Graphics(game)
    if target == "cpu":
        return Processor(game, scratch, debug)
    raise JamboreeError(f"A batch is on 'cpu' or on 'cuda', not on {target!r}.")
