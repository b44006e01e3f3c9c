"""Advice as text: a title for each action, and up to four sentences on why it is good."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from jamboree.core.errors import Illegal
from jamboree.core.game import AnyGame
from jamboree.core.kit.reasons import Reasoned
from jamboree.core.offers import Offer
from jamboree.core.words import Catalogue, list_counts

from .advice import Advice, RatedMove
from .greedy import follow_up

CATALOGUE = Catalogue(__package__)
NOTABLE = 0.75  # points; smaller differences are not mentioned
MAX_SENTENCES, MAX_GAME_SENTENCES = 4, 2


class MoveText(msgspec.Struct, frozen=True, kw_only=True):
    """A recommended move as clients show it."""

    action: dict[str, Any] | None  # in wire format; None is to wait
    title: str
    reason: str
    rank: int
    certain: int  # own points
    chance: float | None
    expected: float | None


class AdviceText(msgspec.Struct, frozen=True, kw_only=True):
    """Advice as clients show it."""

    moves: list[MoveText]
    chance: float | None = None
    error: float = 0.0
    playouts: int = 0
    soon: bool = False  # the search is still being compiled: ask again in a while


def render_advice(
    game: AnyGame, advice: Advice, view: Any, offers: Sequence[Offer[Any]], names: Sequence[str], lang: str
) -> AdviceText:
    moves = [_render_move(game, advice, move, view, offers, names, lang) for move in advice.moves]
    return AdviceText(moves=moves, chance=advice.chance, error=advice.error, playouts=advice.playouts, soon=advice.soon)


def _render_move(
    game: AnyGame,
    advice: Advice,
    move: RatedMove,
    view: Any,
    offers: Sequence[Offer[Any]],
    names: Sequence[str],
    lang: str,
) -> MoveText:
    action = None if move.offer < 0 else offers[move.offer].action
    if action is not None and len(offers) == 1:
        reasons = [CATALOGUE.say(lang, "only"), *_certain_points(move, view.viewer, names, lang)]
    else:
        reasons = [
            *game_reasons(game, action, view, names, lang)[:MAX_GAME_SENTENCES],
            *follow_up_sentences(game, action, view, names, lang),
        ]
        reasons += _comparisons(advice, move, view.viewer, names, lang)
    return MoveText(
        action=None if action is None else msgspec.to_builtins(action),
        title=action_title(game, action, view, names, lang),
        reason=" ".join(reasons[:MAX_SENTENCES]),
        rank=move.rank,
        certain=move.certain[view.viewer],
        chance=move.chance,
        expected=move.expected,
    )


def action_title(game: AnyGame, action: Any, view: Any, names: Sequence[str], lang: str) -> str:
    """Return the title of an action as in a menu; None is to wait."""
    if action is None:
        return CATALOGUE.say(lang, "wait")
    return game.words.choice(action, view, names, lang).title


def game_reasons(game: AnyGame, action: Any, view: Any, names: Sequence[str], lang: str) -> list[str]:
    """Return the sentences of the game itself in favour of an action."""
    if action is None:
        return []
    try:
        return game.words.reasons(Reasoned(action, view, game.preview(view, action), names, lang))
    except Illegal:
        return []


def follow_up_sentences(game: AnyGame, action: Any, view: Any, names: Sequence[str], lang: str) -> list[str]:
    """Return a sentence on the second part of a move, if an action is the first part of one."""
    after = None if action is None else follow_up(game, view, action)
    return [CATALOGUE.say(lang, "then", title=action_title(game, *after, names, lang))] if after else []


def _comparisons(advice: Advice, move: RatedMove, seat: int, names: Sequence[str], lang: str) -> Iterator[str]:
    """Yield the certain points of a move, and how it compares with the greedy choice and with the best move."""
    yield from _certain_points(move, seat, names, lang)
    if move.offer < 0:
        yield CATALOGUE.say(lang, "waits")
    if move.chance is None:
        yield from [CATALOGUE.say(lang, "greedy")] if move.offer >= 0 else []
        return
    if move is advice.moves[0]:
        yield from _compared_to_greedy(move, names, lang)
        if [each.rank for each in advice.moves].count(1) > 1:
            yield CATALOGUE.say(lang, "close")
        elif not any(move.certain):
            yield CATALOGUE.say(lang, "best")
    else:
        yield _compared_to_best(advice.moves[0], move, lang)
        yield from _compared_to_greedy(move, names, lang)


def _certain_points(move: RatedMove, seat: int, names: Sequence[str], lang: str) -> Iterator[str]:
    scoring = [each for each, points in enumerate(move.certain) if points > 0]
    if scoring == [seat]:
        yield CATALOGUE.say(lang, "pays", count=move.certain[seat])
    elif scoring:
        who = [CATALOGUE.say(lang, "you") if each == seat else names[each] for each in scoring]
        said = list_counts(who, [move.certain[each] for each in scoring], lang)
        yield CATALOGUE.say(lang, "pays.others", said=said)


def _compared_to_best(best: RatedMove, move: RatedMove, lang: str) -> str:
    if move.rank == best.rank:
        return CATALOGUE.say(lang, "as-good")
    behind = (best.expected or 0.0) - (move.expected or 0.0)
    return CATALOGUE.say(lang, "behind" if behind >= NOTABLE else "less-often", count=round(behind))


def _compared_to_greedy(move: RatedMove, names: Sequence[str], lang: str) -> Iterator[str]:
    if move.expected is not None and move.expected >= NOTABLE:
        yield CATALOGUE.say(lang, "brings", count=round(move.expected))
    points, other = min((points, other) for other, points in enumerate(move.others))
    if points <= -NOTABLE:
        yield CATALOGUE.say(lang, "denies", count=round(-points), name=names[other])
