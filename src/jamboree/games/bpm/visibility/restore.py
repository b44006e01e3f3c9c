"""The way back from a view to a state: as far as the viewer knows it, or with the unknown imagined."""

from jamboree.core.chance import NOBODY, Bag, Chance, Deck
from jamboree.core.geometry import mask_of
from jamboree.core.kit.game import Visibility

from ..box.cards import BALL, BONUSES, CARD_NUMBER, CARDS, HYPE
from ..box.components import BOX, QUESTS
from ..box.crate import Song
from ..box.crate_csv import read
from ..box.dancers import NUMBER
from ..box.room import room
from ..rules import floor
from ..rules.actions import PAIR_NUMBER
from ..rules.events import AnyEvent
from ..rules.hype import of_cards
from ..rules.setlist import close_if_final
from ..rules.setup import bare
from ..rules.state import NONE, PHASES, RECOVER, SETLIST, SONG, UNSEEN, State
from .views import Sealed, Songs, View, known_points, reveals, view, views, witness


def restore(view: View) -> State:
    """Rebuild the state as this viewer knows it; what is hidden is UNSEEN, or lies in no deck."""
    state = bare(view.seats, read(view.crate), view.hypemaster, room(view.columns, view.rows))
    state.round, state.phase, state.first = view.round, PHASES.index(view.phase), view.first
    state.turn = view.first if view.turn is None else view.turn
    state.order, state.at = tuple(view.order), view.at
    state.ball = NONE if view.ball is None else state.room.index[view.ball]
    state.moves, state.places = view.moves, view.places
    if state.phase in (RECOVER, SONG):
        index, moved = state.room.index, view.moved
        state.limit = state.room.all if moved is None else mask_of(index[cell] for cell in moved)
    _restore_floor(state, view)
    _restore_hype(state, view)
    _restore_songs(state, view)
    for seat, quest in enumerate(view.quests):
        state.quests[seat] = UNSEEN if quest is None else QUESTS.index(quest)
        if quest is not None:
            state.spare_quests.take(QUESTS.index(quest))
    return state


def _restore_floor(state: State, view: View) -> None:
    for spot in view.floor:
        cell, dancer = state.room.index[spot.cell], NUMBER[spot.dancer]
        floor.enter(state, cell, dancer)
        state.pile.take(dancer)
        if spot.fan_of is not None:
            floor.place(state, spot.fan_of, cell)
    state.tokens = list(view.tokens)
    for counts, dancers in ((state.gone, view.gone), *zip(state.superfans, view.superfans, strict=True)):
        for gone in dancers:
            counts[NUMBER[gone]] += 1
            state.pile.take(NUMBER[gone])


def _restore_hype(state: State, view: View) -> None:
    """Put the cards this viewer does not see in the deck's top layer, where there is a deck."""
    state.card = NONE if view.card is None else CARD_NUMBER[view.card]
    state.used = tuple(CARD_NUMBER[card] for card in view.used)
    for card in state.used:
        state.hype_box.take(card)
    state.drawn = (UNSEEN, UNSEEN) if view.drawn is None else tuple(CARD_NUMBER[card] for card in view.drawn)
    if not state.hypemaster or not state.round:
        return
    out = set(range(len(CARDS))) - {BALL, *(BONUSES if state.round < HYPE.bonus_from_round else ())}
    top = of_cards(state.used) if state.is_extra else state.hype_box.only(out)
    if not state.is_extra:
        for card, count in enumerate(top.counts):
            state.hype_box.put(card, -count)
    elif not state.drawn:
        top.take(state.card)
    for card in state.drawn:
        if card != UNSEEN:
            top.take(card)
    _restore_deck(state, view, top)


def _restore_deck(state: State, view: View, top: Bag) -> None:
    under = [UNSEEN if one.card is None else CARD_NUMBER[one.card] for one in view.under]
    for card in under:
        if card != UNSEEN:
            top.take(card)
    state.hype = Deck([top, *(of_cards((card,)) for card in under)])
    state.under_by = tuple(one.seat for one in view.under)


