"""Whether a game can be searched here, and getting ready for it: compiling a twin takes a while, once.

`python -m jamboree.bots.search [GAME …]` compiles what is not compiled yet.
"""

import subprocess
import sys
from importlib.util import find_spec
from threading import Thread

from jamboree.core.game import AnyGame
from jamboree.fast import cache, has_twin, load
from jamboree.games import find

from .manner import manners

LOOPS, FORESEEING = ("weigh_menu", "try_actions", "observe_rows", "list_legal"), "see_actions"
TIED = "--tied"  # it ends when its input does, and so with the process that started it
COMMAND = (sys.executable, "-m", "jamboree.bots.search", TIED)
_getting_ready: dict[str, Thread] = {}


def can_search(game: AnyGame) -> bool:
    """Tell whether there is a twin that plays by these rules, and what it takes to compile it."""
    key = game.info.key
    return has_twin(key) and find_spec("numba") is not None and find(key).info.rules_version == game.info.rules_version


def loops(key: str) -> list[str]:
    """Name what a search calls in a game."""
    foresees = any(manner.foresight for manner in manners(key).values())
    return [*LOOPS, FORESEEING] if foresees else [*LOOPS]


def get_ready(key: str) -> None:
    """Load what a search calls, or compile it; a word is said when it has to be compiled."""
    for name in loops(key):
        getattr(load(key), name)


def is_ready(key: str) -> bool:
    """Tell whether a search can begin at once; if not, see to it that it soon can, without keeping anybody waiting."""
    if key not in _getting_ready:
        _getting_ready[key] = Thread(target=_get_ready_elsewhere, args=(key,), daemon=True)
        _getting_ready[key].start()
    return not _getting_ready[key].is_alive() and all(name in vars(load(key)) for name in loops(key))


def await_ready(game: AnyGame, seconds: float) -> bool:
    """Tell whether a search can begin, after waiting so long at most for what need only be loaded."""
    key = game.info.key
    if not can_search(game) or is_ready(key):
        return can_search(game)
    if all(load(key).is_kept(name) for name in loops(key)):
        _getting_ready[key].join(seconds)
    return is_ready(key)


def _get_ready_elsewhere(key: str) -> None:
    """Have another process compile: here it would take the time of whoever is answered by this one."""
    if not all(load(key).is_kept(name) for name in loops(key)):
        try:
            _run([*COMMAND, key])
        except subprocess.CalledProcessError as failure:
            cache.say(f"Compiling {find(key).info.title} failed: {failure}")
            return
    get_ready(key)


def _run(command: list[str]) -> None:
    """Wait for a process whose input stays open as long as this process is there; Ctrl-C is not for it."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, command)
