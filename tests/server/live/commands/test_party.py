"""Parties: nobody has a seat at first, screens see the spectators' view, and a lost phone's seat is reclaimed."""

import asyncio
from typing import Any

import pytest

from jamboree.games import all_games
from jamboree.server.live.opening import for_next_game
from jamboree.server.live.viewers.subscribers import TOGETHER
from jamboree.server.protocol.frames import Update
from jamboree.server.store.store import Store

from ...bench.local import GAMES, Client, a_registry
from ...bench.online import Online, online

PARTIES, TABLES = "/api/v1/parties", "/api/v1/tables"


def bearer(ticket: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {ticket['token']}"}


class Party:
    """A party over HTTP, with the people who came."""

    def __init__(self, server: Online, code: str) -> None:
        self.server, self.code, self.tickets = server, code, list[dict[str, Any]]()

    @classmethod
    async def opened(cls, server: Online, *names: str, game: str = "high-card", **more: Any) -> "Party":
        answer = await server.post(PARTIES, {"game": game, **more})
        assert answer.status == 201, answer
        party = cls(server, answer.body["table"])
        for name in names:
            party.tickets.append((await server.post(f"{TABLES}/{party.code}/join", {"name": name})).body)
        return party

    async def ask(self, who: int, what: str, body: Any = None) -> tuple[int, str | None]:
        answer = await self.server.post(f"{TABLES}/{self.code}/{what}", body, **bearer(self.tickets[who]))
        return answer.status, (answer.body or {}).get("code")

    async def seen(self) -> Any:
        return (await self.server.get(f"{TABLES}/{self.code}")).body

    def client(self, token: str | None) -> Client:
        return Client(self.server.registry, self.code, token, "en")


async def test_the_first_to_join_a_party_is_the_host(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, seats=3)
        seen = await party.seen()
        assert (seen["party"], seen["people"], seen["host"], seen["listed"]) == (True, [], "", False)
        for name in ("Ada", "Bob", "Cleo"):
            party.tickets.append((await server.post(f"{TABLES}/{party.code}/join", {"name": name})).body)
        assert [ticket["seat"] for ticket in party.tickets] == [0, 1, 2]
        assert (await party.seen())["host"] == party.tickets[0]["person"]
        assert await party.ask(1, "start") == (403, "host-only")
        assert await party.ask(0, "start") == (204, None)


async def test_a_party_has_the_games_maximum_of_seats_and_its_defaults(store: Store) -> None:
    async with online(store, games=all_games()) as server:
        party = await Party.opened(server, game="bebop")
        seen = await party.seen()
        assert (seen["seats"], seen["options"]["hidden_hands"]) == (4, True)
        open_hands = await Party.opened(server, game="bebop", options={"hidden_hands": False})
        assert (await open_hands.seen())["options"]["hidden_hands"] is False
        assert (await server.post(PARTIES, {"game": "bebop", "seats": 9})).body["code"] == "bad-options"
        assert (await server.post(PARTIES, {"game": "chess"})).body["code"] == "unknown-game"


async def test_a_party_remains_one_after_restarts_and_rematches(store: Store) -> None:
    async with a_registry(store) as registry:
        code = await registry.open_party("high-card", 2, {})
    async with a_registry(store) as registry:
        table = await registry.table(code)
        assert table.state.roster.party
        again = await for_next_game(registry.offload, table.state.roster, table.state.game, 2)
        assert again.party, "so is the next one"
        screen = Client(registry, code)
        await screen.hello(screen=True)
        assert (screen.table["party"], screen.table["screens"], screen.table["guests"]) == (True, 1, 0)


async def test_a_screen_has_no_rights_whatever_token_it_sends(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        await party.ask(0, "start")
        screen = party.client(party.tickets[0]["token"])
        welcome = await screen.hello(screen=True)
        assert (welcome["you"], welcome["actions"]) == ({"person": None, "seat": None}, None)
        for message in ({"type": "act", "action": {"type": "Lay", "slot": 0}}, {"type": "say", "text": "Hi"}):
            refusal = await screen.send(id="1", **message)
            assert (refusal["type"], refusal["code"]) == ("error", "screen")
        assert (await screen.send(type="ping", id="2"))["type"] == "pong"


async def test_locking_a_party_does_not_disconnect_its_screen(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        screen, guest = party.client(None), party.client(None)
        await screen.hello(screen=True)
        await guest.hello()
        assert await party.ask(0, "access", {"locked": True, "spectators": "nobody"}) == (204, None)
        assert (screen.closed, guest.closed) == (False, True)
        assert (await party.client(None).hello(screen=True))["type"] == "welcome"
        assert (await party.client(None).hello())["code"] == "locked"
        (ada, _) = await server.seated()
        await server.post(f"{TABLES}/{ada['table']}/access", {"locked": True}, **bearer(ada))
        elsewhere = Client(server.registry, ada["table"])
        assert (await elsewhere.hello(screen=True))["code"] == "locked", "only a party has a screen of its own"


async def test_phones_know_the_number_of_screens(store: Store) -> None:
    async with a_registry(store) as registry:
        code = await registry.open_party("high-card", 2, {})
        phone, screens = Client(registry, code), [Client(registry, code) for _ in range(2)]
        await phone.hello()
        for screen in screens:
            await screen.hello(screen=True)
        await asyncio.sleep(1.2)
        assert (phone.table["screens"], phone.table["guests"]) == (2, 1)
        await screens[0].session.end()
        await asyncio.sleep(1.2)
        assert phone.table["screens"] == 1


@pytest.mark.parametrize("game", ["bebop", "bpm", "boogie"])
async def test_a_screen_receives_the_frames_of_a_spectator(store: Store, game: str) -> None:
    """Byte by byte, through a game of bots: nothing that is hidden from anybody."""
    async with online(store, games={**GAMES, **all_games()}) as server:
        party = await Party.opened(server, "Ada", game=game, seats=3)
        for seat in (1, 2):
            assert await party.ask(0, "bots", {"seat": seat, "level": "rookie"}) == (204, None)
        screen, spectator = party.client(party.tickets[0]["token"]), party.client(None)
        ada = party.client(party.tickets[0]["token"])
        for client, is_screen in ((screen, True), (spectator, False), (ada, False)):
            await client.hello(screen=is_screen)
        await party.ask(0, "start")
        await ada.send(type="seed", id="seed", seed="00")
        for turn in range(200):
            if sum(message["type"] == "update" for message in screen.received) >= 20:
                break
            if ada.legal():
                await ada.act(ada.legal()[0], f"{turn}")
            await asyncio.sleep(0.02)
        update_frames = [[one for one in client.received if one["type"] == "update"] for client in (screen, spectator)]
        assert len(update_frames[0]) >= 5
        assert [frame for frame in screen.frames if b'"update"' in frame[:20]] == [
            frame for frame in spectator.frames if b'"update"' in frame[:20]
        ]
        assert screen.position == spectator.position != ada.position


async def test_frames_of_a_party_carry_one_moment_on_the_servers_clock(store: Store) -> None:
    now = [100.0]
    async with online(store, now=lambda: now[0]) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        await party.ask(0, "start")
        phones = [party.client(ticket["token"]) for ticket in party.tickets]
        screen = party.client(None)
        for client in phones:
            await client.hello()
        await screen.hello(screen=True)
        now[0] = 101.5
        await phones[0].act({"type": "Lay", "slot": 0}, "1")
        updates = [next(one for one in each.received if one["type"] == "update") for each in (*phones, screen)]
        assert {update["at"] for update in updates} == {round((101.5 + TOGETHER) * 1000)}
        assert (await screen.send(type="ping", id="p"))["time"] == 101500


async def test_other_tables_send_no_moment(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated()
        phones = [Client(server.registry, ticket["table"], ticket["token"]) for ticket in tickets]
        for phone in phones:
            await phone.hello()
        await phones[0].act({"type": "Lay", "slot": 0}, "1")
        assert "at" in Update.__struct_fields__
        assert not any("at" in one for phone in phones for one in phone.received if one["type"] == "update")


async def test_a_phone_joins_only_once(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", seats=3)
        assert await party.ask(0, "join", {"name": "Ada again"}) == (409, "already-joined")
        assert len((await party.seen())["people"]) == 1


async def test_only_the_host_ends_a_party(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        assert await party.ask(1, "end") == (403, "host-only")
        assert await party.ask(0, "end") == (204, None)
        assert (await party.seen())["status"] == "closed"
        (ada, _) = await server.seated()
        answer = await server.post(f"{TABLES}/{ada['table']}/end", **bearer(ada))
        assert (answer.status, answer.body["code"]) == (409, "no-party")


async def test_a_player_continues_on_another_phone_with_the_hosts_consent(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        await party.ask(0, "start")
        phone = party.client(party.tickets[1]["token"])
        await phone.hello()
        hand, me = phone.position["view"], party.tickets[1]["person"]
        party.tickets.append((await server.post(f"{TABLES}/{party.code}/join", {"name": "B", "watch": True})).body)
        assert await party.ask(2, "seat/reclaim", {"person": me}) == (409, "taken"), "Bob's phone is there"
        await phone.session.end()
        found = party.client(party.tickets[2]["token"])
        assert (await found.hello())["you"]["seat"] is None
        assert await party.ask(2, "seat/reclaim", {"person": me}) == (204, None)
        assert await party.ask(1, "seat/reclaim/answer", {"person": "p3", "agrees": True}) == (403, "host-only")
        assert (found.table["people"][2]["reclaims"], found.position["view"] == hand) == (me, False)
        grant = {"person": party.tickets[2]["person"], "agrees": True}
        assert await party.ask(0, "seat/reclaim/answer", grant) == (204, None)
        assert found.closed, "it comes back as the player"
        again = party.client(party.tickets[2]["token"])
        assert (await again.hello())["you"] == {"person": me, "seat": 1}
        assert again.position["view"] == hand


async def test_a_reclaim_signs_no_phone_of_the_player_out(store: Store) -> None:
    """Eight devices of the requester would take the places of all those that the player has."""
    async with online(store) as server:
        party = await _with_guests(server, 1, seats=2)
        bob, guest = party.tickets[1]["person"], party.tickets[2]
        for _ in range(7):
            link = await server.post(f"{TABLES}/{party.code}/links", **bearer(guest))
            await server.post(f"{TABLES}/{party.code}/links/redeem", {"link": link.body["link"]})
        assert await party.ask(2, "seat/reclaim", {"person": bob}) == (409, "too-many-devices")
        assert await party.ask(2, "sign-out") == (204, None)
        assert await party.ask(2, "seat/reclaim", {"person": bob}) == (204, None)
        for _ in range(7):
            link = await server.post(f"{TABLES}/{party.code}/links", **bearer(guest))
            await server.post(f"{TABLES}/{party.code}/links/redeem", {"link": link.body["link"]})
        grant = {"person": guest["person"], "agrees": True}
        assert await party.ask(0, "seat/reclaim/answer", grant) == (409, "too-many-devices")
        assert await party.ask(2, "sign-out") == (204, None)
        assert await party.ask(0, "seat/reclaim/answer", grant) == (204, None)
        for place in (party.tickets[1], guest):
            assert (await party.client(place["token"]).hello())["you"] == {"person": bob, "seat": 1}


async def test_a_refused_reclaim_changes_nothing(store: Store) -> None:
    async with online(store) as server:
        party = await Party.opened(server, "Ada", "Bob", seats=2)
        await party.ask(0, "start")
        party.tickets.append((await server.post(f"{TABLES}/{party.code}/join", {"name": "X", "watch": True})).body)
        me, them = party.tickets[2]["person"], party.tickets[1]["person"]
        assert await party.ask(0, "seat/reclaim/answer", {"person": me, "agrees": True}) == (409, "not-asked")
        assert await party.ask(2, "seat/reclaim", {"person": them}) == (204, None)
        assert await party.ask(0, "seat/reclaim/answer", {"person": me, "agrees": False}) == (204, None)
        assert await party.ask(0, "seat/reclaim/answer", {"person": me, "agrees": True}) == (409, "not-asked")
        assert await party.ask(0, "seat/reclaim", {"person": them}) == (409, "yourself")
        assert await party.ask(2, "seat/reclaim", {"person": "p9"}) == (404, "unknown-person")
        assert (await party.client(party.tickets[2]["token"]).hello())["you"]["seat"] is None


async def _with_guests(server: Online, guests: int, **more: Any) -> Party:
    """Begin a party of Ada, Bob and perhaps bots, with spectators."""
    party = await Party.opened(server, "Ada", "Bob", **more)
    for seat in range(2, more["seats"]):
        assert await party.ask(0, "bots", {"seat": seat, "level": "rookie"}) == (204, None)
    await party.ask(0, "start")
    for number in range(guests):
        guest = {"name": f"Guest {number}", "watch": True}
        party.tickets.append((await server.post(f"{TABLES}/{party.code}/join", guest)).body)
    return party


async def test_taking_a_seat_withdraws_a_reclaim_request(store: Store) -> None:
    async with online(store) as server:
        party = await _with_guests(server, 1, seats=3)
        await asyncio.sleep(0)
        assert await party.ask(0, "access", {"latecomers": True}) == (204, None)
        assert await party.ask(2, "seat/reclaim", {"person": party.tickets[1]["person"]}) == (204, None)
        assert await party.ask(2, "seat", {"seat": 2}) == (204, None)
        grant = {"person": party.tickets[2]["person"], "agrees": True}
        assert await party.ask(0, "seat/reclaim/answer", grant) == (409, "not-asked")
        assert sorted(one["seat"] for one in (await party.seen())["people"]) == [0, 1, 2], "no seat is without anybody"


async def test_nobody_grants_their_own_reclaim(store: Store) -> None:
    async with online(store) as server:
        party = await _with_guests(server, 1, seats=2)
        bob, guest = party.tickets[1]["person"], party.tickets[2]["person"]
        assert await party.ask(2, "seat/reclaim", {"person": bob}) == (204, None)
        assert await party.ask(0, "host", {"person": guest}) == (204, None)
        assert await party.ask(2, "seat/reclaim/answer", {"person": guest, "agrees": True}) == (409, "yourself")
        assert await party.ask(2, "seat/reclaim", {"person": bob}) == (409, "yourself")
        assert await party.ask(2, "host", {"person": party.tickets[0]["person"]}) == (204, None)
        assert await party.ask(0, "seat/reclaim/answer", {"person": guest, "agrees": True}) == (204, None)
        assert (await party.seen())["host"] == party.tickets[0]["person"]


async def test_the_host_grants_the_reclaim_they_were_shown(store: Store) -> None:
    async with online(store) as server:
        party = await _with_guests(server, 1, seats=2)
        ada, bob, guest = (ticket["person"] for ticket in party.tickets)
        assert await party.ask(2, "seat/reclaim", {"person": bob}) == (204, None)
        assert await party.ask(2, "seat/reclaim", {"person": ada}) == (204, None)
        grant = {"person": guest, "agrees": True}
        assert await party.ask(0, "seat/reclaim/answer", {**grant, "player": bob}) == (409, "not-asked")
        assert await party.ask(0, "seat/reclaim/answer", {**grant, "player": ada}) == (204, None)


async def test_a_reclaimed_seat_ends_other_requests_for_it(store: Store) -> None:
    async with online(store) as server:
        party = await _with_guests(server, 2, seats=2)
        bob = party.tickets[1]["person"]
        for guest in (2, 3):
            assert await party.ask(guest, "seat/reclaim", {"person": bob}) == (204, None)
        first, second = ({"person": party.tickets[guest]["person"], "agrees": True} for guest in (2, 3))
        assert await party.ask(0, "seat/reclaim/answer", first) == (204, None)
        assert await party.ask(0, "seat/reclaim/answer", second) == (409, "not-asked")
