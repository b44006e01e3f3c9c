"""`jamboree doctor`: checks what a server needs and says how to repair what is wrong."""

from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jamboree.bots.search import is_compiled, load_loops
from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean
from jamboree.fast import NoNumba, has_numba, load, twin_keys
from jamboree.games import find

from .configuration import apply_cache_setting, configuration, with_settings

if TYPE_CHECKING:
    from .checks.result import CheckResult

LABELS = {"good": "ok   ", "warn": "WARN ", "wrong": "WRONG"}
EXIT_FAILED = 1


@with_settings()
def doctor(
    compile_: Annotated[
        bool, typer.Option("--compile", help="Compile the strong bots instead; this takes minutes.")
    ] = False,
    **flags: Any,
) -> None:
    """Check what a server with these settings needs: versions, database, disk, clock, ports, proxy."""
    settings = configuration(flags)
    apply_cache_setting(settings)
    if compile_:
        _compile_bots()
        return
    from .checks import CHECKS  # imports the whole server

    results = [_print(check.__name__, result) for check in CHECKS for result in check(settings)]
    failed = sum(result.level == "wrong" for result in results)
    if failed:
        typer.echo(f"{failed} {'check has' if failed == 1 else 'checks have'} failed.")
        raise typer.Exit(EXIT_FAILED)
    typer.echo("A server can run with these settings.")


def _print(name: str, result: "CheckResult") -> "CheckResult":
    typer.echo(clean(f"{LABELS[result.level]} {name:9} {result.message}"))
    if result.advice:
        typer.echo(clean(f"{'':16}→ {result.advice}"))
    return result


def _compile_bots() -> None:
    """Compile every game's twin into the cache from which a server loads it."""
    if not has_numba():
        raise NoNumba
    for key in twin_keys():
        title, started = find(key).info.title, perf_counter()
        if is_compiled(key):
            typer.echo(f"{title}: already compiled.")
            continue
        typer.echo(f"{title}: compiling …")
        try:
            load_loops(key)
        except Exception as error:  # any limitation of numba, LLVM or the machine
            raise JamboreeError(f"{title} can't be compiled: {type(error).__name__}: {error}") from error
        if not is_compiled(key):
            raise JamboreeError(f"{title} was compiled, but the code could not be stored in {load(key).folder.parent}.")
        typer.echo(f"{title}: compiled in {perf_counter() - started:.0f} s.")
    typer.echo("The strong bots are ready.")
