"""`jamboree doctor`: look at everything a server needs, and say what to do about what is not well."""

from typing import Any

import typer

from jamboree.core.words import clean

from .finding import Finding
from .flags import with_settings
from .found import configuration

SIGNS = {"good": "ok   ", "warn": "look ", "wrong": "WRONG"}
SICK = 1


@with_settings()
def doctor(**told: Any) -> None:
    """Look at what a server with these settings needs: versions, database, disk, clock, ports, proxy."""
    from .checks import CHECKS  # the whole server is loaded for them

    found = configuration(told)
    findings = [_say(check.__name__, finding) for check in CHECKS for finding in check(found)]
    wrong = sum(finding.level == "wrong" for finding in findings)
    if wrong:
        typer.echo(f"{wrong} {'thing is' if wrong == 1 else 'things are'} wrong.")
        raise typer.Exit(SICK)
    typer.echo("A server can run like this.")


def _say(about: str, finding: Finding) -> Finding:
    typer.echo(clean(f"{SIGNS[finding.level]} {about:9} {finding.what}"))
    if finding.advice:
        typer.echo(clean(f"{'':16}→ {finding.advice}"))
    return finding
