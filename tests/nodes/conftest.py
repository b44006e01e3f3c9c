from collections.abc import Iterator

import pytest

from jamboree.server.store.store import open_store
from tests.server.bench.postgres import Private, private_postgres


@pytest.fixture(scope="package")
def private() -> Iterator[Private]:
    with private_postgres() as server:
        open_store(server.address).close()
        yield server
