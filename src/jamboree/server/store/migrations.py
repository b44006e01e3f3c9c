"""Numbered steps that bring a database to what this program needs."""

from importlib.resources import files

from .connection import Connection
from .contract import StoreError

VERSIONS = "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY)"


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
            connection.change("INSERT INTO migrations (number) VALUES (?)", number)


def newest() -> int:
    """Say which version of a database this program needs."""
    return len(_steps())


def _steps() -> list[str]:
    folder = files(__package__) / "migrations"
    found = sorted(step.name for step in folder.iterdir() if step.name.endswith(".sql"))
    assert [int(name[:4]) for name in found] == list(range(1, len(found) + 1)), "a migration's number is missing"
    return [(folder / name).read_text(encoding="utf-8") for name in found]
