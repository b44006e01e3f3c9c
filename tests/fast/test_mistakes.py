"""Faults planted into a twin are all found, so the comparison is effective."""

from importlib import import_module
from itertools import product
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

from jamboree.fast import load, sources, twin_keys
from jamboree.fast.compiling import plain
from jamboree.games import find

from .lockstep import Differs, play

PLANTED = [(key, at) for key in twin_keys() for at in range(len(import_module(f"tests.fast.mistakes.{key}").MISTAKES))]
GAMES = 40  # tried before a mistake counts as missed


def changed_names(key: str, file: str, old: str, new: str, package: str = "") -> dict[str, Any]:
    """Return a twin's functions and the names they use, with one thing changed in one of its files, or in one of
    another package."""
    package = package or f"jamboree.games.{key}.fast"
    name = f"{package}.{file.removesuffix('.py')}"
    module = import_module(name)
    assert module.__file__ is not None
    source = Path(module.__file__).read_text()
    assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in {file}"
    changed = ModuleType(name)
    changed.__package__ = package
    exec(compile(source.replace(old, new), file, "exec"), vars(changed))
    names = sources.names(key)
    for each, value in vars(changed).items():
        if isinstance(value, int) or (isinstance(value, FunctionType) and value.__module__ == name):
            names[each] = value
    return {each: value for each, value in names.items() if not each.startswith("__")}


def broken(key: str, file: str, old: str, new: str, package: str = "") -> Any:
    """Load a twin as plain Python with one thing changed."""
    return plain(changed_names(key, file, old, new, package))


def find_mistake(key: str, twin: Any) -> None:
    """Compare until something differs."""
    mistakes, info = import_module(f"tests.fast.mistakes.{key}"), find(key).info
    if hasattr(mistakes, "look_closer"):
        mistakes.look_closer(twin)
    set_ups = list(product(range(info.seats[0], info.seats[1] + 1), info.samples))
    for number in range(GAMES):
        for _ in play(key, *set_ups[number * 7 % len(set_ups)], number, twin):
            pass


@pytest.mark.parametrize(("key", "at"), PLANTED)
def test_a_planted_mistake_is_detected(key: str, at: int) -> None:
    mistake = import_module(f"tests.fast.mistakes.{key}").MISTAKES[at]
    with pytest.raises((Differs, IndexError)):
        find_mistake(key, broken(key, *mistake))


@pytest.mark.parametrize("key", twin_keys())
def test_twelve_mistakes_are_planted_and_the_twin_itself_passes(key: str) -> None:
    mistakes = import_module(f"tests.fast.mistakes.{key}")
    assert len(set(mistakes.MISTAKES)) >= 12
    if hasattr(mistakes, "look_closer"):
        mistakes.look_closer(load(key, "python"))
