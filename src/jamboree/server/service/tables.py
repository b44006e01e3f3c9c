"""Tables: the lists of them, their settings, and those that start at once."""

from contextlib import suppress

import msgspec

from ..live.commands.playing import Start
from ..live.registry import NotOwner, Registry
from ..live.table import Table
from ..protocol.bodies import SetUpTable, TableCard
from ..protocol.terms import Status


async def listed(registry: Registry, status: Status) -> list[TableCard]:
    """The public, unlocked tables with a status, the last changed first."""
    found = await registry.store.listed(status)
    cards = [(code, listing, msgspec.json.decode(listing.card)) for code, listing in found]
    return [
        TableCard(
            table=code,
            game=listing.game,
            status=listing.status,
            seats=card["seats"],
            free=card["free"],
            host=card["host"],
            touched=listing.touched,
            winners=card.get("winners", []),
            players=card.get("players", []),
            scores=card.get("scores", []),
        )
        for code, listing, card in cards
    ]


async def set_up(registry: Registry, table: Table, person: str, data: SetUpTable) -> None:
    """Change a table's settings before the game; missing fields stay unchanged."""
    named = {name: value for name, value in msgspec.structs.asdict(data).items() if value is not msgspec.UNSET}
    await registry.arrange(table.code, person, named)


async def start_rematch(registry: Registry, old: Table, person: str, new: str) -> None:
    """Start a rematch at once if bots have all other seats."""
    with suppress(NotOwner):  # it was opened earlier, and may have gone to another server
        table = await registry.table(new)
        me = table.state.roster.person_with_token(old.state.roster.people[person].tokens[0])
        if me:
            await start_alone(table, me)


async def start_alone(table: Table, person: str) -> None:
    """Start at once if bots have all other seats."""
    roster = table.state.roster
    others = [key for key, each in roster.people.items() if key != person and each.seat is not None]
    if roster.status == Status.GATHERING and roster.host == person and not (others or roster.free_seats()):
        table.scheduler.seeds.expected |= {person}
        await table.ask(Start(), person)
