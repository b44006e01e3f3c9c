"""Availability of the search, and ahead-of-time compilation of its loops in another process.

`python -m jamboree.bots.search [GAME …]` compiles what is not in the cache yet.
"""

import logging
import subprocess
import sys
from collections import deque
from threading import Thread

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.words import clean
from jamboree.fast import NoNumba, has_numba, has_twin, load
from jamboree.games import find

from .search_settings import search_settings

LOOPS, NETWORK_LOOPS = ("shortlist", "search"), ("observe_rows", "list_legal", "look_ahead")
TIED = "--tied"  # the process exits when its input is closed, and so with its parent
COMPILE_COMMAND = (sys.executable, "-m", "jamboree.bots.search", TIED)
_threads: dict[str, Thread] = {}
_disabled: set[str] = set()
_elsewhere: set[str] = set()
log = logging.getLogger(__name__)


def can_search(game: AnyGame) -> bool:
    """Return whether a game can be searched: it has a twin for this version of its rules, and numba can compile it."""
    key = game.info.key
    return is_searchable(key) and find(key).info.rules_version == game.info.rules_version


def is_searchable(key: str) -> bool:
    """Return whether the current rules of a game can be searched; if not, bots and hints are greedy."""
    return has_twin(key) and key not in _disabled and (key in _elsewhere or has_numba())


def search_elsewhere(key: str) -> None:
    """Offer the search of a game that is not compiled here: a driver outside this process runs its tasks."""
    _elsewhere.add(key)


def disable_search(key: str, reason: str) -> None:
    """Disable the search of a game in this process, since its twin can't be compiled or loaded on this machine."""
    if key not in _disabled:
        log.warning("%s can't be searched on this machine, so its strong bots are not offered: %s", key, reason)
    _disabled.add(key)


def search_loops(key: str) -> list[str]:
    """Return the names of the compiled loops that a game's search calls."""
    settings = search_settings(key).values()
    uses_network = any(each.policy_weight or each.value_weight for each in settings)
    return [*LOOPS, *NETWORK_LOOPS] if uses_network else [*LOOPS]


def load_loops(key: str) -> None:
    """Load the loops of a game's search, or compile them and report that on stderr."""
    for name in search_loops(key):
        getattr(load(key), name)


def is_compiled(key: str) -> bool:
    """Return whether all loops of a game's search are in the cache."""
    try:
        return all(load(key).is_cached(name) for name in search_loops(key))
    except NoNumba:  # it is installed, but can't be imported
        return False


def is_ready(key: str) -> bool:
    """Return whether a search can start at once. If not, start to prepare it in the background."""
    if not is_searchable(key):
        return False
    if key in _elsewhere:
        return True
    if key not in _threads:
        _threads[key] = Thread(target=_prepare, args=(key,), daemon=True)
        _threads[key].start()
    return not _threads[key].is_alive() and key not in _disabled


def await_ready(game: AnyGame, seconds: float) -> bool:
    """Return whether a search can start. Loading is awaited for at most `seconds`, compilation is not."""
    key = game.info.key
    if not can_search(game) or is_ready(key):
        return can_search(game)
    if is_compiled(key):
        _threads[key].join(seconds)
    return is_ready(key)


def _prepare(key: str) -> None:
    """Compile in another process, so that this one stays responsive; then load."""
    try:
        if not is_compiled(key):
            _run([*COMPILE_COMMAND, key])
        load_loops(key)
    except Exception as error:  # any failure of numba, LLVM or the machine
        disable_search(key, str(error))


def _run(command: list[str]) -> None:
    """Run a process in a session of its own, which Ctrl-C does not reach, and keep its input open while it runs.

    Its output is discarded, since a player may use this terminal. If it fails, the error has the last line of stderr.
    """
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=null, stderr=pipe, start_new_session=True) as process:
        assert process.stderr, "it was started with a pipe"
        last = b"".join(deque((line for line in process.stderr if line.strip()), maxlen=1))
        if status := process.wait():
            reason = clean(last.decode(errors="replace").strip())
            ended = f"the process that compiles ended with status {status}"
            raise JamboreeError(f"{ended}: {reason}" if reason else ended)
