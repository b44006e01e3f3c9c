"""`jamboree config`: every setting of a server, its value, and where that comes from."""

from typing import Any

import msgspec
import typer

from .flags import with_settings
from .found import Found, configuration

WIDTH = 48


@with_settings()
def config(**told: Any) -> None:
    """Show the settings a server would have, and where each comes from. Secrets are hidden."""
    for found in configuration(told).found.values():
        typer.echo(_line(found))


def _line(found: Found) -> str:
    """Write a setting as a file would have it; one without a value can't be in a file."""
    value = found.shown
    comment = f"# {found.source}"
    if value is None or value == "":
        return f"{f'# {found.setting.name}':{WIDTH}} {comment}{'' if value == '' else f': {found.setting.usual}'}"
    written = msgspec.json.encode(value).decode()
    return f"{f'{found.setting.name} = {written}':{WIDTH}} {comment}"
