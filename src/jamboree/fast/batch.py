"""Many games at once, as arrays."""

from typing import Any

from jamboree.core.errors import JamboreeError
from jamboree.core.kernel.chance import CHANCE
from jamboree.games import find

from . import sources
from .engines import Graphics, Processor
from .errors import DamagedRow, IllegalId, TooManyGames


class Batch:
    """Games of one set-up that go on side by side; one that ends begins again by itself. Instead of new games `view`
    gives positions that fit a viewer's view, each as often as it is likely.

    `actor` says who is asked in each game (a seat, CLOCK, or -1 at the end), `legal` marks the ids that one can choose,
    `scores` the points by seat. After a step `ended` marks the games it ended: their scores are the last ones.
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
        bridge, layout = sources.bridge(game), sources.layout(game)
        known = bridge.unknown(view) if view is not None else None
        info = find(game).info
        self.game, self.seats = game, view.seats if known else info.seats[1] if seats is None else seats
        self.games, self.again, self.debug, self._layout = games, again, debug, layout
        table = known[0] if known else bridge.table(self.seats, info.options() if options is None else options)
        self.actions: int = sources.names(game)["count_actions"](table)
        self.engine = _engine(game, layout.SCRATCH, target, debug)
        self._check_room()
        self.table = self.engine.table(table)
        self.masks, self.smalls = self._zeros("i8", layout.MASKS), self._zeros("i2", layout.SMALLS)
        self.chance, self.scores = self._zeros("i8", CHANCE), self._zeros("i8", self.seats)
        self.legal, self.actor, self.ended = self._zeros("?", self.actions), self._zeros("i8"), self._zeros("?")
        self._wrong = self.engine.zeros([1], "i8")
        self.engine.run("begin_rows", *self._rows, self.chance, self.table, seed, rows=games)
        if known:
            self._imagine(*known[1:])
        self._look_anew()

    def step(self, ids: Any) -> None:
        """Carry out one action in every game, given by its id."""
        chosen = self.engine.put(ids if hasattr(ids, "__cuda_array_interface__") else _line(ids))
        if chosen.shape != (self.games,):
            raise IllegalId(f"{self.games} games want {self.games} ids, not an array of shape {chosen.shape}.")
        self._refuse_illegal(chosen)
        step = (self.chance, self.table, self.actor, chosen, self.scores, self.ended, int(self.again))
        self.engine.run("step_rows", *self._rows, *step, rows=self.games)
        if self.debug:
            self.check()
        self._look()

    def turn_to(self, actors: Any) -> None:
        """Ask somebody else where several may act; seats that may not act are not asked."""
        self.actor = self.engine.put(_line(actors))
        self._look()

    def observe(self, seat: int) -> Any:
        """Give what a seat may see of each game, or a spectator (-1): a fixed number of small numbers."""
        if not -1 <= seat < self.seats:
            raise JamboreeError(f"There is no seat {seat}; there are {self.seats}, from 0.")
        seen = self._zeros("i2", self._layout.OBSERVED)
        self.engine.run("observe_rows", *self._rows, self.table, seat, seen, rows=self.games)
        return seen

    def greedy(self) -> Any:
        """Give what a greedy bot would choose in each game; -1 where it waits or there is nothing to choose."""
        ids = self._zeros("i8")
        self.engine.run("decide_rows", *self._rows, self.chance, self.table, self.actor, ids, rows=self.games)
        return ids

    def finish(self, greedy: bool = False) -> Any:
        """Play every game to its end, at random or greedily; give how many moves that took."""
        moves = self._zeros("i8")
        loop = "greedy_rows" if greedy else "finish_rows"
        self.engine.run(loop, *self._rows, self.chance, self.table, moves, rows=self.games)
        self._look_anew()
        return moves

    def put(self, masks: Any, smalls: Any) -> None:
        """Lay other positions on the table; one that can't be a position is refused."""
        import numpy

        new = numpy.array(masks, "i8", ndmin=2), numpy.array(smalls, "i2", ndmin=2)
        if new[0].shape != (self.games, self._layout.MASKS) or new[1].shape != (self.games, self._layout.SMALLS):
            raise DamagedRow(f"These are not {self.games} rows of {self.game}.")
        before = self.masks, self.smalls
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
        self.engine.run("look_rows", *self._rows, self.table, self.actor, self.legal, rows=self.games)

    def _look_anew(self) -> None:
        self._look()
        self.engine.run("score_rows", *self._rows, self.table, self.scores, rows=self.games)

    def _refuse_illegal(self, ids: Any) -> None:
        self.engine.run("check_rows", self.actor, ids, self.legal, self._wrong, rows=self.games)
        wrong = int(self.engine.get(self._wrong)[0])
        if wrong:
            self._wrong = self.engine.zeros([1], "i8")
            action = int(self.engine.get(ids)[wrong - 1])
            raise IllegalId(f"{action} is not legal in game {wrong - 1} of the batch; no game was touched.")

    def _zeros(self, dtype: str, *width: int) -> Any:
        return self.engine.zeros([self.games, *width], dtype)

    def _check_room(self) -> None:
        """Refuse what does not fit into memory before half of it is taken."""
        layout, most = self._layout, self.engine.free_memory()
        each = 8 * layout.MASKS + 2 * (layout.SMALLS + layout.OBSERVED) + self.actions + 8 * (self.seats + CHANCE + 4)
        if self.games < 1:
            raise JamboreeError(f"A batch has at least one game, not {self.games}.")
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


def _line(numbers: Any) -> Any:
    import numpy

    return numpy.array(numbers, "i8")
