"""Swaps a mutated function for the real one, in a process that has loaded everything."""

import gc
import sys
from functools import _lru_cache_wrapper
from types import CodeType, FunctionType
from typing import Any

from .mutants import Mutant


def swap(mutant: Mutant) -> None:
    """Make the real function run the mutant's code, wherever it is referenced."""
    real_function(mutant).__code__ = code_of(mutant.code, mutant.function)
    forget(mutant.module.partition(".rules")[0])


def real_function(mutant: Mutant) -> FunctionType:
    found: Any = sys.modules[mutant.module]
    for name in mutant.function.split("."):
        found = vars(found)[name]
    found = getattr(found, "fget", None) or getattr(found, "__func__", None) or getattr(found, "__wrapped__", found)
    assert isinstance(found, FunctionType)
    return found


def code_of(code: CodeType, function: str) -> CodeType:
    """Find a function's code in the code of its module."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_qualname == function:
                return constant
            if function.startswith(f"{constant.co_qualname}."):
                return code_of(constant, function)
    raise LookupError(function)


def forget(package: str) -> None:
    """Clear what functions of a game and of tests keep, for a mutant would be spared by what the real rules made."""
    for found in gc.get_objects():
        if type(found) is _lru_cache_wrapper and found.__module__.startswith((package, "tests.")):
            found.cache_clear()
