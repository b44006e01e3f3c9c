import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from jamboree.server.store import Store, open_store

from .postgres import private_postgres

LONGEST_TEST = 120


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async test on a loop of its own, and not for ever."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), LONGEST_TEST))
    return True


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with private_postgres() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the address of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    address = str(request.getfixturevalue("postgres"))
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    return address


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = open_store(database)
    yield opened
    opened.close()
