"""Power failures at random moments: acknowledged actions survive."""

import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from jamboree.server.store import sqlite
from jamboree.server.store.migrations import migrate
from jamboree.server.store.queries import commit
from jamboree.server.store.sqlite import SqliteConnection

from .powercut import NAME, Disk
from .test_store import appended

CUTS = int(os.environ.get("JAMBOREE_POWER_CUTS", "50"))


@pytest.fixture(scope="module")
def disk() -> Disk:
    return Disk()


def settings(synchronous: str) -> tuple[str, ...]:
    """Use the store's own settings; a file system without shared memory wants the database for one connection."""
    return (
        "locking_mode = EXCLUSIVE",
        *(each.replace("FULL", synchronous) for each in sqlite.SETTINGS),
        "wal_autocheckpoint = 40",
    )


def lost_by_a_cut(disk: Disk, folder: Path, rng: random.Random) -> int:
    """Cut the power among many commits; count the acknowledged records that are lost."""
    source, target = folder / "live.db", folder / "cut.db"
    connection = SqliteConnection(source, vfs=NAME)
    migrate(connection)
    acked: dict[str, int] = {}
    at_the_cut: dict[str, int] = {}

    def photo() -> None:
        at_the_cut.update(acked)
        disk.cut(source, target, rng)

    disk.photo, disk.countdown = photo, rng.randint(1, 250)
    while disk.countdown > 0:
        group = [appended(table, after=acked.get(table, 0)) for table in rng.sample("abcdef", rng.randint(1, 4))]
        assert commit(connection, group) == [None] * len(group)
        acked.update({append.table: append.after + 1 for append in group})
    connection.close()
    return missing(target, at_the_cut)


def pair(row: Sequence[Any]) -> tuple[str, int]:
    name, number = row
    return name, number


def missing(path: Path, acked: dict[str, int]) -> int:
    after = SqliteConnection(path)
    assert after.rows("PRAGMA integrity_check") == [("ok",)]
    if not after.rows("SELECT * FROM sqlite_master"):
        return sum(acked.values())
    found = dict(map(pair, after.rows("SELECT id, seq FROM tables")))
    counted = dict(map(pair, after.rows("SELECT table_id, COUNT(*) FROM records GROUP BY table_id")))
    after.close()
    assert counted == found, "a change is there in part"
    return sum(max(0, seq - found.get(table, 0)) for table, seq in acked.items())


def lost(disk: Disk, folder: Path, cuts: int) -> int:
    total = 0
    for number in range(cuts):
        place = folder / str(number)
        place.mkdir()
        total += lost_by_a_cut(disk, place, random.Random(number))
    return total


def test_a_power_failure_reverts_nothing_acknowledged(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "SETTINGS", settings("FULL"))
    assert lost(disk, tmp_path, CUTS) == 0


def test_lost_writes_would_be_detected(disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "SETTINGS", settings("NORMAL"))
    assert lost(disk, tmp_path, 10) > 0
