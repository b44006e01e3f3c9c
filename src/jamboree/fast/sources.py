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

BRIDGE = "bridge"  # the one module of a twin that knows the reference
NOT_COMPILED = (BRIDGE, "network", "weights")  # beside the bridge: a network's inputs, and data that is in the table
SHARED = tuple(f"jamboree.core.twin.{name}" for name in ("interface", "bits", "chance", "choosing"))
LOOPS = ("jamboree.fast.drivers", "jamboree.fast.trials")


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
    """Give the sizes of a twin's rows."""
    return import_module(f"{package(key)}.fast.layout")


def modules(key: str) -> list[ModuleType]:
    """Return the modules of a twin: shared code first, so that a game's functions replace the stand-ins."""
    twin = import_module(f"{package(key)}.fast")
    own = [f"{twin.__name__}.{each.name}" for each in iter_modules(twin.__path__) if each.name not in NOT_COMPILED]
    return [import_module(name) for name in (*SHARED, *own, *LOOPS)]


def names(key: str) -> dict[str, Any]:
    """Collect a twin's functions and all they refer to; one name means one thing in all its files."""
    found: dict[str, Any] = {}
    for module in modules(key):
        for name, value in _members(module):
            known = found.setdefault(name, value)
            if _is_stand_in(known):
                found[name] = value
            elif known is not value and not _is_stand_in(value):
                raise JamboreeError(f"In {key}'s twin {name!r} means two things; one of them is in {module.__name__}.")
    return found


def _members(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """List the functions of a module and the names of the module that they use."""
    for function in vars(module).values():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            yield function.__name__, function
            for name in function.__code__.co_names:
                if name in function.__globals__:
                    yield name, function.__globals__[name]


def _is_stand_in(value: Any) -> bool:
    """Tell whether a function is only named in the interface."""
    return isinstance(value, FunctionType) and value.__module__ == SHARED[0]


def fingerprint(key: str, *more: str) -> str:
    """Make a short name for exactly these functions and numbers, so that code compiled from others is never taken for
    theirs. They are looked at as they were loaded: the files may have changed since."""
    digest = hashlib.sha256("\0".join(more).encode())
    for name, value in sorted(names(key).items()):
        digest.update(f"{name} {_written(value)}\0".encode())
    return digest.hexdigest()[:16]


def _written(value: Any) -> str:
    """Write what a name means, whatever the line it is on. Stored machine code imports the modules of its functions."""
    if isinstance(value, FunctionType):
        return f"{value.__module__} {_written(value.__code__)} {value.__defaults__}"
    if isinstance(value, CodeType):
        parts = value.co_code, value.co_names, value.co_varnames, value.co_argcount
        return f"{parts} {[_written(each) for each in value.co_consts]}"
    if isinstance(value, ModuleType):
        return repr(sorted((name, each) for name, each in vars(value).items() if isinstance(each, int | float | tuple)))
    return repr(value) if isinstance(value, int | float | tuple | str) else type(value).__name__
