"""`jamboree doctor`: check everything a server needs, and say what to do about what is wrong."""

from time import perf_counter
from typing import Annotated, Any

import typer

from jamboree.bots.search import get_ready, is_compiled
from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean
from jamboree.fast import NoNumba, has_numba, load, twin_keys
from jamboree.games import find

from .finding import Finding
from .flags import with_settings
from .found import configuration, use_cache

SIGNS = {"good": "ok   ", "warn": "look ", "wrong": "WRONG"}
SICK = 1


@with_settings()
def doctor(
    compile_: Annotated[
        bool, typer.Option("--compile", help="Compile what the strong bots need instead; it takes minutes.")
    ] = False,
    **told: Any,
) -> None:
    """Look at what a server with these settings needs: versions, database, disk, clock, ports, proxy."""
    found = configuration(told)
    use_cache(found)
    if compile_:
        _compile_bots()
        return
    from .checks import CHECKS  # the whole server is loaded for them

    findings = [_say(check.__name__, finding) for check in CHECKS for finding in check(found)]
    wrong = sum(finding.level == "wrong" for finding in findings)
    if wrong:
        typer.echo(f"{wrong} {'thing is' if wrong == 1 else 'things are'} wrong.")
        raise typer.Exit(SICK)
    typer.echo("A server can run like this.")


def _compile_bots() -> None:
    """Compile every game's twin as a server would for its first search, and keep the code where a server finds it."""
    if not has_numba():
        raise NoNumba
    for key in twin_keys():
        title, began = find(key).info.title, perf_counter()
        if is_compiled(key):
            typer.echo(f"{title}: compiled already.")
            continue
        typer.echo(f"{title}: compiling …")
        try:
            get_ready(key)
        except Exception as error:  # whatever numba, LLVM or the machine can't do
            raise JamboreeError(f"{title} can't be compiled: {type(error).__name__}: {error}") from error
        if not is_compiled(key):
            raise JamboreeError(f"{title} was compiled, but the code could not be kept in {load(key).folder.parent}.")
        typer.echo(f"{title}: compiled in {perf_counter() - began:.0f} s.")
    typer.echo("The strong bots are ready.")


def _say(about: str, finding: Finding) -> Finding:
    typer.echo(clean(f"{SIGNS[finding.level]} {about:9} {finding.what}"))
    if finding.advice:
        typer.echo(clean(f"{'':16}→ {finding.advice}"))
    return finding
