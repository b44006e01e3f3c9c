"""Conversion between the reference and its twin: tables, rows from states and back, and guesses from views."""

from functools import lru_cache

from jamboree.core.chance import Seeded

from ..box.components import (
    ALL_CHARACTERS,
    BOX,
    CARDS,
    COPIES,
    FIGURES,
    JUMPCARD_BITS,
    JUMPCARDS,
    ONE,
    SOLO_FIGURES,
    SURE,
    VALUES,
    cards_in,
    hand_of,
    kinds_in,
)
from ..box.jumps import layout
from ..box.odds import reaches
from ..rules.actions import AskInExchange, PlayCard, Promise, action_space
from ..rules.promises import harmful
from ..rules.setup import Options, bare, set_up
from ..rules.state import PromiseCounts, PromiseRecord, State, play_code, read_play
from ..visibility.card_counting import piles, slots, turned_cards
from ..visibility.restore import restore
from ..visibility.views import View
from . import layout as at

Masks = list[int]
Smalls = list[int]

assert (len(CARDS), len(JUMPCARDS), FIGURES, SURE) == (at.CARDS, at.JUMPCARDS, at.FIGURES, at.SURE)
assert max(COPIES) < 16 and max(BOX.characters.values()) < 8  # so that a word of cards is never negative
assert BOX.dice == 6  # so that the odds have their places
assert BOX.limits.promises <= at.MOST_PROMISES and BOX.limits.promises * BOX.jumpruns < 1 << at.TALLY


def table(seats: int, options: Options) -> list[int]:
    """Return the table of a set-up; raise BadOptions if the game does."""
    return [*table_for(set_up(seats, options, Seeded(0)))]


def table_for(state: State) -> tuple[int, ...]:
    """Return the table of a state's set-up."""
    return table_of(state.seats, state.timed, state.promising)


@lru_cache
def table_of(seats: int, timed: bool, promising: bool) -> tuple[int, ...]:
    here, actions, t = layout(seats), action_space(seats).all, [0] * at.TABLE
    limits, kinds = BOX.limits, [type(action) for action in actions]
    t[at.PLAYERS : at.COPIES] = (
        seats,
        len(here.jumps),
        len(here.formations),
        here.everyone,
        timed,
        promising,
        limits.withdrawals,
        limits.promises,
        limits.worth_max,
        BOX.jumpruns,
        BOX.dice,
        BOX.full_hand,
        BOX.dealt,
        BOX.hand_max,
        BOX.solo_max,
    )
    t[at.COPIES], t[at.CHARACTERS] = hand_of(COPIES), ALL_CHARACTERS
    t[at.REFUSED] = sum(15 * ONE[card] for card in range(SOLO_FIGURES, FIGURES))
    t[at.HARMFUL] = sum(15 * ONE[card] for card in range(len(JUMPCARDS)) if harmful(card))
    plays = kinds.index(PlayCard)
    t[at.ASKING], t[at.PROMISING_TERM] = kinds.index(AskInExchange), kinds.index(Promise)
    t[at.PLAYS], t[at.LATE_PLAYS], t[at.ACTIONS] = plays, (plays + len(actions)) // 2, len(actions)
    t[at.OWN : at.OWN + seats] = here.own
    t[at.NEEDED : at.NEEDED + len(here.jumps)] = [jump.number for jump in here.jumps]
    t[at.VALUE : at.VALUE + at.JUMPCARDS] = VALUES
    t[at.NAME : at.NAME + at.JUMPCARDS] = [sorted(JUMPCARDS).index(card) for card in JUMPCARDS]
    t[at.ODDS : at.WEIGHTS] = _odds()
    t[at.WEIGHTS :] = at.USUAL_LYING, at.USUAL_BLUFFING, at.USUAL_SPITING
    return tuple(t)


@lru_cache
def _odds() -> list[int]:
    """Return the probability that a roll reaches each total, for each number of dice."""
    pairs = [(dice, total) for dice in range(at.MOST_DICE + 1) for total in range(dice * BOX.dice + 1)]
    return [round(reaches(dice, total) * 2**62) for dice, total in pairs]


def row_of(state: State) -> tuple[Masks, Smalls]:
    """Return a state as a row."""
    m, s, seats = [0] * at.MASKS, [0] * at.SMALLS, state.seats
    m[at.DECK], m[at.DISCARD] = hand_of(state.deck.counts), hand_of(state.discard.counts)
    m[at.HAND : at.HAND + seats] = state.hands
    for code in state.plays:
        jump, seat, card, late = read_play(code)
        if late:
            s[at.LATE_PLAY + seat] = 1 + jump * at.CARDS + card
        else:
            m[at.PILE + jump * seats + seat] += ONE[card]
    s[: at.WITHDRAWN] = (
        state.phase,
        state.jumprun,
        state.jumpmaster,
        state.ready,
        state.spent,
        state.late,
        state.opened,
        state.deck.total,
    )
    for seat in range(seats):
        draft = state.drafts[seat]
        s[at.WITHDRAWN + seat], s[at.BEGUN + seat] = state.withdrawn[seat], state.begun[seat]
        s[at.DRAFT + seat] = _deal(*draft) if draft else 0
        s[at.STANDING + seat], s[at.SCORE + seat] = state.standing[seat], state.score(seat)
        s[at.TOLD_ALL + seat] = _tally(state.told_all[seat])
        told = state.told_one[seat * seats : (seat + 1) * seats]
        s[at.TOLD_ONE + at.SEATS * seat : at.TOLD_ONE + at.SEATS * seat + seats] = map(_tally, told)
        for number, made in enumerate(made for made in state.promises if made.seat == seat):
            place = at.MOST_PROMISES * seat + number
            s[at.MADE + seat] = number + 1
            s[at.TERM + place], s[at.DEAL + place] = made.term, _deal(made.to, made.asked)
    return m, s


