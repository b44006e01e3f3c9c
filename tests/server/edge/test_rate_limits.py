"""Rate limits by address and by seat."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from jamboree.server.edge import rate_limits
from jamboree.server.edge.rate_limits import Charge, Rate, RateLimits, TokenBuckets, refund, spend_all
from jamboree.server.errors import Refused
from jamboree.server.store.store import Store

from ..bench.online import Player, online

TABLES = "/api/v1/tables"


def taken(buckets: TokenBuckets, whose: str) -> None:
    spend_all([(buckets, whose)])


def test_tokens_refill_evenly() -> None:
    now = [0.0]
    buckets = TokenBuckets(Rate(3, 60.0), lambda: now[0])
    for _ in range(3):
        taken(buckets, "ada")
    with pytest.raises(Refused) as refused:
        taken(buckets, "ada")
    assert refused.value.detail == {"retry_after": 20}
    taken(buckets, "bob")
    now[0] = 19.9
    with pytest.raises(Refused):
        taken(buckets, "ada")
    now[0] = 20.0
    taken(buckets, "ada")
    with pytest.raises(Refused):
        taken(buckets, "ada")


def test_refused_requests_spend_nothing() -> None:
    few, many = TokenBuckets(Rate(1, 60.0), lambda: 0.0), TokenBuckets(Rate(3, 60.0), lambda: 0.0)
    spend_all([(many, "school"), (few, "ada")])
    for _ in range(5):
        with pytest.raises(Refused):
            spend_all([(many, "school"), (few, "ada")])
    spend_all([(many, "school"), (few, "bob")])
    refund([(many, "school"), (few, "bob")])
    spend_all([(many, "school"), (few, "bob")])


def test_the_number_of_buckets_is_limited_and_exhausted_ones_are_retained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_REMEMBERED", 10)
    bucket = TokenBuckets(Rate(3, 60.0), lambda: 0.0)
    for _ in range(3):
        taken(bucket, "greedy")
    for number in range(100):
        taken(bucket, f"guest {number}")
        assert len(bucket._spent) <= 10
    with pytest.raises(Refused):
        taken(bucket, "greedy")


async def test_excess_requests_are_refused(store: Store) -> None:
    async with online(store, limits=RateLimits(requests=Rate(3, 60.0))) as server:
        for _ in range(3):
            assert (await server.get("/api/v1/games")).status == 200
        refused = await server.get("/api/v1/games")
        assert (refused.status, refused.body["code"]) == (429, "too-fast")
        assert 0 < int(refused.headers["retry-after"]) == refused.body["detail"]["retry_after"] <= 20
        assert (await server.get("/live")).status == (await server.get("/ready")).status == 200


async def test_opening_tables_is_limited_more_than_reading(store: Store) -> None:
    async with online(store, limits=RateLimits(openings=Rate(2, 600.0))) as server:
        body = {"game": "high-card", "seats": 2, "name": "Ada"}
        assert (await server.post(TABLES, {**body, "game": "chess"})).status == 422, "this opens none"
        assert [(await server.post(TABLES, body)).status for _ in range(3)] == [201, 201, 429]
        assert len((await server.get(TABLES)).body) == 2


async def test_parties_do_not_spend_the_budget_of_tables(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "PARTIES", Rate(3, 600.0))
    async with online(store, limits=RateLimits(openings=Rate(1, 600.0))) as server:
        party, table = {"game": "high-card"}, {"game": "high-card", "seats": 2, "name": "Ada"}
        assert [(await server.post("/api/v1/parties", party)).status for _ in range(4)] == [201, 201, 201, 429]
        assert (await server.post(TABLES, table)).status == 201, "whoever plays is counted apart"


async def test_every_seat_has_its_own_share(store: Store) -> None:
    async with online(store, limits=RateLimits(requests=Rate(6, 600.0), openings=Rate(1, 600.0))) as server:
        ada, bob = await server.seated()
        path = f"{TABLES}/{ada['table']}"
        while (await server.get(path)).status == 200:  # a stranger at the same address uses up what strangers have
            pass
        for ticket in (ada, bob):
            bearer = f"Bearer {ticket['token']}"
            assert (await server.get(path, authorization=bearer)).status == 200
            async with server.socket(ada["table"], authorization=bearer) as socket:
                assert (await Player(socket).hello(ticket["token"]))["type"] == "welcome"
        cookie = f"jamboree-{ada['table']}={ada['token']}"
        body = {"game": "high-card", "seats": 2, "name": "Ada"}
        assert (await server.post(TABLES, body, cookie=cookie)).status == 201, "she may open another table"
        invented = f"jamboree-{ada['table']}=invented"
        assert (await server.post(TABLES, body, cookie=invented)).status == 429


async def test_the_share_of_a_seat_is_limited(store: Store) -> None:
    async with online(store, limits=RateLimits(of_a_seat=Rate(5, 600.0))) as server:
        ada, bob = await server.seated()
        path = f"{TABLES}/{ada['table']}"
        asked = [(await server.get(path, authorization=f"Bearer {ada['token']}")).status for _ in range(6)]
        assert asked[-1] == 429
        assert (await server.get(path, authorization=f"Bearer {bob['token']}")).status == 200


def spend_with_invented_seats(ask: Callable[[str], list[Charge]], seats: int, each: int) -> None:
    """Spend an address's whole budget with forged seats."""
    for seat in range(seats):
        with suppress(Refused):
            for _ in range(each):
                spend_all(ask(f"invented {seat}"))


