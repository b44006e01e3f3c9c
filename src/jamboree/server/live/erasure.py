"""Erasure of personal data on request: names and chat, at a table and at the rematches that followed."""

from collections.abc import Sequence
from functools import partial

from ..store import Forget
from ..store.person_erasure import hers, is_about, namings
from .registry import FORGET, NotOwner, Registry
from .table import Table

MOST_TABLES = 50  # that a chain of rematches is followed through
NAME = "="  # how a name begins among the words by which somebody is known; the others are hashed tokens


async def forget(
    registry: Registry, table: Table, words: Sequence[str], person: str = "", most: int = MOST_TABLES
) -> None:
    """Delete somebody's names and talk, also at rematches; each table's own task does so in its turn.

    The last table comes first: if a server dies on the way, the first one still knows the names to look for when
    somebody asks again.
    """
    async with registry.lock("rematch", table.code):  # one that is being opened brings the names along
        known = await table.enqueue(partial(_known_by, registry, table, words, person))
        if (following := table.state.roster.rematch) and most > 1:
            await _forget_from(registry, following, known, most - 1)
        await table.enqueue(partial(_forget, registry, table, known, person))


async def _forget_from(registry: Registry, code: str, words: Sequence[str], most: int) -> None:
    try:
        table = await registry.table(code)
    except NotOwner:
        await registry.others.ask(FORGET, code, words)
    else:
        await forget(registry, table, words, most=most)


async def is_gone(registry: Registry, table: Table, tokens: Sequence[str]) -> bool:
    """Tell whether tokens were somebody's who left for good, or was shown out; not one who signed a device out."""
    keys = {each.person for each in hers(namings(await registry.store.history(table.code)), tokens)} - {""}
    people = table.state.roster.people
    return bool(keys) and all(people[key].away_for_good for key in keys if key in people)


async def _known_by(registry: Registry, table: Table, words: Sequence[str], person: str) -> list[str]:
    """Give the words by which somebody is known at rematches: those so far, and those of this table."""
    mine = hers(namings(await registry.store.history(table.code)), _tokens(words), person)
    tokens = {*_tokens(words), *(token for each in mine for token in each.tokens)}
    names = {*_names(words), *(each.name for each in mine if each.name)}
    return [*tokens, *(NAME + name for name in names)]


async def _forget(registry: Registry, table: Table, words: Sequence[str], person: str) -> None:
    """Forget somebody at one table, if they were there or are spoken of."""
    store, talk, tokens, names = registry.store, table.state.talk, _tokens(words), _names(words)
    mine = hers(namings(await store.history(table.code)), tokens, person)
    if mine or any(is_about(line, (), names) for line in talk.last(len(talk))):
        await store.forget(Forget(table.code, person, tuple(tokens), tuple(names), table.state.epoch))
        await table.persistence.read_back()


def _tokens(words: Sequence[str]) -> list[str]:
    return [word for word in words if not word.startswith(NAME)]


def _names(words: Sequence[str]) -> list[str]:
    return [word[len(NAME) :] for word in words if word.startswith(NAME)]
