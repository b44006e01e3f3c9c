"""Run the command line, or say which extra is not installed."""

import os
import sys

from jamboree.core.extras import Extra, MissingExtra, requirement

NEEDED: dict[str, Extra] = {"rich": "terminal", "typer": "terminal", "httpx": "client"}  # all others: the server
EVERY_COMMAND: Extra = "client"  # the extra that includes the server and the terminal
AGAIN = "JAMBOREE_UNDER_UVX"
INTERRUPTED = 130  # as shells report Ctrl+C


def main() -> None:
    try:
        from jamboree.cli import main as run

        run()
    except KeyboardInterrupt:  # while it was still being loaded; from then on the command line answers it
        sys.exit(INTERRUPTED)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package in ("", "jamboree"):
            raise
        run_again_under_uvx()
        extra = NEEDED.get(package, "server")
        sys.exit(str(MissingExtra(f"This needs {package}, which is not installed", extra)))


def run_again_under_uvx() -> None:
    """Replace this process by one with all extras, if uvx made the environment for this one command.

    So `uvx --from jamboree-games jamboree serve` works: the bare package brings the rules alone.
    """
    uv = os.environ.get("UV")  # set by uvx and `uv run`; only the latter sets VIRTUAL_ENV
    if not uv or "VIRTUAL_ENV" in os.environ or AGAIN in os.environ:
        return
    os.environ[AGAIN] = "1"
    python = "{}.{}".format(*sys.version_info)
    command = ["tool", "run", "--python", python, "--from", requirement(EVERY_COMMAND), "jamboree"]
    os.execv(uv, [uv, *command, *sys.argv[1:]])


if __name__ == "__main__":
    main()
