"""Assembles the commands."""

import sys
from typing import Annotated

import typer

import jamboree

from .commands.analyse import analyse
from .commands.bench import bench
from .commands.boards import boards
from .commands.games import games
from .commands.learn import learn
from .commands.play import play
from .commands.rate import rate
from .commands.replay import replay
from .commands.rules import rules
from .commands.schema import schema
from .commands.verify import verify
from .error_handling import ErrorHandlingGroup
from .game_flags import GameCommand
from .hosting.accept_loss import accept_loss
from .hosting.admin import admin
from .hosting.backup import backup, restore
from .hosting.configuration import config
from .hosting.doctor import doctor
from .hosting.forget import forget
from .hosting.serve import serve
from .typer_classes import CliCommand

app = typer.Typer(cls=ErrorHandlingGroup, no_args_is_help=True, help=jamboree.__doc__, pretty_exceptions_enable=False)
app.command(cls=GameCommand)(play)
app.command(cls=GameCommand)(rate)
PLAYING = (learn, replay, analyse, verify, rules, games)
HOSTING = (serve, config, doctor, backup, restore, accept_loss, forget)
MEASURING = (bench, schema)
for command in (*PLAYING, *HOSTING, *MEASURING):
    app.command(cls=CliCommand)(command)
app.add_typer(boards, name="boards")
app.add_typer(admin, name="admin")


def _version(requested: bool) -> None:
    if requested:
        typer.echo(jamboree.__version__)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Options before a command."""


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a character that the terminal lacks becomes a question mark
    app(prog_name="jamboree")
