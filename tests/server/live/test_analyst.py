"""Background game reviews: one at a time, with progress, stoppable, stored when done."""

import asyncio
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jamboree.coach.review import Analysis, analysis_fingerprint
from jamboree.server.analysis import COMMAND, MAX_WAITING, Analyst, Work, current_work
from jamboree.server.errors import Refused
from jamboree.server.fair_queue import Requester
from jamboree.server.store import StoreError
from jamboree.server.store.store import Store

from ..bench.fake_time import until
from ..bench.local import EVERY, play_on, started
from ..bench.online import Online, online

TABLES = "/api/v1/tables"
FOUND = Analysis("bpm", 1, 2, 8, 3, 1, fingerprint=analysis_fingerprint("bpm"))


def saying(tmp_path: Path, lines: Sequence[Analysis], then: str = "") -> Analyst:
    """Make an analyst whose process says just that."""
    program = tmp_path / "needs_state_after.py"
    message = [msgspec.json.encode(each).decode() for each in lines]
    program.write_text(
        f"import sys, time\nsys.stdin.readline()\nfor line in {message!r}:\n    print(line, flush=True)\n{then}"
    )
    return Analyst((sys.executable, str(program)))


class StoredDrafts:
    """Records the drafts to be stored."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    async def __call__(self, body: bytes) -> None:
        self.bodies.append(body)


async def test_partial_results_are_readable_and_the_final_one_is_stored(tmp_path: Path) -> None:
    done, stored = msgspec.structs.replace(FOUND, done=3), StoredDrafts()
    analyst = saying(tmp_path, [FOUND, done])
    analyst.begin("t", b"{}", stored)
    await until(lambda: analyst.work("t").state == "done")
    assert analyst.work("t").found == done
    assert stored.bodies[-1] == msgspec.json.encode(done)


async def test_a_stopped_analysis_keeps_its_partial_result(tmp_path: Path) -> None:
    analyst, stored = saying(tmp_path, [FOUND], "time.sleep(600)"), StoredDrafts()
    analyst.begin("t", b"{}", stored)
    await until(lambda: analyst.work("t").found is not None)
    await analyst.stop("t")
    assert (analyst.work("t").state, analyst.work("t").found) == ("stopped", FOUND)


@pytest.mark.parametrize("later", range(6))
async def test_an_analysis_can_be_stopped_during_heavy_output(tmp_path: Path, later: int) -> None:
    analyst = saying(tmp_path, [FOUND] * 3000, "time.sleep(600)")
    analyst.begin("t", b"{}", StoredDrafts())
    await until(lambda: analyst.work("t").found is not None)
    for _ in range(later):  # whatever it is at
        await asyncio.sleep(0)
    await asyncio.wait_for(analyst.stop("t"), 60)
    assert analyst.work("t").state == "stopped"


async def test_drafts_are_stored_for_a_restart(tmp_path: Path) -> None:
    further, stored = msgspec.structs.replace(FOUND, done=2), StoredDrafts()
    analyst = saying(tmp_path, [FOUND, further], "time.sleep(600)")
    analyst.begin("t", b"{}", stored)
    await until(lambda: analyst.work("t").found == further)
    assert stored.bodies == [msgspec.json.encode(FOUND)], "the first at once, the next after a while"
    await analyst.close()


async def test_a_failing_draft_does_not_stop_the_analysis(tmp_path: Path) -> None:
    async def lost(body: bytes) -> None:
        raise StoreError("the database is away")

    analyst = saying(tmp_path, [FOUND], "time.sleep(600)")
    analyst.begin("t", b"{}", lost)
    await until(lambda: analyst.work("t").found is not None)
    await asyncio.sleep(0)
    assert analyst.work("t").state == "working"
    await analyst.close()


async def test_an_interrupted_analysis_resumes_from_its_draft(tmp_path: Path) -> None:
    body = msgspec.json.encode(FOUND)
    seen = current_work(body, Analyst(()).work("t"))
    assert (seen.state, seen.found) == ("interrupted", FOUND)
    assert current_work(b"[7]", Work("none")).state == "none", "written in another way"
    for done in (1, 3):
        outdated = msgspec.json.encode(msgspec.structs.replace(FOUND, done=done, fingerprint="of other bots"))
        assert current_work(outdated, Work("none")) == Work("none"), "found by other bots"
    program = tmp_path / "echo.py"
    program.write_text(
        'import sys\nsys.stdin.readline()\nprint(sys.stdin.readline(), end="", flush=True)\nsys.stdin.read()'
    )
    analyst = Analyst((sys.executable, str(program)))
    analyst.begin("t", b"{}", StoredDrafts(), FOUND)
    assert current_work(body, analyst.work("t")).state == "working"
    await until(lambda: len(analyst.work("t").marks) == 1)
    assert analyst.work("t").found == FOUND, "the process was handed the draft"
    await analyst.close()


async def test_only_a_silent_process_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jamboree.server.analysis.SILENCE", 4.0)
    lines = [msgspec.structs.replace(FOUND, done=step) for step in range(4)]
    slowly = f"for line in {[msgspec.json.encode(each).decode() for each in lines]!r}:\n    print(line, flush=True)\n"
    analyst = saying(tmp_path, [FOUND], f"{slowly}    time.sleep(1.5)\n")
    analyst.begin("slow", b"{}", StoredDrafts())
    await until(lambda: analyst.work("slow").state == "done")
    analyst = saying(tmp_path, [FOUND], "time.sleep(600)")
    analyst.begin("silent", b"{}", StoredDrafts())
    await until(lambda: analyst.work("silent").state == "failed")


def test_the_remaining_time_is_estimated_from_the_recent_speed() -> None:
    work = Work("working")
    assert work.left() is None
    for now, done in ((100.0, 0), (101.0, 1), (120.0, 10)):
        work.note(msgspec.structs.replace(FOUND, steps=100, done=done), now)
    assert work.left() == pytest.approx(180)
    work.state = "stopped"
    assert work.left() is None


async def test_a_crashed_analysis_is_reported_and_can_be_retried(tmp_path: Path) -> None:
    analyst = saying(tmp_path, [FOUND], "sys.exit(3)")
    for _ in range(2):
        analyst.begin("t", b"{}", StoredDrafts())
        await until(lambda: analyst.work("t").state == "failed")


async def test_analyses_run_one_at_a_time_from_a_bounded_queue(tmp_path: Path) -> None:
    analyst = saying(tmp_path, [FOUND], "time.sleep(600)")
    for number in range(MAX_WAITING + 1):
        analyst.begin(f"t{number}", b"{}", StoredDrafts())
    await until(lambda: analyst.work("t0").found is not None)
    assert [analyst.work(f"t{number}").state for number in range(3)] == ["working", "waiting", "waiting"]
    assert [analyst.work(f"t{number}").before for number in range(3)] == [0, 1, 2]
    with pytest.raises(Refused, match="try again"):
        analyst.begin("one more", b"{}", StoredDrafts())
    await analyst.stop("t0")
    await until(lambda: analyst.work("t1").state == "working")
    assert [analyst.work(f"t{number}").before for number in range(3)] == [0, 0, 1]
    await analyst.close()
    assert analyst.work("t1").state == "stopped"


async def test_one_requester_does_not_delay_others(tmp_path: Path) -> None:
    analyst = saying(tmp_path, [FOUND], "time.sleep(600)")
    ada, bob, eve = Requester("home", "ada"), Requester("home", "bob"), Requester("elsewhere", "eve")
    for number in range(12):
        analyst.begin(f"ada{number}", b"{}", StoredDrafts(), requester=ada)
    analyst.begin("bob", b"{}", StoredDrafts(), requester=bob)
    analyst.begin("eve", b"{}", StoredDrafts(), requester=eve)
    assert (analyst.work("ada0").state, analyst.work("ada1").before) == ("working", 1)
    assert (analyst.work("eve").before, analyst.work("bob").before) == (2, 3), "addresses take turns, and people there"
    assert analyst.work("ada11").before == 13
    await analyst.close()


async def test_a_full_queue_drops_work_of_the_address_with_most(tmp_path: Path) -> None:
    analyst = saying(tmp_path, [FOUND], "time.sleep(600)")
    for number in range(MAX_WAITING + 1):
        analyst.begin(f"ada{number}", b"{}", StoredDrafts(), requester=Requester("home", "ada"))
    with pytest.raises(Refused, match="try again"):
        analyst.begin("bob", b"{}", StoredDrafts(), requester=Requester("home", "bob"))
    analyst.begin("eve", b"{}", StoredDrafts(), requester=Requester("elsewhere", "eve"))
    assert (analyst.work("eve").state, analyst.work("eve").before) == ("waiting", 2)
    assert analyst.work(f"ada{MAX_WAITING}").state == "crowded", "the last of those who have most"
    await analyst.close()


async def a_finished_game(server: Online) -> tuple[str, list[str]]:
    clients = await started(server.registry, "bpm", 2)
    await play_on(clients, random.Random(3))
    return clients[0].session.code, [str(client.token) for client in clients]


async def test_a_finished_game_is_analysed_over_http(store: Store) -> None:
    pytest.importorskip("numba")
    async with online(store, games=EVERY) as server:
        server.registry.analyst = Analyst((*COMMAND[:-1], "8"))
        code, (token, _) = await a_finished_game(server)
        path, mine = f"{TABLES}/{code}/analysis", {"authorization": f"Bearer {token}"}
        assert (await server.get(path)).body["state"] == "none"
        assert (await server.post(path)).status == 401, "strangers begin nothing"
        assert (await server.post(path, **mine)).status == 204
        async with asyncio.timeout(300):
            while (seen := (await server.get(f"{path}?language=nl", **mine)).body)["state"] != "done":
                await asyncio.sleep(0.3)
        assert seen["done"] == seen["steps"] == len(seen["moments"]) - 1
        assert len(seen["balance"]) == 2
        assert await store.analysis(code) is not None
        server.registry.analyst = Analyst(())  # nobody needs it any more
        again: Any = (await server.get(f"{path}?language=nl", **mine)).body
        assert again == seen


async def test_a_game_that_cannot_be_analysed_is_reported(store: Store) -> None:
    async with online(store, games=EVERY) as server:
        running = await server.seated()
        mine = {"authorization": f"Bearer {running[0]['token']}"}
        answer = await server.post(f"{TABLES}/{running[0]['table']}/analysis", **mine)
        assert (answer.status, answer.body["code"]) == (409, "not-finished")
        assert (await server.post(f"{TABLES}/{running[0]['table']}/analysis/stop", **mine)).status == 204
        clients = await started(server.registry, "high-card", 2)
        await play_on(clients, random.Random(1))
        mine = {"authorization": f"Bearer {clients[0].token}"}
        answer = await server.post(f"{TABLES}/{clients[0].session.code}/analysis", **mine)
        assert (answer.status, answer.body["code"]) == (409, "no-analysis")


async def test_a_browser_counts_as_one_requester_across_tables(store: Store) -> None:
    pytest.importorskip("numba")
    async with online(store, games=EVERY) as server:
        asked = list[Requester]()
        analyst = Analyst(())
        setattr(analyst, "begin", lambda *given: asked.append(given[-1]))  # noqa: B010
        server.registry.analyst = analyst
        games = [await a_finished_game(server) for _ in range(2)]
        cookies = "; ".join(f"jamboree-{code}={tokens[0]}" for code, tokens in games)
        for code, (_, other) in games:
            path, page = f"{TABLES}/{code}/analysis", f"http://127.0.0.1:{server.port}"
            assert (await server.post(path, cookie=cookies, origin=page)).status == 204
            assert (await server.post(path, authorization=f"Bearer {other}")).status == 204
        assert asked[0] == asked[2]
        assert len({*asked}) == 3, "others are others, as far as one can tell"
        assert len({requester.address for requester in asked}) == 1
