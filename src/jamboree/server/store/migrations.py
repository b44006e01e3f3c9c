"""Schema migrations: numbered SQL files, some followed by a Python step."""

from collections.abc import Callable
from importlib.resources import files

from .connection import DatabaseConnection
from .contract import StoreError
from .integrity import fill_digests

VERSIONS = "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY)"
CODE_STEPS: dict[int, Callable[[DatabaseConnection], None]] = {8: fill_digests}
"""Steps in Python, by the number of the SQL file they follow."""


def migrate(connection: DatabaseConnection) -> None:
    """Apply the missing migrations in one transaction."""
    with connection.transaction():
        connection.script(VERSIONS)
        [(reached,)] = connection.rows("SELECT COALESCE(MAX(number), 0) FROM migrations")
        steps = _steps()
        if reached > len(steps):
            raise StoreError(
                f"A newer Jamboree has migrated this database to version {reached}; this one supports {len(steps)}."
                " Start the newer one, or restore an older copy."
            )
        for number, statements in enumerate(steps[reached:], reached + 1):
            connection.script(statements)
            if number in CODE_STEPS:
                CODE_STEPS[number](connection)
            connection.change("INSERT INTO migrations (number) VALUES (?)", number)


def is_current(connection: DatabaseConnection) -> bool:
    """Whether a database has the schema of this program."""
    [(reached,)] = connection.rows("SELECT COALESCE(MAX(number), 0) FROM migrations")
    return bool(reached == newest())


def newest() -> int:
    """The schema version of this program."""
    return len(_steps())


def _steps() -> list[str]:
    folder = files(__package__) / "migrations"
    found = sorted(step.name for step in folder.iterdir() if step.name.endswith(".sql"))
    assert [int(name[:4]) for name in found] == list(range(1, len(found) + 1)), "a migration's number is missing"
    return [(folder / name).read_text(encoding="utf-8") for name in found]
