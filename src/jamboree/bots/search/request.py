"""What a search depends on, as plain numbers and bytes: no library is needed to make a request or to send it elsewhere.

`native.py` runs it on this machine, `web/src/twin/search.ts` in a browser.
"""

from array import array
from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from jamboree.core.game import AnyGame
from jamboree.fast import sources

from .search_settings import SearchSettings

SEED_BITS = 53  # whole numbers that JavaScript's numbers hold exactly
WIN_ONLY = 1.0, 0.0, 1.0  # utility


class SearchRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A decision and a budget. Arrays are the bytes of their elements, which have a size of eight unless noted."""

    game: str
    viewer: int  # the actor that decides
    seats: int
    table: bytes
    masks: bytes
    smalls: bytes  # two bytes each
    guesses: bytes  # about hidden information; empty: nothing is hidden
    seed: int
    use_beliefs: bool = False
    utility: tuple[float, float, float]  # weights of the win and of the margin, and the scale of margins
    menu: bytes = b""  # a byte for each offer: 1 if it may be a candidate
    first: int = 0  # the first candidate: an index into the menu, or WAITING
    max_candidates: int = 1
    shuffle_ties: bool = False
    bonus: float = 0.0  # added to the value of the first candidate
    playouts: int | None = None  # without a limit, a search ends after its first batch
    seconds: float | None = None


def request_of_view(
    game: str, view: Any, seed: int, settings: SearchSettings, offers: int, left_out: Collection[int] = ()
) -> SearchRequest:
    """Return the request of a seat's decision, from its view; raise BadOptions if the twin can't hold the board."""
    bridge = sources.bridge(game)
    table, masks, smalls, guesses = bridge.unknown(view)
    if settings.playout_weights:
        bridge.weigh_by(table, settings.playout_weights)
    return SearchRequest(
        game=game,
        viewer=view.viewer,
        seats=view.seats,
        table=_words(table),
        masks=_words(masks),
        smalls=_smalls(smalls),
        guesses=_words(guesses),
        seed=seed,
        use_beliefs=settings.use_beliefs,
        utility=(settings.win_weight, 1.0 - settings.win_weight, settings.margin_scale),
        menu=bytes(index not in left_out for index in range(offers)),
        shuffle_ties=settings.shuffle_ties,
    )


def request_of_state(game: AnyGame, state: Any, options: Any, seed: int, actor: int = 0) -> SearchRequest:
    """Return the request of a position, hidden information included: only for the review of finished games."""
    bridge = sources.bridge(game.info.key)
    masks, smalls = bridge.row_of(state)
    return SearchRequest(
        game=game.info.key,
        viewer=actor,
        seats=state.seats,
        table=_words(bridge.table(state.seats, options)),
        masks=_words(masks),
        smalls=_smalls(smalls),
        guesses=b"",
        seed=seed,
        utility=WIN_ONLY,
    )


def _words(numbers: Iterable[int]) -> bytes:
    return array("q", numbers).tobytes()


def _smalls(numbers: Iterable[int]) -> bytes:
    return array("h", numbers).tobytes()
