"""Simulated HTTP requests: starting, leaving, device links, rematches, and the pages after a game."""

from typing import Any

from jamboree.server import tokens

from ..machine.server import Answer, Gone
from ..oracle.rights import Broken
from .client import Client


async def ask(client: Client, method: str, path: str, body: Any = None, code: str | None = None) -> Answer | None:
    """Make a request about the client's table; None if the server stopped. A 5xx must have a known code."""
    where = f"/api/v1/tables/{client.code if code is None else code}{path}"
    world = client.world
    try:
        answer = await world.server.ask(method, where, client.token, body, client.address)
    except Gone:
        return None
    world.trace(client.name, f"{method} {path}: {answer.status}", repr(answer.body)[:200] if method == "POST" else "")
    if answer.status >= 500 and not (isinstance(answer.body, dict) and answer.body.get("code") in _OWN):
        world.broken(f"{client.name}: {method} {path} was answered with {answer.status}: {answer.body}")
    return answer


_OWN = ("not-saved", "table-stopped")


async def see_to_the_table(client: Client) -> bool:
    """Start a game when all seats are taken, or a rematch after one; return whether there was something to do."""
    table, rng = client.table, client.rng
    if table.get("status") == "gathering" and table.get("host") == client.person:
        taken = {each["seat"] for each in table["people"]} | {each["seat"] for each in table["bots"]}
        if taken >= set(range(table["seats"])):
            answer = await ask(client, "POST", "/start")
            return _check(client, answer, lambda: client.world.history(client.code).roster.status != "gathering")
        return await _fill(client)
    if table.get("status") == "finished" and not client.world.calm and client.person is not None:
        plays = client.seat is not None or table.get("rematch")
        return await (play_again(client) if plays and rng.random() < 0.7 else fork(client))
    return False


def _check(client: Client, answer: Answer | None, is_kept: Any) -> bool:
    if answer is not None and answer.status < 300:
        client.world.chronicle.follow()
        if not is_kept():
            client.world.broken(f"{client.name} at {client.code}: an answer {answer.status} came, and nothing is kept")
    return True


async def _fill(client: Client) -> bool:
    """Seat a bot in a free seat."""
    taken = {each["seat"] for each in client.table["people"]} | {each["seat"] for each in client.table["bots"]}
    free = sorted(set(range(client.table["seats"])) - taken)
    await ask(client, "POST", "/bots", {"seat": free[0], "level": "rookie"})
    return True


async def play_again(client: Client) -> bool:
    answer = await ask(client, "POST", "/rematch")
    if answer and answer.status < 300:
        _check(client, answer, lambda: answer.body["table"] in client.world.chronicle.tables)
        client.world.follow(client, answer.body["table"])
    return True


async def fork(client: Client) -> bool:
    history = client.world.history(client.code)
    answer = await ask(client, "POST", "/fork", {"step": client.rng.randrange(max(1, history.last))})
    if answer and answer.status < 300:
        _check(client, answer, lambda: answer.body["table"] in client.world.chronicle.tables)
        client.world.follow(client, answer.body["table"])
    return True


async def join(client: Client, code: str, watch: bool = False, name: str = "") -> bool:
    answer = await ask(client, "POST", "/join", {"name": name or client.name, "watch": watch}, code)
    if answer is None or answer.status >= 300:
        return False
    client.world.seat(client, answer.body)
    return _check(client, answer, lambda: answer.body["person"] in client.world.history(code).roster.people)


async def leave(client: Client) -> None:
    if client.rng.random() < 0.15:
        await ask(client, "POST", "/leave")


async def use_another_device(client: Client, cut: bool = True) -> None:
    """Continue with a token from a link, which works once."""
    made = await ask(client, "POST", "/links")
    if made is None or made.status >= 300:
        return
    link = {"link": made.body["link"]}
    first = await ask(client, "POST", "/links/redeem", link)
    if first is None or first.status >= 300:
        return
    second = await ask(client, "POST", "/links/redeem", link)
    if second is not None and second.status < 300:
        raise Broken("a link worked twice")
    client.world.tokens.add(first.body["token"].encode())
    client.token = first.body["token"]
    if client.connection and cut:
        client.connection.cut()


async def sign_out_others(client: Client) -> None:
    """Sign the first device out from a second one: it is disconnected, and its token becomes invalid."""
    first, connection = client.token, client.connection
    await use_another_device(client, cut=False)
    if client.token == first:
        return
    answer = await ask(client, "POST", "/sign-out")
    if answer is not None and answer.status < 300:
        client.world.expect_end(client, connection, "a device that was signed out")
        second, client.token = client.token, first
        refused = await ask(client, "GET", "")
        client.token = second
        if refused is not None and refused.status < 300:
            raise Broken("a device that was signed out still knows the table")


async def look(client: Client) -> None:
    await ask(client, "GET", client.rng.choice(("", "/log", "/fairness", "/journal", "/replay")))


async def take_name(client: Client) -> None:
    await ask(client, "POST", "/name", {"name": f"{client.name} {client.rng.randrange(9)}"})


async def take_over(client: Client) -> None:
    await ask(client, "POST", "/host", {"person": client.person})


async def mute(client: Client) -> None:
    people = [person["person"] for person in client.table.get("people", [])]
    if people:
        await ask(client, "POST", "/mute", {"person": client.rng.choice(people), "muted": client.rng.random() < 0.5})


async def remove(client: Client) -> None:
    people = [person["person"] for person in client.table.get("people", [])]
    if people and client.rng.random() < 0.2:
        await ask(client, "POST", "/remove", {"person": client.rng.choice(people)})


async def ban(client: Client) -> None:
    """Ban a person; all their connections must be closed."""
    people = [person["person"] for person in client.table.get("people", [])]
    if people and client.rng.random() < 0.6:
        who, code = client.rng.choice(people), client.code
        banned = [each for each in client.world.clients if (each.code, each.person) == (code, who)]
        open_then = [(each, each.connection) for each in banned]
        answer = await ask(client, "POST", "/ban", {"person": who})
        for each, connection in open_then if answer is not None and answer.status < 300 else ():
            client.world.expect_end(each, connection, "somebody who was banned")


async def lift_ban(client: Client) -> None:
    bans = await ask(client, "GET", "/bans")
    if bans is not None and bans.status == 200 and bans.body:
        await ask(client, "POST", "/unban", {"ban": client.rng.choice(bans.body)["ban"]})


async def set_access(client: Client) -> None:
    locked = client.rng.choice((None, True, False, False))
    spectators = client.rng.choice((None, "everybody", "everybody", "joined", "nobody"))
    await ask(client, "POST", "/access", {"locked": locked, "spectators": spectators})


async def come_anew(client: Client) -> None:
    """Join as a new person; a banned person can't, as long as their device is recognized."""
    token, roster = client.token or "", client.world.history(client.code).roster
    bans = {number for number, ban in roster.bans.items() if tokens.hashed(token) in ban.tokens}
    joined = await join(client, client.code, watch=client.rng.random() < 0.5, name=f"{client.name} anew")
    if joined and bans & client.world.history(client.code).roster.bans.keys():
        raise Broken(f"{client.name} was banned from {client.code} and came in")


ERRANDS = (
    *(leave, use_another_device, sign_out_others, look, look, take_name, take_over),
    *(mute, remove, ban, ban, lift_ban, set_access, set_access),
)


async def run_one(client: Client) -> None:
    if client.person is None:
        await look(client)
    else:
        await client.rng.choice(ERRANDS)(client)
