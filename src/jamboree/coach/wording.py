"""Advice in words: what each action is called, and why it is good, from what it does."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from jamboree.core.errors import Illegal
from jamboree.core.game import AnyGame
from jamboree.core.kit.reasons import Reasoned
from jamboree.core.offers import Offer
from jamboree.core.words import Catalogue, list_counts

from .advice import Advice, Move
from .instinct import second_half

CATALOGUE = Catalogue(__package__)
WORTH_SAYING = 0.75  # points
MOST, OF_THE_GAME = 4, 2  # sentences


class Worded(msgspec.Struct, frozen=True, kw_only=True):
    """A move as it is put to a person; its action as it goes over the wire, None for waiting."""

    action: dict[str, Any] | None
    title: str
    reason: str
    rank: int
    certain: int  # own points
    chance: float | None
    expected: float | None


class Advised(msgspec.Struct, frozen=True, kw_only=True):
    """Advice as it is put to a person."""

    moves: list[Worded]
    chance: float | None = None
    error: float = 0.0
    playouts: int = 0
    soon: bool = False  # better advice can be had in a while


def word(
    game: AnyGame, advice: Advice, view: Any, offers: Sequence[Offer[Any]], names: Sequence[str], lang: str
) -> Advised:
    moves = [_worded(game, advice, move, view, offers, names, lang) for move in advice.moves]
    return Advised(moves=moves, chance=advice.chance, error=advice.error, playouts=advice.playouts, soon=advice.soon)


def _worded(
    game: AnyGame, advice: Advice, move: Move, view: Any, offers: Sequence[Offer[Any]], names: Sequence[str], lang: str
) -> Worded:
    action = None if move.place < 0 else offers[move.place].action
    if action is not None and len(offers) == 1:
        reasons = [CATALOGUE.say(lang, "only"), *_paid(move, view.viewer, names, lang)]
    else:
        reasons = [
            *say_why(game, action, view, names, lang)[:OF_THE_GAME],
            *say_second_half(game, action, view, names, lang),
        ]
        reasons += _compared(advice, move, view.viewer, names, lang)
    return Worded(
        action=None if action is None else msgspec.to_builtins(action),
        title=say_action(game, action, view, names, lang),
        reason=" ".join(reasons[:MOST]),
        rank=move.rank,
        certain=move.certain[view.viewer],
        chance=move.chance,
        expected=move.expected,
    )


def say_action(game: AnyGame, action: Any, view: Any, names: Sequence[str], lang: str) -> str:
    """Call an action as a menu does; None is to wait."""
    if action is None:
        return CATALOGUE.say(lang, "wait")
    return game.words.choice(action, view, names, lang).title


def say_why(game: AnyGame, action: Any, view: Any, names: Sequence[str], lang: str) -> list[str]:
    """Say what a game's own words have to say for an action."""
    if action is None:
        return []
    try:
        return game.words.reasons(Reasoned(action, view, game.preview(view, action), names, lang))
    except Illegal:
        return []


def say_second_half(game: AnyGame, action: Any, view: Any, names: Sequence[str], lang: str) -> list[str]:
    """Say what one could do next, where an action is half of something."""
    after = None if action is None else second_half(game, view, action)
    return [CATALOGUE.say(lang, "then", title=say_action(game, *after, names, lang))] if after else []


def _compared(advice: Advice, move: Move, seat: int, names: Sequence[str], lang: str) -> Iterator[str]:
    """Say what an action pays, and how it compares with the obvious one and with the best."""
    yield from _paid(move, seat, names, lang)
    if move.place < 0:
        yield CATALOGUE.say(lang, "waits")
    if move.chance is None:
        yield from [CATALOGUE.say(lang, "greedy")] if move.place >= 0 else []
        return
    if move is advice.moves[0]:
        yield from _against_the_obvious(move, names, lang)
        if [each.rank for each in advice.moves].count(1) > 1:
            yield CATALOGUE.say(lang, "close")
        elif not any(move.certain):
            yield CATALOGUE.say(lang, "best")
    else:
        yield _against_the_first(advice.moves[0], move, lang)
        yield from _against_the_obvious(move, names, lang)


def _paid(move: Move, seat: int, names: Sequence[str], lang: str) -> Iterator[str]:
    paid = [each for each, points in enumerate(move.certain) if points > 0]
    if paid == [seat]:
        yield CATALOGUE.say(lang, "pays", count=move.certain[seat])
    elif paid:
        called = [CATALOGUE.say(lang, "you") if each == seat else names[each] for each in paid]
        said = list_counts(called, [move.certain[each] for each in paid], lang)
        yield CATALOGUE.say(lang, "pays.others", said=said)


def _against_the_first(first: Move, move: Move, lang: str) -> str:
    if move.rank == first.rank:
        return CATALOGUE.say(lang, "as-good")
    behind = (first.expected or 0.0) - (move.expected or 0.0)
    return CATALOGUE.say(lang, "behind" if behind >= WORTH_SAYING else "less-often", count=round(behind))


def _against_the_obvious(move: Move, names: Sequence[str], lang: str) -> Iterator[str]:
    if move.expected is not None and move.expected >= WORTH_SAYING:
        yield CATALOGUE.say(lang, "brings", count=round(move.expected))
    points, other = min((points, other) for other, points in enumerate(move.others))
    if points <= -WORTH_SAYING:
        yield CATALOGUE.say(lang, "denies", count=round(-points), name=names[other])
