"""The source of a twin as one flat namespace: shared code (`core/twin`), the game's own modules, then the loops."""

import hashlib
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import CodeType, FunctionType, ModuleType
from typing import Any

from jamboree.core.errors import JamboreeError
from jamboree.games import keys, package

BRIDGE = "bridge"  # the only module of a twin that imports the reference
NOT_COMPILED = (BRIDGE, "network", "weights")  # the others adapt observations for a network, and hold data
SHARED = tuple(f"jamboree.core.twin.{name}" for name in ("interface", "bits", "chance", "choosing"))
LOOPS = tuple(f"jamboree.fast.{name}" for name in ("loops", "playouts", "search"))


def has_twin(key: str) -> bool:
    return key in keys() and find_spec(f"{package(key)}.fast") is not None


def twin_keys() -> list[str]:
    """List the games that have a twin."""
    return [key for key in keys() if has_twin(key)]


def bridge(key: str) -> Any:
    if not has_twin(key):
        raise JamboreeError(f"{key!r} has no fast twin; these games have one: {', '.join(twin_keys()) or 'none yet'}.")
    return import_module(f"{package(key)}.fast.{BRIDGE}")


def layout(key: str) -> Any:
    """Return the module with the sizes of a twin's rows."""
    return import_module(f"{package(key)}.fast.layout")


def modules(key: str) -> list[ModuleType]:
    """Return the modules of a twin: shared code first, so that a game's functions replace the stand-ins."""
    twin = import_module(f"{package(key)}.fast")
    own = [f"{twin.__name__}.{each.name}" for each in iter_modules(twin.__path__) if each.name not in NOT_COMPILED]
    return [import_module(name) for name in (*SHARED, *own, *LOOPS)]


def names(key: str) -> dict[str, Any]:
    """Return a twin's functions and the names they use as one namespace; a name must be unique in all its files."""
    found: dict[str, Any] = {}
    for module in modules(key):
        for name, value in _members(module):
            known = found.setdefault(name, value)
            if _is_stand_in(known):
                found[name] = value
            elif known is not value and not _is_stand_in(value):
                raise JamboreeError(f"In {key}'s twin {name!r} has two meanings; one of them is in {module.__name__}.")
    return found


def _members(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield the functions of a module and the globals that they use."""
    for function in vars(module).values():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            yield function.__name__, function
            for name in function.__code__.co_names:
                if name in function.__globals__:
                    yield name, function.__globals__[name]


def _is_stand_in(value: Any) -> bool:
    """Return whether a function is only declared in the interface."""
    return isinstance(value, FunctionType) and value.__module__ == SHARED[0]


def fingerprint(key: str, *more: str) -> str:
    """Hash the functions and constants of a twin, so that code compiled from others is never loaded for it. The hash
    covers what was imported, not the files, which may have changed since."""
    digest = hashlib.sha256("\0".join(more).encode())
    for name, value in sorted(names(key).items()):
        digest.update(f"{name} {_written(value)}\0".encode())
    return digest.hexdigest()[:16]


def _written(value: Any) -> str:
    """Return a canonical text of a value, independent of file names and line numbers.

    The modules of functions count: stored machine code imports them.
    """
    if isinstance(value, FunctionType):
        return f"{value.__module__} {_written(value.__code__)} {value.__defaults__}"
    if isinstance(value, CodeType):
        parts = value.co_code, value.co_names, value.co_varnames, value.co_argcount
        return f"{parts} {[_written(each) for each in value.co_consts]}"
    if isinstance(value, ModuleType):
        return repr(sorted((name, each) for name, each in vars(value).items() if isinstance(each, int | float | tuple)))
    return repr(value) if isinstance(value, int | float | tuple | str) else type(value).__name__
