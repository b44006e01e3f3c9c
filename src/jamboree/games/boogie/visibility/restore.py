"""The way back from a view to a state: as far as the viewer knows it, or with the unknown imagined."""

from jamboree.core.chance import NOBODY, Bag, Chance
from jamboree.core.game import Eye
from jamboree.core.geometry import mask_of
from jamboree.core.kit.game import Visibility

from ..box.components import (
    BLUFF,
    BOX,
    CHARACTERS,
    JUMPCARDS,
    NUMBER,
    ONE,
    SURE,
    hand_of,
    kinds_in,
)
from ..rules.actions import BoogieActionSpace, Term, action_space
from ..rules.events import AnyEvent
from ..rules.setup import bare
from ..rules.state import (
    JUMP,
    NO_TERM,
    PHASES,
    PLANE,
    PULLED,
    TO_ALL,
    VERDICTS,
    JumpReport,
    JuryReport,
    PromiseRecord,
    State,
    play_code,
    read_play,
)
from .card_counting import imagine_hidden, recall_open
from .views import Jury, Laid, Promised, View, reveals, view, views, witness

UNKNOWN_JUMPCARD = NUMBER["0"]  # stands for a face this viewer does not know


def restore(view: View) -> State:
    """Rebuild the state as this viewer knows it; hidden hands are empty, hidden faces stand-ins."""
    state = bare(view.seats, view.plane_seconds, view.jump_seconds, view.promising)
    actions = action_space(view.seats)
    state.phase, state.jumprun, state.jumpmaster = PHASES.index(view.phase), view.jumprun - 1, view.jumpmaster
    state.ready, state.late = mask_of(view.ready), mask_of(view.late)
    state.withdrawn = list(view.withdrawn)
    state.points = [tuple(points) for points in view.points]
    state.hands = [sum(ONE[NUMBER[card]] for card in hand.cards or ()) for hand in view.hands]
    _restore_plays(state, view, actions)
    _restore_cards(state, view)
    _restore_talk(state, view, actions)
    state.report = _report(view.jury, actions)
    _restore_masks(state, view)
    return state


def _restore_plays(state: State, view: View, actions: BoogieActionSpace) -> None:
    for laid in view.plays:
        jump = actions.layout.index[laid.jump]
        state.plays.append(play_code(jump, laid.seat, _face(laid), laid.late))
        if laid.character and not laid.late:
            state.opened |= 1 << jump
            state.standing[laid.seat] |= 1 << jump


def _face(laid: Laid) -> int:
    if laid.card is not None:
        return NUMBER[laid.card]
    return BLUFF if laid.character else UNKNOWN_JUMPCARD


def _restore_cards(state: State, view: View) -> None:
    state.discard = Bag.of(JUMPCARDS, view.discard)
    state.deck = Bag.of(JUMPCARDS, [0] * len(JUMPCARDS))
    state.era_deck = hand_of(view.memory.deck)
    state.shown = [hand_of(shown) for shown in view.memory.shown]
    if isinstance(view.viewer, int) and view.memory.own is not None:
        state.era_hands[view.viewer] = hand_of(view.memory.own)


def _restore_talk(state: State, view: View, actions: BoogieActionSpace) -> None:
    state.promises = [_made(promised, actions) for promised in view.promises]
    for seat, talk in enumerate(view.talk):
        if talk is None:
            state.begun[seat] = sum(made.seat == seat for made in state.promises)
            continue
        state.begun[seat] = talk.begun
        if talk.draft:
            to = TO_ALL if talk.draft.to is None else talk.draft.to
            state.drafts[seat] = (to, _term(talk.draft.asked, actions))
    state.told_all = [(tally.kept, tally.broken, tally.void) for tally in view.honesty]


def _term(term: Term | None, actions: BoogieActionSpace) -> int:
    return NO_TERM if term is None else actions.term_number[term]


def _made(promised: Promised, actions: BoogieActionSpace) -> PromiseRecord:
    to = TO_ALL if promised.to is None else promised.to
    return PromiseRecord(promised.seat, to, actions.term_number[promised.term], _term(promised.asked, actions))


def _report(jury: Jury, actions: BoogieActionSpace) -> JuryReport:
    index = actions.layout.index
    late_cards = tuple(
        play_code(index[late.jump], late.seat, BLUFF if late.card is None else NUMBER[late.card], late=True)
        for late in jury.late_cards
    )
    judged = tuple((_made(promised, actions), VERDICTS.index(str(promised.verdict))) for promised in jury.promises)
    jumps = []
    for seen in jury.jumps:
        codes = [turned.seat << 4 | NUMBER[turned.card] for turned in (*seen.jumpcards, *seen.characters)]
        jumps.append(JumpReport(index[seen.jump], tuple(codes), tuple(seen.eyes)))
    return JuryReport(mask_of(jury.late), late_cards, tuple(jumps), judged)


def _restore_masks(state: State, view: View) -> None:
    """Work out which kinds each hand holds, and who has nothing left to do."""
    state.held = [kinds_in(hand) for hand in state.hands]
    if state.phase == PLANE:
        state.spent = mask_of(seat for seat, times in enumerate(state.withdrawn) if times == BOX.limits.withdrawals)
    elif state.phase in (JUMP, PULLED):
        state.spent = mask_of(seat for seat, hand in enumerate(view.hands) if not hand.jumpcards + hand.characters)


def imagine(view: View, chance: Chance) -> State:
    """Fill hidden hands and hidden faces with cards that fit all this viewer knows."""
    state = restore(view)
    if view.viewer == Eye.ALL:
        recall_open(state, view)
        return state
    hidden = [seat for seat, hand in enumerate(view.hands) if hand.cards is None]
    dealt = imagine_hidden(state, view, hidden, chance)
    for seat in hidden:
        _assign_faces(state, seat, Bag.of(JUMPCARDS, dealt[seat]), Bag.of(CHARACTERS, BOX.characters.values()), chance)
    state.held = [kinds_in(hand) for hand in state.hands]
    return state


def _assign_faces(state: State, seat: int, jumpcards: Bag, characters: Bag, chance: Chance) -> None:
    """Lay a seat's cards where it laid some, face down; the rest stays in hand."""
    for at, code in enumerate(state.plays):
        jump, owner, card, late = read_play(code)
        if owner == seat:
            drawn = SURE + chance.draw(characters, NOBODY) if card >= SURE else chance.draw(jumpcards, NOBODY)
            state.plays[at] = play_code(jump, seat, drawn, late)
    state.hands[seat] = hand_of([*jumpcards.counts, *characters.counts])


VISIBILITY: Visibility[State, AnyEvent, View] = Visibility(
    view=view, views=views, witness=witness, reveals=reveals, restore=restore, imagine=imagine
)
