"""Searches as tasks: bots and hints are generators that yield them, and a driver runs them, here or elsewhere.

So the same bots and hints think in a program, which waits for its search, and in a web page, which may not block.
"""

from collections.abc import Generator
from time import perf_counter
from typing import Any, TypeVar

import msgspec

from .findings import Findings
from .native import NativeSearch
from .request import SearchRequest

T = TypeVar("T")


class Shortlist(msgspec.Struct, frozen=True, tag="shortlist"):
    """List the candidates of a request: the first one, then the actions with the highest priors."""

    request: SearchRequest


class Run(msgspec.Struct, frozen=True, tag="run"):
    """Search until `keep` candidates are left or the budget is spent; if `keep` is 0, none is dropped."""

    request: SearchRequest
    candidates: list[int]
    playouts: int | None
    seconds: float | None
    keep: int = 1
    bonuses: list[float] = []  # added to the values of the first candidates
    first_world: int = 0


Task = Shortlist | Run
Thinking = Generator[Task, Any, T]
"""Yields tasks, is sent a list of candidates for a `Shortlist` and `Findings` for a `Run`, and returns its result."""


def searching(request: SearchRequest) -> Thinking[Findings]:
    """Search among a shortlist of candidates until the budget of a request is spent."""
    began = perf_counter()
    candidates = yield Shortlist(request)
    left = None if request.seconds is None else request.seconds - (perf_counter() - began)
    findings: Findings = yield Run(request, candidates, request.playouts, left, bonuses=[request.bonus])
    return findings


def carry_out(thinking: Thinking[T]) -> T:
    """Carry out all tasks on this machine's processor, and return the result."""
    native: NativeSearch | None = None
    try:
        task = next(thinking)
        while True:
            if native is None or native.request is not task.request:
                native = NativeSearch(task.request)
            task = thinking.send(carried_out(native, task))
    except StopIteration as finished:
        result: T = finished.value
        return result


def carried_out(native: NativeSearch, task: Task) -> list[int] | Findings:
    if isinstance(task, Shortlist):
        return native.shortlist()
    return native.run(
        task.candidates,
        task.playouts,
        task.seconds,
        keep=task.keep,
        bonuses=task.bonuses,
        first_world=task.first_world,
    )
