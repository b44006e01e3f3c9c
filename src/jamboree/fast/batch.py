"""A batch of games as arrays, stepped side by side."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

from jamboree.core.errors import JamboreeError
from jamboree.core.twin.chance import CHANCE
from jamboree.core.twin.interface import CLOCK

from . import sources, validation
from .engines import CpuEngine, GpuEngine
from .errors import DamagedRow, IllegalId, TooManyGames

MOST = (1 << 63) - 1
ROWS = ("masks", "smalls", "chance", "scores", "winners", "ended", "_legal", "_actor", "_acting")
CONTINUE = -1  # in place of a seed: the generator of each game goes on
PROCESS_ATTRIBUTES = ("engine", "_layout", "_lock")  # not copied or pickled


class Batch:
    """Games with the same options and seats. A game that ends is set up again, unless `again` is false. With a `view`
    the games start from determinizations of it.

    `actor` is the current actor of each game (a seat, CLOCK, or -1 at the end), `legal` a mask of its action ids,
    `scores` the points by seat. After a step `ended` marks the games that it ended, `scores` has their final points and
    `winners` a mask of their winners. Every step overwrites the arrays.
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
        set_up = validation.set_up(game, seats, options, view)
        self.game = game
        self.seats = set_up.seats
        self.target = target
        self.again = again
        self.debug = debug
        self.games = validation.whole("The number of games", games, 1, MOST)
        seed = validation.whole("A seed", seed, 0, MOST)
        self.actions: int = sources.names(game)["count_actions"](set_up.table)
        self._bind_process()
        self._check_memory()
        self.table = self.engine.table(set_up.table)
        self.masks, self.smalls = self._zeros("i8", self._layout.MASKS), self._zeros("i2", self._layout.SMALLS)
        self.chance, self.scores = self._zeros("i8", CHANCE), self._zeros("i8", self.seats)
        self.winners, self.ended = self._zeros("?", self.seats), self._zeros("?")
        self._legal = self._zeros("?", self.actions)
        self._actor = self._zeros("i8")
        self._acting = self._zeros("i8")
        self._begin(seed)
        if set_up.known:
            self._imagine(*set_up.known)
        self._update_all()

    @property
    def legal(self) -> Any:
        """A mask of the legal action ids of each game."""
        return self.engine.read_only(self._legal)

    @property
    def actor(self) -> Any:
        """The current actor of each game."""
        return self.engine.read_only(self._actor)

    @property
    def acting(self) -> Any:
        """The actors that may act in each game: a bit for each seat, and bit CLOCK."""
        return self.engine.read_only(self._acting)

    def step(self, ids: Any) -> None:
        """Apply an action, given by its id, in every game."""
        with self._changing():
            chosen = self._ids(ids)
            self._refuse_illegal(chosen)
            step = (self.chance, self.table, self._actor, chosen, self.scores, self.ended, self.winners)
            self.engine.run("step_rows", *self._rows, *step, int(self.again), rows=self.games)
            self._update_legal()

    def turn_to(self, actors: Any) -> None:
        """Choose the actors of games in which several may act; those that may not act are ignored."""
        new = validation.numbers(actors, "i8", (self.games,), JamboreeError)
        validation.whole("An actor", new.min(), -1, CLOCK)
        validation.whole("An actor", new.max(), -1, CLOCK)
        with self._changing():
            self._actor = self.engine.put(new.copy())
            self._update_legal()

    def observe(self, seat: int) -> Any:
        """Return the observation of each game by a seat, or by a spectator (-1): a row of integers."""
        viewer = validation.whole("A seat (or a spectator, -1)", seat, -1, self.seats - 1)
        seen = self._zeros("i2", self._layout.OBSERVED)
        self.engine.run("observe_rows", *self._rows, self.table, viewer, seen, rows=self.games)
        return seen

    def greedy(self) -> Any:
        """Return the action ids of a greedy bot; -1 where it waits or the game has ended."""
        ids = self._zeros("i8")
        self.engine.run("decide_rows", *self._rows, self.chance, self.table, self._actor, ids, rows=self.games)
        return ids

    def finish(self, greedy: bool = False) -> Any:
        """Play every game to its end, at random or greedily, and return the numbers of moves."""
        moves, loop = self._zeros("i8"), "greedy_rows" if greedy else "finish_rows"
        with self._changing():
            self.ended = self.engine.put(self.engine.get(self._actor) >= 0)
            self.engine.run(loop, *self._rows, self.chance, self.table, moves, rows=self.games)
            self._update_all()
            if (on := self.engine.get(self._actor) >= 0).any():
                raise DamagedRow(f"Game {int(on.argmax())} of the batch is damaged: it does not end.")
            if self.again:
                self._begin(CONTINUE)
                self._update_legal()
        return moves

    def put(self, masks: Any, smalls: Any) -> None:
        """Replace all positions; raise DamagedRow, and change nothing, if one of them is not valid."""
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
            self._update_all()

    def check(self) -> None:
        """Raise DamagedRow if a row is not a valid position."""
        sound = self._zeros("?")
        self.engine.run("sound_rows", *self._rows, self.table, sound, rows=self.games)
        found = self.engine.get(sound)
        if not found.all():
            raise DamagedRow(f"Game {int(found.argmin())} of the batch is damaged: its row can't be a position.")

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a copy or a pickle, with arrays as numpy arrays."""
        state = {name: value for name, value in vars(self).items() if name not in PROCESS_ATTRIBUTES}
        return state | {name: self.engine.get(state[name]).copy() for name in (*ROWS, "table")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind_process()
        for name in (*ROWS, "table"):
            setattr(self, name, self.engine.put(state[name]))

    def _bind_process(self) -> None:
        """Set the attributes that belong to this process."""
        self._layout, self._lock = sources.layout(self.game), RLock()
        self.engine = _engine(self.game, self._layout.SCRATCH, self.target, self.debug)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Lock the rows. In debug mode they are checked before and after a change, which is rolled back if it fails."""
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
        """Set all rows to what a viewer knows, and fill in the rest at random."""
        import numpy

        self.masks = self.engine.put(numpy.array([masks] * self.games, "i8"))
        self.smalls = self.engine.put(numpy.array([smalls] * self.games, "i2"))
        arguments = (self.chance, self.table, self.engine.table(guesses))
        self.engine.run("imagine_rows", *self._rows, *arguments, rows=self.games)

    @property
    def _rows(self) -> tuple[Any, Any]:
        return self.masks, self.smalls

    def _update_legal(self) -> None:
        arrays = self._actor, self._legal, self._acting
        self.engine.run("legal_rows", *self._rows, self.table, *arrays, rows=self.games)

    def _update_all(self) -> None:
        self._update_legal()
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

    def _check_memory(self) -> None:
        """Raise TooManyGames before memory is exhausted."""
        layout, most = self._layout, self.engine.free_memory()
        each = 8 * layout.MASKS + 2 * (layout.SMALLS + layout.OBSERVED) + self.actions + 9 * (self.seats + CHANCE + 4)
        if self.games * each > most:
            raise TooManyGames(
                f"{self.games:,} games of {each:,} bytes do not fit into {most / 1e9:.1f} GB; {most // each:,} would."
            )


def _engine(game: str, scratch: int, target: str, debug: bool) -> Any:
    if target == "cuda":
        return GpuEngine(game)
    if target == "cpu":
        return CpuEngine(game, scratch, debug)
    raise JamboreeError(f"The target of a batch is 'cpu' or 'cuda', not {target!r}.")
