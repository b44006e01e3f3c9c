from collections.abc import Iterator

import pytest

from jamboree.server.store.store import open_store

from ..bench.postgres import private_postgres


@pytest.fixture(scope="session")
def shared() -> Iterator[str]:
    with private_postgres() as server:
        open_store(server.address).close()
        yield server.address
