"""Who may read which chat lines, and that whispers of others leave no trace."""

from jamboree.server.live.commands.joining import MOST_PEOPLE, Join
from jamboree.server.live.state import WINDOW
from jamboree.server.store.queries import MAX_TALK
from jamboree.server.store.store import Store

from ..bench.local import Client, a_registry, started


async def say(client: Client, text: str, to: str | None = None) -> None:
    assert (await client.send(type="say", id=text, text=text, to=to))["type"] == "ack"


async def read(client: Client) -> list[str]:
    """Reconnect, and return the readable lines."""
    late = Client(client.session.registry, client.session.code, client.token)
    await late.hello()
    await late.session.end()
    return [line["text"] for line in late.received[0]["chat"]]


async def test_whispers_of_others_do_not_displace_readable_chat(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob, cleo = await started(registry, seats=3)
        for number in range(WINDOW // 2):
            await say(ada, f"all {number}")
        for number in range(WINDOW + 10):
            await say(ada, f"psst {number}", "p2")
        texts = [f"all {number}" for number in range(WINDOW // 2)]
        stranger = Client(registry, ada.session.code)
        assert await read(cleo) == await read(stranger) == texts
        assert await read(bob) == [f"psst {number}" for number in range(10, WINDOW + 10)]
    async with a_registry(store) as registry:
        for client in (ada, bob, cleo):
            client.session.registry = registry
        assert await read(cleo) == texts, "also after a restart"
        assert await read(bob) == [f"psst {number}" for number in range(10, WINDOW + 10)]


async def test_unreadable_chat_is_deleted(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        code = ada.session.code
        for number in range(3 * WINDOW):
            await say(ada, f"line {number}", None if number % 3 else "p2")
        table = await registry.table(code)
        assert len(table.state.talk) == len((await store.load(code)).talk) < 2 * WINDOW + 2


async def test_spectator_chat_is_hidden_from_players(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        table = await registry.table(ada.session.code)
        tickets = [await table.ask(Join(name, watch=True)) for name in ("Wim", "Xena")]
        wim, xena = (Client(registry, table.code, ticket.token) for ticket in tickets)
        stranger = Client(registry, table.code)
        for client in (wim, xena, stranger):
            await client.hello()
        await say(wim, "the red one wins")
        assert [each["message"]["text"] for each in xena.received if each["type"] == "chat"] == ["the red one wins"]
        for client in (stranger, ada):
            assert not [each for each in client.received if each["type"] == "chat"]
            assert await read(client) == []
        assert await read(xena) == ["the red one wins"]


def test_enough_chat_is_loaded_for_every_audience() -> None:
    assert MAX_TALK >= (MOST_PEOPLE + 2) * WINDOW
