"""Loads a game with a mutated module, in a process that has not loaded it yet."""

import os
import resource
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

import pytest

from .mutants import Mutant

SECONDS = 120  # of processor time, before it hangs


class Changed(SourceFileLoader):
    """Loads a module's file, but runs other code."""

    code: CodeType

    def get_code(self, fullname: str) -> CodeType:
        return self.code


class Finder(MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self.mutant.module:
            return None
        spec = PathFinder.find_spec(name, path)
        assert spec is not None and spec.origin is not None
        spec.loader = Changed(name, spec.origin)
        spec.loader.code = self.mutant.code
        return spec


def survives(mutant: Mutant, arguments: list[str]) -> bool:
    """Run tests in a copy of this process that loads the mutant."""
    assert mutant.module not in sys.modules
    if not (child := os.fork()):
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        sys.meta_path.insert(0, Finder(mutant))
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os._exit(int(pytest.main([*arguments, "-x"])))
    return os.waitpid(child, 0)[1] == 0
