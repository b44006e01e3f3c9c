"""kill -9 at random moments: acknowledged actions are stored once, and nothing was shown that is not stored."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from jamboree.server.live.records import Acted, read
from jamboree.server.store.store import open_store

from ..bench.local import a_registry

KILLS = int(os.environ.get("JAMBOREE_KILLS", "20"))


def killed(where: str, after: float) -> list[list[str]]:
    """Let the program play and kill it; return its output lines."""
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.server.store.play_until_killed", where], stdout=subprocess.PIPE
    )
    assert program.stdout
    first = program.stdout.readline()
    time.sleep(after)
    program.kill()
    rest = program.stdout.read()
    program.wait(30)
    program.stdout.close()
    return [line.decode().split() for line in [first, *rest.splitlines(keepends=True)] if line.endswith(b"\n")]


async def test_a_killed_server_loses_and_repeats_nothing(tmp_path: Path) -> None:
    where, rng, acked = str(tmp_path / "tables.db"), random.Random(9), 0
    for _ in range(KILLS):
        lines = killed(where, rng.uniform(0.0, 0.4))
        store = open_store(where)
        async with a_registry(store) as registry:
            for code in {code for _, code, *_ in lines}:
                mine = [rest for _, table, *rest in lines if table == code]
                records = [read(stored) for stored in await store.history(code)]
                done = {(each.person, each.id): seq for seq, each in enumerate(records, 1) if isinstance(each, Acted)}
                assert len(done) == sum(isinstance(each, Acted) for each in records), "an action was taken twice"
                for *who, seq in mine:
                    assert int(seq) <= len(records), "something was shown or acknowledged that was not kept"
                    assert not who or done[who[0], who[1]] == int(seq)
                    acked += bool(who)
                assert (await registry.table(code)).state.outdated is None
        store.close()
    assert acked > KILLS
