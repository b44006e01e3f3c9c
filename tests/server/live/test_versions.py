"""Rules of two versions: upgrades and rollbacks stop no game, and a table whose rules are missing is left alone."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import jamboree.games.bebop as bebop_package
from jamboree.core.errors import JamboreeError
from jamboree.core.rulesets import Rulesets
from jamboree.games import all_games, find, versions
from jamboree.server.errors import Refused
from jamboree.server.live.commands.chat import Say
from jamboree.server.live.commands.joining import Join, Leave
from jamboree.server.live.registry import Registry
from jamboree.server.store import Append, Record
from jamboree.server.store.store import Store
from tests.contract.toy import HighCard

from ..bench.fake_time import until
from ..bench.local import Client, a_registry, gathered, play_on, started
from ..bench.online import online
from ..http.test_bad_input import everything

LAY = {"type": "Lay", "slot": 0}
START = 100  # points that everybody begins with by the second version


class HighCard2(HighCard):
    info = msgspec.structs.replace(HighCard.info, rules_version=2)

    def setup(self, *given: Any) -> Any:
        state = super().setup(*given)
        state.points = [START] * len(state.points)
        return state


def ahead(*given: Any) -> Any:
    state = BEBOP.rulebook.set_up(*given)
    state.family_points = [START] * state.seats
    return state


BEBOP: Any = bebop_package.game
BEBOP_2: Any = replace(
    BEBOP,
    info=msgspec.structs.replace(BEBOP.info, rules_version=2),
    rulebook=replace(BEBOP.rulebook, set_up=ahead),
)
ONE = Rulesets({"high-card": HighCard(), "bebop": BEBOP})
TWO = Rulesets({"high-card": HighCard2(), "bebop": BEBOP_2})
BOTH = Rulesets(TWO, ONE.values())


async def reconnected(registry: Registry, clients: list[Client]) -> list[Client]:
    again = [Client(registry, client.session.code, client.token) for client in clients]
    for client in again:
        await client.hello()
    return again


def scores(registry: Registry, code: str) -> tuple[int, ...]:
    state = registry.tables[code].state
    return state.game.scores(state.position)


@pytest.mark.parametrize("game", ["high-card", "bebop"])
async def test_after_an_upgrade_running_games_keep_their_rules(store: Store, game: str) -> None:
    async with a_registry(store, ONE) as registry:
        clients = await started(registry, game, 2)
        await play_on(clients, random.Random(1), 5)
        before = [client.position for client in clients]
    async with a_registry(store, BOTH) as registry:
        again = await reconnected(registry, clients)
        assert [client.position for client in again] == before
        assert again[0].table["rules"] == 1
        await play_on(again, random.Random(2))
        assert again[0].table["status"] == "finished"
        assert max(scores(registry, again[0].session.code)) < START
        new = await started(registry, game, 2)
        assert new[0].table["rules"] == 2
        assert min(scores(registry, new[0].session.code)) >= START


async def test_bots_use_the_rules_of_their_table(store: Store) -> None:
    async with a_registry(store, ONE) as registry:
        clients = await started(registry, "bebop", 2, bots={1: "rookie"})
        code = clients[0].session.code
    async with a_registry(store, BOTH) as registry:
        asked = []
        thinker = registry.services.thinker
        think = thinker.choose

        async def choose(question: Any, renewed: Any = None) -> Any:
            asked.append(question.rules)
            return await think(question, renewed)

        thinker.choose = choose  # type: ignore[method-assign]
        (ada,) = await reconnected(registry, clients)
        for _ in range(5):
            await play_on([ada], random.Random(3), 1)
        await until(lambda: bool(asked))
        assert set(asked) == {1}
        assert registry.tables[code].state.game.info.rules_version == 1


@pytest.mark.parametrize(("there", "here"), [(ONE, TWO), (TWO, ONE)], ids=["upgrade", "rollback"])
@pytest.mark.parametrize("game", ["high-card", "bebop"])
async def test_a_table_without_installed_rules_is_read_only_and_intact(
    store: Store, tmp_path: Path, game: str, there: Rulesets, here: Rulesets
) -> None:
    async with a_registry(store, there) as registry:
        clients = await started(registry, game, 2)
        await play_on(clients, random.Random(1), 45 if game == "bebop" else 5)  # beyond a snapshot, and before one
        code = clients[0].session.code
        await clients[0].send(type="say", id="s", text="See you tomorrow")
        await registry.tables[code].ask(Leave(), "p2")
        seq = clients[0].seq
    before = everything(tmp_path / "tables.db")
    async with a_registry(store, here) as registry:
        ada, bob = await reconnected(registry, clients)
        assert (ada.table["status"], ada.position, ada.seq) == ("playing", None, seq)
        assert "which this server does not have" in ada.table["reason"]
        assert [person["name"] for person in ada.table["people"]] == ["Ada", "Bob"]
        assert ada.received[0]["chat"][-1]["text"] == "See you tomorrow"
        assert ada.table["commitment"]
        for message in ({"type": "act", "action": LAY}, {"type": "say", "text": "Hello?"}, {"type": "ready"}):
            assert (await ada.send(id="x", **message))["code"] == "outdated"
        assert (await ada.send(type="undo", id="y"))["type"] == "error"
        table = await registry.table(code)
        for command in (Join("Eve", watch=True), Say("psst", id="1"), Leave()):
            with pytest.raises(Refused, match="version"):
                await table.ask(command, "p1")
        for asked in (registry.rematch(code, "p1"), registry.fork(code, "p1", 0)):
            with pytest.raises(Refused):
                await asked
        registry.save_clocks()
        await registry.sweep()
        await bob.session.end()
    assert everything(tmp_path / "tables.db") == before
    async with a_registry(store, there) as registry:
        again = await reconnected(registry, clients)
        assert [client.position for client in again] == [client.position for client in clients]
        await play_on(again, random.Random(2))
        assert again[0].table["status"] == "finished"


async def test_a_read_only_table_keeps_its_secrets(store: Store) -> None:
    async with a_registry(store, TWO) as registry:
        code = (await started(registry))[0].session.code
        secret = registry.tables[code].state.luck.secret
    async with online(store, games=ONE) as server:
        path = f"/api/v1/tables/{code}"
        assert (await server.get(path)).body["status"] == "playing"
        assert (await server.get(f"{path}/journal")).body["code"] == "not-finished"
        assert (await server.get(f"{path}/fairness")).body["secret"] is None
        assert (await server.get(f"{path}/log")).body["code"] == "outdated"
        refused = await server.post(f"{path}/join", {"name": "Eve", "watch": True})
        assert (refused.status, refused.body["code"]) == (409, "outdated")
        assert secret not in str((await server.get(path)).body)


async def test_a_game_whose_rules_changed_without_a_version_is_read_only(store: Store, tmp_path: Path) -> None:
    class Slipped(HighCard):
        def deal(self, state: Any, seat: int, chance: Any) -> int:
            return min(super().deal(state, seat, chance), 1)

    async with a_registry(store, seed=1) as registry:
        clients = await started(registry)
    before = everything(tmp_path / "tables.db")
    async with a_registry(store, {"high-card": Slipped()}) as registry:
        (ada, _) = await reconnected(registry, clients)
        assert (ada.table["status"], ada.position) == ("playing", None)
        assert "cannot be continued here" in ada.table["reason"]
    assert everything(tmp_path / "tables.db") == before


async def test_records_of_a_newer_server_are_left_alone(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry)
        code, state = clients[0].session.code, registry.tables[clients[0].session.code].state
        listing = (await store.load(code)).listing
        news = (Record('{"type":"Applauded","person":"p9"}'),)
        await store.append(Append(table=code, epoch=state.epoch, after=state.seq, records=news, listing=listing))
    async with a_registry(store) as registry:
        (ada, _) = await reconnected(registry, clients)
        assert (ada.table["status"], ada.seq) == ("playing", state.seq + 1)
        assert ada.table["reason"]


async def test_setup_and_fork_use_the_rules_of_the_table(store: Store) -> None:
    async with a_registry(store, ONE) as registry:
        gathering, _ = await gathered(registry)
        clients = await started(registry)
        await play_on(clients, random.Random(1))
    async with a_registry(store, BOTH) as registry:
        await registry.arrange(gathering, "p1", {"listed": False})
        assert (await registry.table(gathering)).state.game.info.rules_version == 1
        fork = await registry.fork(clients[0].session.code, "p1", 2)
        assert (await registry.table(fork)).state.roster.rules == 1
        rematch = await registry.rematch(clients[0].session.code, "p1")
        assert (await registry.table(rematch)).state.roster.rules == 2


def test_every_game_has_its_previous_rules() -> None:
    for key in all_games():
        today, *earlier = [game.info.rules_version for game in versions(key)]
        assert today == 1 or today - 1 in earlier
        assert len({today, *earlier}) == 1 + len(earlier)


def test_a_game_declares_its_earlier_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find("bebop"), "earlier", (BEBOP_2,))
    versions.cache_clear()
    try:
        assert find("bebop", 2) is BEBOP_2
        assert find("bebop", 1) is find("bebop") is all_games()["bebop"]
        assert all_games().version("bebop", 2) is find("bebop", 2)
        with pytest.raises(JamboreeError, match="version 3 of the Bebop rules; this program plays 1 and 2"):
            find("bebop", 3)
    finally:
        versions.cache_clear()
