"""Erasure of personal data on request: names and chat, at a table and at the rematches that followed."""

from collections.abc import Sequence
from functools import partial

from ..store import ErasePerson
from ..store.person_erasure import mentions_person, name_records, records_of_person
from .registry import FORGET, NotOwner, Registry
from .table import Table

MOST_TABLES = 50  # rematches that are followed
NAME = "="  # the prefix of names among the identifiers of a person; the others are hashed tokens


async def forget(
    registry: Registry, table: Table, identifiers: Sequence[str], person: str = "", most: int = MOST_TABLES
) -> None:
    """Erase a person's names and chat, also at rematches, each in its table's own task.

    The last table comes first: if a server fails in between, the first table still knows the names when the request is
    repeated.
    """
    async with registry.lock("rematch", table.code):  # a rematch that is being opened copies the names
        known = await table.enqueue(partial(_known_by, registry, table, identifiers, person))
        if (following := table.state.roster.rematch) and most > 1:
            await _forget_from(registry, following, known, most - 1)
        await table.enqueue(partial(_forget, registry, table, known, person))


async def _forget_from(registry: Registry, code: str, identifiers: Sequence[str], most: int) -> None:
    try:
        table = await registry.table(code)
    except NotOwner:
        await registry.peers.ask(FORGET, code, identifiers)
    else:
        await forget(registry, table, identifiers, most=most)


async def is_gone(registry: Registry, table: Table, tokens: Sequence[str]) -> bool:
    """Whether tokens belong to a person who left for good or was removed, not to a device that was signed out."""
    keys = {
        each.person for each in records_of_person(name_records(await registry.store.history(table.code)), tokens)
    } - {""}
    people = table.state.roster.people
    return bool(keys) and all(people[key].away_for_good for key in keys if key in people)


async def _known_by(registry: Registry, table: Table, identifiers: Sequence[str], person: str) -> list[str]:
    """The identifiers of a person so far, and those of this table."""
    mine = records_of_person(name_records(await registry.store.history(table.code)), _tokens(identifiers), person)
    tokens = {*_tokens(identifiers), *(token for each in mine for token in each.tokens)}
    names = {*_names(identifiers), *(each.name for each in mine if each.name)}
    return [*tokens, *(NAME + name for name in names)]


async def _forget(registry: Registry, table: Table, identifiers: Sequence[str], person: str) -> None:
    """Erase a person at one table, if they were there or are mentioned."""
    store, talk, tokens, names = registry.store, table.state.talk, _tokens(identifiers), _names(identifiers)
    mine = records_of_person(name_records(await store.history(table.code)), tokens, person)
    if mine or any(mentions_person(line, (), names) for line in talk.last(len(talk))):
        await store.erase_person(ErasePerson(table.code, person, tuple(tokens), tuple(names), table.state.epoch))
        await table.persistence.reload()
        await table.persistence.store_listing()


def _tokens(identifiers: Sequence[str]) -> list[str]:
    return [each for each in identifiers if not each.startswith(NAME)]


def _names(identifiers: Sequence[str]) -> list[str]:
    return [each[len(NAME) :] for each in identifiers if each.startswith(NAME)]
