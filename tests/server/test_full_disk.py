import subprocess
import sys
from pathlib import Path

from jamboree.server.store import open_store


async def test_a_full_disk_latches_the_store_and_loses_nothing(tmp_path: Path) -> None:
    where = str(tmp_path / "tables.db")
    command = [sys.executable, "-m", "tests.server.full_disk", where]
    kept = int(subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout)
    assert kept > 0
    store = open_store(where)
    assert len((await store.load("t")).records) >= kept
    store.close()