def test_forged_seats_do_not_spend_the_shares_of_others() -> None:
    shared = RateLimits(now=lambda: 0.0)
    spend_with_invented_seats(lambda seat: shared.of_request("school", seat), 30, 600)
    assert shared.of_seats._spent_of("school") == rate_limits.OF_SEATS.limit, "no more in all"
    for _ in range(rate_limits.GUARANTEED_OF_A_SEAT.limit):
        spend_all(shared.of_request("school", "pupil"))
    spend_with_invented_seats(lambda seat: shared.of_opening("school", seat), 50, 20)
    assert shared.openings_of_seats._spent_of("school") == rate_limits.OPENINGS_OF_SEATS.limit
    for _ in range(rate_limits.GUARANTEED_OPENINGS_OF_A_SEAT.limit):
        spend_all(shared.of_opening("school", "pupil"))


def test_the_number_of_claimed_seats_is_limited() -> None:
    shared = RateLimits(now=lambda: 0.0)
    with pytest.raises(Refused):
        for number in range(1000):
            spend_all(shared.of_joining("school", None, f"table {number // 50}"))
    assert shared.joins._spent_of("school") == rate_limits.JOINS.limit
    spend_all(shared.of_joining("school", "pupil", "table 99"))
    shared.add_seat("second", "pupil")
    shared.add_seat("third", "second")
    assert {whose for _, whose in shared.of_request("school", "third")} == {"pupil"}


def test_joins_have_a_budget_of_their_own() -> None:
    shared = RateLimits(now=lambda: 0.0)
    with pytest.raises(Refused):
        for _ in range(121):
            spend_all(shared.of_joining("bully", None, "table"))
    spend_all(shared.of_joining("friend", None, "table"))
    for pupil in range(100):
        spend_all(shared.of_joining("school", None, f"table {pupil // 4}"))


async def test_a_client_with_many_seats_has_one_share(store: Store) -> None:
    async with online(store, limits=RateLimits(of_a_seat=Rate(8, 600.0))) as server:
        ada, bob = await server.seated()
        body = {"game": "high-card", "seats": 2, "name": "Ada"}
        cookie = f"jamboree-{ada['table']}={ada['token']}"
        more = (await server.post(TABLES, body, cookie=cookie)).body
        path = f"{TABLES}/{more['table']}"
        for _ in range(8):
            answer = await server.get(path, authorization=f"Bearer {more['token']}")
        assert answer.status == 429
        path = f"{TABLES}/{ada['table']}"
        assert (await server.get(path, authorization=f"Bearer {ada['token']}")).status == 429
        assert (await server.get(path, authorization=f"Bearer {bob['token']}")).status == 200


async def test_a_school_behind_one_address_can_play(store: Store) -> None:
    async with online(store, limits=RateLimits()) as server:
        for _ in range(50):
            ada, bob = await server.seated()
            for ticket in (ada, bob):
                answer = await server.get(f"{TABLES}/{ada['table']}", authorization=f"Bearer {ticket['token']}")
                assert answer.status == 200
        for _ in range(500):
            assert (await server.get("/")).status == 200
