"""How much one address may ask."""

import pytest

from jamboree.server import limits
from jamboree.server.errors import Refused
from jamboree.server.limits import Buckets, Limits, Rate
from jamboree.server.store import Store

from .online import online

TABLES = "/api/v1/tables"


def test_what_was_spent_comes_back_evenly() -> None:
    now = [0.0]
    bucket = Buckets(Rate(3, 60.0), lambda: now[0])
    for _ in range(3):
        bucket.take("ada")
    with pytest.raises(Refused) as refused:
        bucket.take("ada")
    assert refused.value.detail == {"retry_after": 20}
    bucket.take("bob")
    now[0] = 19.9
    with pytest.raises(Refused):
        bucket.take("ada")
    now[0] = 20.0
    bucket.take("ada")
    with pytest.raises(Refused):
        bucket.take("ada")


def test_only_so_many_addresses_are_remembered_and_the_greedy_are_not_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MOST_ADDRESSES", 10)
    bucket = Buckets(Rate(3, 60.0), lambda: 0.0)
    for _ in range(3):
        bucket.take("greedy")
    for number in range(100):
        bucket.take(f"guest {number}")
        assert len(bucket._spent) <= 10
    with pytest.raises(Refused):
        bucket.take("greedy")


@pytest.mark.parametrize(
    ("behind_proxy", "forwarded", "address"),
    [
        (False, "10.0.0.7", "127.0.0.1"),
        (True, "10.0.0.7", "10.0.0.7"),
        (True, "6.6.6.6, 10.0.0.7", "10.0.0.7"),
        (True, "", "127.0.0.1"),
    ],
)
def test_a_proxy_is_believed_only_where_there_is_one(behind_proxy: bool, forwarded: str, address: str) -> None:
    assert Limits(behind_proxy=behind_proxy).address("127.0.0.1", forwarded) == address


async def test_who_asks_too_often_waits(store: Store) -> None:
    async with online(store, limits=Limits(requests=Rate(3, 60.0))) as server:
        for _ in range(3):
            assert (await server.get("/api/v1/games")).status == 200
        refused = await server.get("/api/v1/games")
        assert (refused.status, refused.body["code"]) == (429, "too-fast")
        assert int(refused.headers["retry-after"]) == refused.body["detail"]["retry_after"] == 20
        assert (await server.get("/live")).status == (await server.get("/ready")).status == 200


async def test_tables_are_opened_less_often_than_looked_at(store: Store) -> None:
    async with online(store, limits=Limits(openings=Rate(2, 600.0))) as server:
        body = {"game": "high-card", "seats": 2, "name": "Ada"}
        assert [(await server.post(TABLES, body)).status for _ in range(3)] == [201, 201, 429]
        assert len((await server.get(TABLES)).body) == 2


async def test_the_limits_are_generous_enough_for_a_house_of_friends(store: Store) -> None:
    async with online(store, limits=Limits()) as server:
        await server.seated()
        for _ in range(100):
            assert (await server.get(TABLES)).status == 200
