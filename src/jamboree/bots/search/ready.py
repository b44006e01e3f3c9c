"""Whether a game can be searched here, and compiling its twin beforehand, in another process.

`python -m jamboree.bots.search [GAME …]` compiles what is not compiled yet.
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

from .manner import manners

LOOPS, FORESEEING = ("weigh_menu", "try_actions", "observe_rows", "list_legal"), "see_actions"
TIED = "--tied"  # it ends when its input does, and so with the process that started it
COMMAND = (sys.executable, "-m", "jamboree.bots.search", TIED)
_preparing: dict[str, Thread] = {}
_unusable: set[str] = set()
log = logging.getLogger(__name__)


def can_search(game: AnyGame) -> bool:
    """Tell whether there is a twin that plays by these rules, and numba to compile it."""
    key = game.info.key
    return is_searchable(key) and find(key).info.rules_version == game.info.rules_version


def is_searchable(key: str) -> bool:
    """Tell whether today's rules of a game can be searched here: where not, bots and hints go by instinct."""
    return has_twin(key) and key not in _unusable and has_numba()


def give_up(key: str, why: str) -> None:
    """Search a game no longer in this process: its twin can't be compiled or loaded on this machine."""
    if key not in _unusable:
        log.warning("%s can't be searched on this machine, so its strong bots are not offered: %s", key, why)
    _unusable.add(key)


def loops(key: str) -> list[str]:
    """Name what a search calls in a game."""
    foresees = any(manner.foresight for manner in manners(key).values())
    return [*LOOPS, FORESEEING] if foresees else [*LOOPS]


def get_ready(key: str) -> None:
    """Load what a search calls, or compile it; a line is printed when it has to be compiled."""
    for name in loops(key):
        getattr(load(key), name)


def is_compiled(key: str) -> bool:
    """Tell whether everything a search calls is in the cache."""
    try:
        return all(load(key).is_kept(name) for name in loops(key))
    except NoNumba:  # it is there, but can't be imported
        return False


def is_ready(key: str) -> bool:
    """Tell whether a search can begin at once; if not, prepare it in the background where that is possible."""
    if not is_searchable(key):
        return False
    if key not in _preparing:
        _preparing[key] = Thread(target=_prepare, args=(key,), daemon=True)
        _preparing[key].start()
    return not _preparing[key].is_alive() and key not in _unusable


def await_ready(game: AnyGame, seconds: float) -> bool:
    """Tell whether a search can begin, after waiting so long at most for what need only be loaded."""
    key = game.info.key
    if not can_search(game) or is_ready(key):
        return can_search(game)
    if is_compiled(key):
        _preparing[key].join(seconds)
    return is_ready(key)


def _prepare(key: str) -> None:
    """Have another process compile: here it would take the time of whoever is answered by this one."""
    try:
        if not is_compiled(key):
            _run([*COMMAND, key])
        get_ready(key)
    except Exception as error:  # whatever numba, LLVM or the machine can't do
        give_up(key, str(error))


def _run(command: list[str]) -> None:
    """Wait for a process whose input stays open as long as this process is there; Ctrl-C is not for it.

    Its output is discarded, since this terminal may be a player's. If it fails, the last line of its errors says why.
    """
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=nowhere, stderr=pipe, start_new_session=True) as process:
        assert process.stderr, "it was started with a pipe"
        last = b"".join(deque(filter(bytes.strip, process.stderr), maxlen=1))
        if status := process.wait():
            why = clean(last.decode(errors="replace").strip())
            raise JamboreeError(f"the process that compiles ended with status {status}" + (f": {why}" if why else ""))
