"""`jamboree schema`: writes the JSON Schema of the protocol, for clients in other languages."""

import json
from pathlib import Path
from typing import Annotated

import typer

from jamboree.games import all_games

from ..files import write_file


def schema(
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write to this file instead of stdout.")] = None,
) -> None:
    """Write a JSON Schema of every message, HTTP body and game."""
    from jamboree.server.http.schema import document

    text = json.dumps(document(all_games()), indent=2, ensure_ascii=False) + "\n"
    if out is None:
        typer.echo(text, nl=False)
    else:
        write_file(out, text)
