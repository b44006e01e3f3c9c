import asyncio
import inspect
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from jamboree.server.store.store import Store, open_store

from .bench.postgres import private_postgres

LONGEST_TEST = float(os.environ.get("JAMBOREE_LONGEST_TEST", "120"))  # seconds


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
    with private_postgres() as server:
        yield server.address


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "tables.db"))
    yield opened
    opened.close()