def state_of(m: Masks, s: Smalls, seats: int, options: Options) -> State:
    """Return a row as a state. What rows leave out gets defaults: cards were laid in the order of jumps, promises made
    in the order of seats, all points scored in the last jumprun, and all discards turned at seat 0."""
    state = bare(seats, *options.seconds(), options.promises)
    state.phase, state.jumprun, state.jumpmaster, state.ready = s[: at.SPENT]
    state.spent, state.late, state.opened = s[at.SPENT : at.DECK_TOTAL]
    state.withdrawn, state.begun = s[at.WITHDRAWN : at.WITHDRAWN + seats], s[at.BEGUN : at.BEGUN + seats]
    state.standing = s[at.STANDING : at.STANDING + seats]
    state.hands = m[at.HAND : at.HAND + seats]
    state.held = [kinds_in(hand) for hand in state.hands]
    for bag, word in ((state.deck, m[at.DECK]), (state.discard, m[at.DISCARD])):
        bag.counts = [word >> 4 * card & 15 for card in range(at.JUMPCARDS)]
        bag.total = sum(bag.counts)
    state.plays = [
        play_code(place // seats, place % seats, card)
        for place, pile in enumerate(m[at.PILE : at.PILE + seats * len(layout(seats).jumps)])
        for card in cards_in(pile)
    ]
    for seat in range(seats):
        if late := s[at.LATE_PLAY + seat]:
            state.plays.append(play_code((late - 1) // at.CARDS, seat, (late - 1) % at.CARDS, late=True))
        state.drafts[seat] = _read_deal(s[at.DRAFT + seat]) if s[at.DRAFT + seat] else None
        first = at.MOST_PROMISES * seat
        for place in range(first, first + s[at.MADE + seat]):
            to, asked = _read_deal(s[at.DEAL + place])
            state.promises.append(PromiseRecord(seat, to, s[at.TERM + place], asked))
        state.told_all[seat] = _read_tally(s[at.TOLD_ALL + seat])
        told = s[at.TOLD_ONE + at.SEATS * seat : at.TOLD_ONE + at.SEATS * seat + seats]
        state.told_one[seat * seats : (seat + 1) * seats] = map(_read_tally, told)
    if played := state.jumprun + (state.phase == at.OVER):
        state.points = [(0,) * seats] * (played - 1) + [tuple(s[at.SCORE : at.SCORE + seats])]
    _fill_memory(state, m)
    return state


def _fill_memory(state: State, m: Masks) -> None:
    state.era_deck, state.shown[0] = m[at.DECK] + m[at.DISCARD], m[at.DISCARD]
    state.era_hands = [hand & JUMPCARD_BITS for hand in state.hands]
    for code in state.plays:
        _, seat, card, _ = read_play(code)
        state.era_hands[seat] += ONE[card] if card < SURE else 0


def unknown(view: View) -> tuple[list[int], Masks, Smalls, list[int]]:
    """Turn a view into a table, a row with the viewer's knowledge in it, and guesses: what `imagine` needs."""
    state = restore(view)
    hidden = [seat for seat, hand in enumerate(view.hands) if hand.cards is None]
    guesses = _guesses(state, view, hidden)
    state.plays = [code for code in state.plays if read_play(code)[1] not in hidden or read_play(code)[3]]
    return [*table_for(state)], *row_of(state), guesses


def _guesses(state: State, view: View, hidden: list[int]) -> list[int]:
    """Write what may be in hidden hands, as the reference weighs it, and how many cards each hidden seat laid where."""
    old, fresh = piles(state, view)
    had = {seat: slots(view, seat) for seat in hidden}
    turned = turned_cards(state, hidden, old, fresh)
    guesses = [0] * at.TURNED_CARDS
    guesses[at.OLD], guesses[at.FRESH] = hand_of(old.counts), hand_of(fresh.counts)
    guesses[at.OLD_SLOTS] = sum(before << at.SLOT * seat for seat, (before, _) in had.items())
    guesses[at.FRESH_SLOTS] = sum(since << at.SLOT * seat for seat, (_, since) in had.items())
    guesses[at.HIDDEN], guesses[at.TURNED] = sum(1 << seat for seat in hidden), len(turned)
    for code in state.plays:
        jump, seat, card, late = read_play(code)
        if seat in hidden and not late:
            guesses[at.LAID + jump * view.seats + seat] += 16 if card >= SURE else 1
    return guesses + [seat * at.CARDS + card for seat, card in turned]


def _deal(to: int, asked: int) -> int:
    return to + 2 << at.DEAL_TO | asked + 1


def _read_deal(deal: int) -> tuple[int, int]:
    return (deal >> at.DEAL_TO) - 2, (deal & 255) - 1


def _tally(tally: PromiseCounts) -> int:
    return tally[0] | tally[1] << at.TALLY | tally[2] << 2 * at.TALLY


def _read_tally(packed: int) -> PromiseCounts:
    kept, broken, void = (packed >> at.TALLY * verdict & (1 << at.TALLY) - 1 for verdict in range(3))
    return kept, broken, void
