"""Every command, and the options that go before them."""

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
from .commands.serve import backup, restore, serve
from .commands.verify import verify
from .flags import GameCommand
from .hosting.accept_loss import accept_loss
from .hosting.admin import admin
from .hosting.config import config
from .hosting.doctor import doctor
from .hosting.forget import forget
from .polite import Polite
from .switches import PlainCommand

app = typer.Typer(cls=Polite, no_args_is_help=True, help=jamboree.__doc__, pretty_exceptions_enable=False)
app.command(cls=GameCommand)(play)
app.command(cls=GameCommand)(rate)
PLAYING = (learn, replay, analyse, verify, rules, games)
HOSTING = (serve, config, doctor, backup, restore, accept_loss, forget)
STUDYING = (bench, schema)
for command in (*PLAYING, *HOSTING, *STUDYING):
    app.command(cls=PlainCommand)(command)
app.add_typer(boards, name="boards")
app.add_typer(admin, name="admin")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(jamboree.__version__)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that go before every command."""


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that knows no stars shows question marks
    app(prog_name="jamboree")
