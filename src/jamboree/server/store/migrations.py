"""Numbered steps that bring a database to what this program needs."""

from collections.abc import Callable
from importlib.resources import files

from .connection import Connection
from .contract import StoreError
from .integrity import fill_digests

VERSIONS = "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY)"
FILLED_BY: dict[int, Callable[[Connection], None]] = {8: fill_digests}
"""What SQL alone can't do after a step."""


def migrate(connection: Connection) -> None:
    """Take the steps that a database has not taken yet, all or none."""
    with connection.transaction():
        connection.script(VERSIONS)
        [(reached,)] = connection.rows("SELECT COALESCE(MAX(number), 0) FROM migrations")
        steps = _steps()
        if reached > len(steps):
            raise StoreError(
                f"A newer Jamboree made this database: its version is {reached}, not {len(steps)}."
                " Start that one, or put a copy back that was made before."
            )
        for number, statements in enumerate(steps[reached:], reached + 1):
            connection.script(statements)
            if number in FILLED_BY:
                FILLED_BY[number](connection)
            connection.change("INSERT INTO migrations (number) VALUES (?)", number)


def is_current(connection: Connection) -> bool:
    """Tell whether a database has all that this program needs."""
    [(reached,)] = connection.rows("SELECT COALESCE(MAX(number), 0) FROM migrations")
    return bool(reached == newest())


def newest() -> int:
    """Say which version of a database this program needs."""
    return len(_steps())


def _steps() -> list[str]:
    folder = files(__package__) / "migrations"
    found = sorted(step.name for step in folder.iterdir() if step.name.endswith(".sql"))
    assert [int(name[:4]) for name in found] == list(range(1, len(found) + 1)), "a migration's number is missing"
    return [(folder / name).read_text(encoding="utf-8") for name in found]
