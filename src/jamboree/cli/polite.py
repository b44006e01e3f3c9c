"""How commands end: an error is one sentence, an interruption is polite, a closed pipe is quiet."""

import os
import sys
from typing import Any

import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean

from .switches import PlainGroup

WRONG, INTERRUPTED = 2, 130


class Polite(PlainGroup):
    def invoke(self, ctx: Any) -> Any:
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()
            return answer
        except JamboreeError as error:
            complain(error)
            raise typer.Exit(WRONG) from None
        except KeyboardInterrupt:
            typer.echo("", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            _write_no_more()
            raise typer.Exit(1) from None
        except OSError as error:  # files a person names are read and written elsewhere
            _write_no_more()
            complain(JamboreeError(f"The output can't be written: {error.strerror or error}"))
            raise typer.Exit(WRONG) from None


def _write_no_more() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(error: JamboreeError) -> None:
    for line in str(error).strip().splitlines() or [""]:
        typer.echo(sentence(line), err=True)


def sentence(text: str) -> str:
    """Give a text a capital and a full stop; a file's name keeps its letters."""
    text = clean(text.strip()) or "Something is wrong"
    if text.partition(" ")[0].isalpha():
        text = text[0].upper() + text[1:]
    return text + ("" if text[-1] in ".!?:" else ".")
