"""Turns errors into exit codes: an error is one sentence on stderr, an interruption or a closed pipe prints nothing."""

import os
import sys
from typing import Any

import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.words import clean

from .typer_classes import CliGroup

EXIT_PIPE_CLOSED, EXIT_ERROR, EXIT_INTERRUPTED = 1, 2, 130


class ErrorHandlingGroup(CliGroup):
    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except JamboreeError as error:
            print_error(error)
            raise typer.Exit(EXIT_ERROR) from None
        except KeyboardInterrupt:
            typer.echo("", err=True)
            raise typer.Exit(EXIT_INTERRUPTED) from None
        except BrokenPipeError:
            _discard_output()
            raise typer.Exit(EXIT_PIPE_CLOSED) from None
        except OSError as error:  # of stdout: errors of named files are JamboreeErrors
            _discard_output()
            print_error(JamboreeError(f"The output can't be written: {error.strerror or error}"))
            raise typer.Exit(EXIT_ERROR) from None


def _discard_output() -> None:
    """Redirect stdout to the null device, so that flushing it at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_error(error: JamboreeError) -> None:
    for line in str(error).strip().splitlines() or [""]:
        typer.echo(as_sentence(line), err=True)


def as_sentence(text: str) -> str:
    """Capitalize a text, unless it begins with a file name, and add a full stop."""
    text = clean(text.strip()) or "Unknown error"
    if text.partition(" ")[0].isalpha():
        text = text[0].upper() + text[1:]
    return text + ("" if text[-1] in ".!?:" else ".")
