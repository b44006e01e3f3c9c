"""Inference of a residual policy and value network with numpy; `scripts/champion/train.py` trains it on a GPU."""

from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from typing import Any

from jamboree.fast import has_twin, sources
from jamboree.games import package

WEIGHTS = "network.npz"  # beside the twin, whose observations it reads


def has_network(key: str) -> bool:
    return has_twin(key) and files(f"{package(key)}.fast").joinpath(WEIGHTS).is_file()


@lru_cache
def load_network(key: str) -> "Network":
    return Network(key)


class Network:
    """Policy logits and a value from a seat's observation, for the one set-up with two seats that it was trained on."""

    def __init__(self, key: str) -> None:
        import numpy

        with files(f"{package(key)}.fast").joinpath(WEIGHTS).open("rb") as file:
            stored = numpy.load(file)
            arrays = {name: stored[name] for name in stored.files}
        self._numpy, self._own_side = numpy, import_module(f"{package(key)}.fast.network").own_side
        self._set_up = sources.layout(key).WEIGHTS  # before the weights of an evaluation, which may differ
        self.table: Any = arrays.pop("table")[: self._set_up]
        self._low, self._high = arrays.pop("low"), arrays.pop("high")
        values = self._high - self._low + 1
        most, bits = int(arrays.pop("one_hot")), int(arrays.pop("bits"))
        self._one_hot = numpy.flatnonzero((values > 1) & (values <= most))
        self._binary, self._bits = numpy.flatnonzero(values > most), numpy.arange(bits)
        self._first_of = numpy.cumsum(values[self._one_hot]) - values[self._one_hot]
        self._width = int(values[self._one_hot].sum())
        self.greedy_logit = float(arrays.pop("instinct"))  # added to the logit of the greedy bot's choice
        self._weights = {name: array.astype("f4") for name, array in arrays.items()}
        self._blocks = sum(name.startswith("blocks.") for name in arrays) // 2

    def fits(self, table: Any) -> bool:
        """Return whether a table is the set-up that the network was trained on."""
        return bool(self._numpy.array_equal(self.table, table[: self._set_up]))

    def logits(self, observed: Any, seat: int) -> Any:
        """Return the policy logits by action id, for an observation of one row."""
        return self._layer("policy", self._hidden(observed, seat))[0]

    def values(self, observed: Any, seat: int) -> Any:
        """Return the value of each row of observations at a seat's decisions, from 0 to 1."""
        return 0.5 + 0.5 * self._numpy.tanh(self._layer("value", self._hidden(observed, seat))[:, 0])

    def _hidden(self, observed: Any, seat: int) -> Any:
        second = self._numpy.full(len(observed), seat, "i2")
        hidden = self._relu(self._layer("first", self._inputs(self._own_side(observed, second))))
        for block in range(self._blocks):
            hidden = hidden + self._relu(self._layer(f"blocks.{block}", hidden))
        return hidden

    def _inputs(self, observed: Any) -> Any:
        """Encode numbers of few values one-hot, and others by their bits and their scaled size."""
        numpy, numbers = self._numpy, self._numpy.clip(observed.astype("i8"), self._low, self._high) - self._low
        one_hot = numpy.zeros((len(observed), self._width), "f4")
        numpy.put_along_axis(one_hot, numbers[:, self._one_hot] + self._first_of, 1.0, 1)
        binary = observed[:, self._binary].astype("i8")
        bits = (binary[:, :, None] >> self._bits & 1).reshape(len(observed), -1)
        scaled = numbers[:, self._binary] / (self._high - self._low)[self._binary]
        return numpy.concatenate([one_hot, bits, scaled], 1, dtype="f4", casting="unsafe")

    def _layer(self, name: str, values: Any) -> Any:
        return values @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _relu(self, values: Any) -> Any:
        return self._numpy.maximum(values, 0.0)
