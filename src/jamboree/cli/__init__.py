"""The command line."""

import typer

import jamboree

app = typer.Typer(no_args_is_help=True, help=jamboree.__doc__)


@app.callback()
def options() -> None:
    """Take the options that go before every command."""


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(jamboree.__version__)


def main() -> None:
    """Run the command line."""
    app()