def _restore_songs(state: State, view: View) -> None:
    """Put every song this viewer does not see in the deck."""
    state.played = tuple(number - 1 for number in view.played)
    state.playing = [NONE if song is None else song.number - 1 for song in view.playing]
    state.recycled, state.early = tuple(number - 1 for number in view.recycled), mask_of(view.early)
    if isinstance(view.viewer, int):
        state.returned[view.viewer] = tuple(number - 1 for number in view.returned)
    elif view.returned:  # seen by all: two each, in the order of the seats
        size = BOX.songs_discarded
        state.returned = [tuple(n - 1 for n in view.returned[at * size : (at + 1) * size]) for at in range(view.seats)]
    for seat in range(view.seats):
        state.hands[seat], state.aside[seat] = _hand(view.hands[seat]), _hand(view.aside[seat])
        _restore_choice(state, seat, view.sealed[seat], seat in view.to_act)
    for songs in (state.played, state.playing, *state.hands, *state.aside):
        for song in songs:
            if song >= 0:
                state.deck.take(song)


def _hand(songs: Songs) -> tuple[int, ...]:
    return (UNSEEN,) * songs.count if songs.songs is None else tuple(_number(song) for song in songs.songs)


def _number(song: Song) -> int:
    return song.number - 1


def _restore_choice(state: State, seat: int, sealed: Sealed, may_act: bool) -> None:
    """Restore a sealed choice; of another player's only that there is one, and whether it can be replaced."""
    if not sealed.done:
        state.sealed[seat] = NONE
    elif sealed.slots is None:
        state.sealed[seat] = 0
    elif state.phase == SETLIST:
        first, second = sealed.slots
        state.sealed[seat] = PAIR_NUMBER[first, second]
    else:
        (state.sealed[seat],) = sealed.slots
    if sealed.changes is not None:
        state.changes[seat] = sealed.changes
    elif sealed.done and not may_act:
        state.changes[seat] = 0
    close_if_final(state, seat)


def imagine(view: View, chance: Chance) -> State:
    """Fill in what is hidden so that it fits all this viewer knows, each way as often as it is likely."""
    state = restore(view)
    _imagine_quests(state, chance)
    _imagine_hype(state, chance)
    _imagine_songs(state, view, chance)
    return state


def _imagine_quests(state: State, chance: Chance) -> None:
    for seat, quest in enumerate(state.quests):
        if quest == UNSEEN:
            state.quests[seat] = chance.draw(state.spare_quests, NOBODY)


def _imagine_hype(state: State, chance: Chance) -> None:
    if not state.hype.layers:
        return
    top, *under = state.hype.layers
    for at, layer in enumerate(under, 1):
        if not layer.total:
            state.hype.layers[at] = of_cards((chance.draw(top, NOBODY),))
    state.drawn = tuple(chance.draw(top, NOBODY) if card == UNSEEN else card for card in state.drawn)


def _imagine_songs(state: State, view: View, chance: Chance) -> None:
    """Draw hidden songs from all that are unseen; those dealt before a reshuffle were not played before it."""
    known = {*state.recycled, *(number - 1 for number in view.returned)}
    old = state.deck.only(set(range(len(state.deck.kinds))) - known) if known else state.deck
    for seat in sorted(range(state.seats), key=lambda seat: not state.early >> seat & 1):
        source = old if state.early >> seat & 1 else state.deck
        state.hands[seat] = _draw_unseen(state.hands[seat], source, state.deck, chance)
        state.aside[seat] = _draw_unseen(state.aside[seat], source, state.deck, chance)
        if state.sealed[seat] != NONE and view.sealed[seat].slots is None:
            ways = len(PAIR_NUMBER) if state.phase == SETLIST else len(state.hands[seat])
            state.sealed[seat] = chance.index(ways, NOBODY)


def _draw_unseen(songs: tuple[int, ...], source: Bag, deck: Bag, chance: Chance) -> tuple[int, ...]:
    completed = []
    for song in songs:
        if song == UNSEEN:
            song = chance.draw(source, NOBODY)
            if source is not deck:
                deck.take(song)
        completed.append(song)
    return tuple(completed)


VISIBILITY: Visibility[State, AnyEvent, View] = Visibility(
    view=view,
    views=views,
    witness=witness,
    reveals=reveals,
    restore=restore,
    imagine=imagine,
    known_scores=known_points,
)
