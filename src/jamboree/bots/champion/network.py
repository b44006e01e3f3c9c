"""A small network that was trained on a GPU (`scripts/champion/train.py`), read here with numpy alone."""

from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from typing import Any

from jamboree.fast import has_twin, sources
from jamboree.games import package

WEIGHTS = "network.npz"  # beside the twin, since it reads what that observes


def has_network(key: str) -> bool:
    return has_twin(key) and files(f"{package(key)}.fast").joinpath(WEIGHTS).is_file()


@lru_cache
def network(key: str) -> "Network":
    return Network(key)


class Network:
    """Says of every action how much speaks for it, from what a seat observes. It knows one set-up for two."""

    def __init__(self, key: str) -> None:
        import numpy

        with files(f"{package(key)}.fast").joinpath(WEIGHTS).open("rb") as file:
            kept = numpy.load(file)
            arrays = {name: kept[name] for name in kept.files}
        self._numpy, self._own_side = numpy, import_module(f"{package(key)}.fast.network").own_side
        self._set_up = getattr(
            sources.layout(key), "WEIGHTS", None
        )  # what follows in a table says how players weigh it
        self.table: Any = arrays.pop("table")[: self._set_up]
        self._low, self._high = arrays.pop("low"), arrays.pop("high")
        values = self._high - self._low + 1
        most, bits = int(arrays.pop("one_hot")), int(arrays.pop("bits"))
        self._few = numpy.flatnonzero((values > 1) & (values <= most))
        self._many, self._bits = numpy.flatnonzero(values > most), numpy.arange(bits)
        self._first_of = numpy.cumsum(values[self._few]) - values[self._few]
        self._width = int(values[self._few].sum())
        self.instinct = float(arrays.pop("instinct"))  # what speaks for the greedy bot's choice
        self._weights = {name: array.astype("f4") for name, array in arrays.items()}
        self._blocks = sum(name.startswith("blocks.") for name in arrays) // 2

    def knows(self, table: Any) -> bool:
        """Tell whether this is the set-up it was trained on."""
        return bool(self._numpy.array_equal(self.table, table[: self._set_up]))

    def logits(self, seen: Any, seat: int) -> Any:
        """Look at one row of what a seat observes: how much speaks for each action."""
        return self._layer("policy", self._thought(seen, seat))[0]

    def values(self, seen: Any, seat: int) -> Any:
        """Look at rows of what a seat observes before its decisions: how it will end, from 0 to 1."""
        return 0.5 + 0.5 * self._numpy.tanh(self._layer("value", self._thought(seen, seat))[:, 0])

    def _thought(self, seen: Any, seat: int) -> Any:
        second = self._numpy.full(len(seen), seat, "i2")
        hidden = self._relu(self._layer("first", self._inputs(self._own_side(seen, second))))
        for block in range(self._blocks):
            hidden = hidden + self._relu(self._layer(f"blocks.{block}", hidden))
        return hidden

    def _inputs(self, seen: Any) -> Any:
        """Give a number with few values an input for each; of others read the bits, and how large they are."""
        numpy, numbers = self._numpy, self._numpy.clip(seen.astype("i8"), self._low, self._high) - self._low
        one_hot = numpy.zeros((len(seen), self._width), "f4")
        numpy.put_along_axis(one_hot, numbers[:, self._few] + self._first_of, 1.0, 1)
        many = seen[:, self._many].astype("i8")
        bits = (many[:, :, None] >> self._bits & 1).reshape(len(seen), -1)
        scaled = numbers[:, self._many] / (self._high - self._low)[self._many]
        return numpy.concatenate([one_hot, bits, scaled], 1, dtype="f4", casting="unsafe")

    def _layer(self, name: str, values: Any) -> Any:
        return values @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _relu(self, values: Any) -> Any:
        return self._numpy.maximum(values, 0.0)
