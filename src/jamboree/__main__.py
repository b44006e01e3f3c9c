"""Run the command line, or say which part of Jamboree is not installed."""

import sys

NEEDED = {"rich": "terminal", "typer": "terminal", "httpx": "client"}  # all others: the server
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
        part = NEEDED.get(package, "server")
        sys.exit(f"This needs {package}, which is not installed: pip install 'jamboree[{part}]'")


if __name__ == "__main__":
    main()
