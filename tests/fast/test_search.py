"""The search finds the same compiled and uncompiled, and mistakes planted into it are found."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jamboree.bots.search import Findings, SearchRequest, native
from jamboree.fast import load, twin_keys
from jamboree.fast.playouts import exponential, logistic
from jamboree.fast.search import HALVINGS, PLAYOUTS

from .searches import requests
from .test_mistakes import broken

PLAYOUTS_EACH = 14
MISTAKES = (
    ("search.py", "priors[k] > priors[best]", "priors[k] < priors[best]"),  # the least promising first
    ("search.py", "if first != WAITING and", "if"),  # waiting is a candidate twice
    ("search.py", "        menu[best] = False\n", ""),  # the same candidate again and again
    ("search.py", "if pick(c, equal) == 0:", "if pick(c, equal) == 1:"),
    ("search.py", "worlds if worlds < BATCH else BATCH", "BATCH"),  # beyond the budget
    ("search.py", "actor, utility) + bonus", "actor, utility)"),
    ("search.py", "- first[seat][POINTS]", ""),
    ("search.py", "* values[other][LATEST]", "* values[k][LATEST]"),  # variances, not covariances
    ("search.py", "most = (most + 1) // 2", "most = most // 2"),
    ("search.py", "while 1 << rounds < candidates", "while 1 << rounds <= candidates"),
    ("search.py", "ahead > 0.0 or", "ahead < 0.0 or"),  # the better half is dropped
    ("search.py", "squares / visits - ", "squares - "),
    (
        "playouts.py",
        "seed(c, number, 2 * world + 1)",
        "seed(c, number, 2 * world + 1 + candidate)",
    ),  # luck of their own
    ("playouts.py", "seed(c, number, 2 * world)", "seed(c, number, 0)"),  # all worlds are one
    ("playouts.py", "        if use_beliefs:\n", "        if not use_beliefs:\n"),
    ("playouts.py", "larger(others, i64(", "(i64("),  # the margin is that to the last of the others
    ("playouts.py", "1 << actor if candidate == WAITING else 0", "0"),
    ("playouts.py", "return 1.0 / sharing", "return 1.0"),
    ("playouts.py", "exponential(-x)", "exponential(x)"),
    ("playouts.py", "range(1, 8)", "range(1, 4)"),  # a series that is too short
)


class Uncompiled:
    """A twin as plain Python, called with arrays as a compiled one is."""

    def __init__(self, twin: Any) -> None:
        self._twin = twin

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(self._twin, name)

        def call(*arguments: Any) -> Any:
            plain = [value.tolist() if isinstance(value, np.ndarray) else value for value in arguments]
            result = function(*plain)
            for value, changed in zip(arguments, plain, strict=True):
                if isinstance(value, np.ndarray):
                    value[...] = changed
            return result

        return call


def findings(request: SearchRequest, twin: Any) -> Findings:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "load", lambda key: twin)
        return native.search(request)


@pytest.mark.parametrize("key", twin_keys())
def test_compiled_code_finds_the_same_as_plain_python(key: str) -> None:
    found = []
    for request in requests(key, PLAYOUTS_EACH):
        found.append(native.search(request))
        assert findings(request, Uncompiled(load(key, "python"))) == found[-1]
    assert any(each.progress[PLAYOUTS] for each in found)
    assert any(each.progress[HALVINGS] for each in found)


@pytest.mark.parametrize(("file", "old", "new"), MISTAKES)
def test_a_mistake_in_the_search_is_found(file: str, old: str, new: str) -> None:
    assert any(
        findings(request, Uncompiled(broken(key, file, old, new, "jamboree.fast"))) != native.search(request)
        for key in ("boogie", "bebop")
        for request in requests(key, PLAYOUTS_EACH)
    )


def test_the_exponential_function_has_twelve_digits() -> None:
    for x in (-40.0, -8.25, -1.0, 0.0, 1e-9, 0.5, 3.0, 39.9):
        assert exponential(x) == pytest.approx(math.exp(x), rel=1e-12)
        assert logistic(x) == pytest.approx(1 / (1 + math.exp(-x)), rel=1e-12)
    assert (logistic(1e6), logistic(-1e6)) == (1.0, 0.0)
