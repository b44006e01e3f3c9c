"""Which promises can be true, and how bots of every level answer deals: yes, no, or a counter-offer.

A deal weighs what the other player gives against what is asked, in points, roughly. Only the bot's own view counts.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from jamboree.core.offers import Offer
from jamboree.core.play import Whisper

from ..box.components import BOX
from ..box.jumps import Jump
from ..rules.actions import STANCES, AnyAction, AskInExchange, Promise, PromiseTo, Term, WithdrawReady
from ..visibility.views import Promised, View

NO, PROMISED_OUT = "reply.no", "reply.promised-out"  # phrases
TRUSTED = 0.6  # share of promises kept, from which a player's promise counts in full
GOODWILL = 2  # promises everybody is taken to have kept before the first
DISTRUST = 0.3  # what the promise of another player counts
SOLO_WORTH = 4  # the most that is asked for on a solo
HIGHEST = max(int(figure) for figure in BOX.figures)
MOOD = 0.5  # points by which a judgement varies


class Reply(NamedTuple):
    """The promise that answers a deal, and what it asks in exchange."""

    term: Term
    asked: Term


def terms_of(view: View, seat: int) -> list[Term]:
    """Return what a player has promised in this jumprun, as far as the viewer knows."""
    return [made.term for made in view.promises if made.seat == seat]


def fits_stances(said: Sequence[Term], term: Term) -> bool:
    """Return whether a player who said this much can also be in or out as a term says, with the character cards there
    are."""
    stances = {(made.jump, made.pledge) for made in said if made.pledge in STANCES}
    if any(jump == term.jump and stance != term.pledge for jump, stance in stances):
        return False
    taken = {jump for jump, stance in stances if stance == term.pledge and jump != term.jump}
    return term.pledge == "out" or len(taken) < BOX.characters[term.pledge]


def can_be_true(view: View, term: Term) -> bool:
    """Return whether the viewer can keep a promise with the hand it has, besides all those made before."""
    assert isinstance(view.viewer, int)
    said = terms_of(view, view.viewer)
    if term.pledge in STANCES:
        return fits_stances(said, term)
    if term.pledge == "harmless":
        return True
    figures = [int(card) for card in view.hands[view.viewer].cards or () if card in BOX.figures]
    worth = dict[Jump, int]()
    for each in (*said, term):
        if each.pledge == "figures":
            worth[each.jump] = max(each.worth, worth.get(each.jump, 0))
    small = sum(figure for figure in figures if figure <= BOX.solo_max)
    on_solos = sum(points for jump, points in worth.items() if jump.solo is not None)
    return sum(worth.values()) <= sum(figures) and on_solos <= small


def can_be_asked(view: View, seat: int, term: Term) -> bool:
    """Return whether another player could keep a promise, as far as the viewer knows."""
    if term.pledge in STANCES:
        return fits_stances(terms_of(view, seat), term)
    if term.pledge == "harmless":
        return True
    return term.worth <= (SOLO_WORTH if term.jump.solo is not None else HIGHEST * view.hands[seat].jumpcards)


def credible_offers(view: View, offers: Sequence[Offer[AnyAction]]) -> Sequence[Offer[AnyAction]]:
    """Leave out promises that can't be true, those made before, and a new promise while one is unfinished; and deals
    from which a side gains nothing, because they are about the solo of another player."""
    talk = view.talk[view.viewer] if isinstance(view.viewer, int) else None
    if view.phase != "plane" or talk is None:
        return offers
    to = talk.draft.to if talk.draft else None
    heard = {made.term for made in view.promises if made.seat == view.viewer and made.to in (None, to)}

    def is_credible(action: AnyAction) -> bool:
        match action:
            case PromiseTo():
                return talk.draft is None
            case Promise(term=term):
                helps = talk.draft is None or talk.draft.asked is None or term.jump.solo in (None, to)
                return term not in heard and helps and can_be_true(view, term)
            case AskInExchange(term=term):
                return to is not None and term.jump.solo in (None, view.viewer) and can_be_asked(view, to, term)
        return True

    return [offer for offer in offers if is_credible(offer.action)]


class DealReplies:
    """Answers each deal once, and remembers how it means to answer while the promise is made step by step."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(None if seed is None else f"deals {seed}")
        self._meant: dict[tuple[int, int], Reply | None] = {}  # by jumprun and place in the view; None: no
        self._refused: set[tuple[int, int]] = set()

    def __call__(self, view: View, offers: Sequence[Offer[AnyAction]]) -> AnyAction | Whisper | None:
        me = view.viewer
        if view.phase != "plane" or not isinstance(me, int) or not view.promising:
            return None
        self._meant = {key: meant for key, meant in self._meant.items() if key[0] == view.jumprun}
        legal = {offer.action for offer in offers}
        for place, deal in enumerate(view.promises):
            key = view.jumprun, place
            if deal.asked is None or deal.to != me or key in self._refused or is_settled(view, place):
                continue
            talk = view.talk[me]
            if talk and talk.draft and talk.draft.to != deal.seat:
                return None  # finishes its own promise first
            if key not in self._meant:
                self._meant[key] = self._judge(view, deal)
            meant = self._meant[key]
            step = None if meant is None else _next_step(view, deal.seat, meant)
            if step in legal:
                return step
            self._refused.add(key)
            return Whisper(NO if meant is None else PROMISED_OUT, deal.seat)
        return None

    def _judge(self, view: View, deal: Promised) -> Reply | None:
        """Accept, make a counter-offer once, or refuse; a bot is in with ✓ or not at all, because it plans so."""
        mood = self._random.uniform(-MOOD, MOOD)
        assert deal.asked is not None
        replies = [Reply(deal.asked, deal.term)] if deal.asked.pledge != "maybe" else []
        if not any(made.seat == view.viewer and made.to == deal.seat and made.asked for made in view.promises):
            replies += counter_offers(view, deal)
        for reply in replies:
            askable = reply.asked == deal.term or can_be_asked(view, deal.seat, reply.asked)
            if askable and can_be_true(view, reply.term) and balance(view, deal.seat, reply) + mood >= 0:
                return reply
        return None


def is_settled(view: View, place: int) -> bool:
    """Return whether a deal offered to the viewer accepts one of the viewer's own, or has been answered: by the promise
    it asks for, or by another deal."""
    deal = view.promises[place]
    if any(made.seat == deal.to and is_accepted_by(made, deal) for made in view.promises[:place]):
        return True
    own = [made for made in view.promises[place + 1 :] if made.seat == deal.to and made.to == deal.seat]
    return any(made.term == deal.asked or made.asked is not None for made in own)


def is_accepted_by(deal: Promised, made: Promised) -> bool:
    """Return whether a promise accepts a deal."""
    sides = (deal.seat, deal.to) == (made.to, made.seat)
    return sides and (deal.term, deal.asked) == (made.asked, made.term)


def _next_step(view: View, seat: int, reply: Reply) -> AnyAction:
    """Return the next action of a promise to a player in exchange for another."""
    assert isinstance(view.viewer, int)
    talk = view.talk[view.viewer]
    draft = talk.draft if talk else None
    if view.viewer in view.ready:
        return WithdrawReady()
    if draft is None or draft.to != seat or draft.asked not in (None, reply.asked):
        return PromiseTo(seat)
    return AskInExchange(reply.asked) if draft.asked is None else Promise(reply.term)


def counter_offers(view: View, deal: Promised) -> list[Reply]:
    """List what could be offered instead: less of what was asked for, or the same if they come along."""
    asked = deal.asked
    assert asked is not None
    if asked.pledge == "figures":
        return [Reply(Term("figures", asked.jump, worth), deal.term) for worth in range(asked.worth - 1, 0, -1)]
    if asked.pledge not in ("sure", "maybe") or asked.jump.solo is not None:
        return []
    sure = Term("sure", asked.jump)
    return [Reply(sure, deal.term), Reply(sure, sure)]


def balance(view: View, seat: int, reply: Reply) -> float:
    """Weigh what another player would promise against what the viewer would."""
    assert isinstance(view.viewer, int)
    mine = {term.jump for term in (*terms_of(view, view.viewer), reply.term) if term.pledge in ("sure", "maybe")}
    kept, broken = view.honesty[seat].kept, view.honesty[seat].broken
    word = 1.0 if (kept + GOODWILL) / (kept + broken + GOODWILL) >= TRUSTED else DISTRUST
    return word * gain(view, reply.asked, mine) - cost(view, seat, reply, mine)


def gain(view: View, term: Term, mine: set[Jump]) -> float:
    """Value a promise of another player; `mine` are the jumps on which the viewer will be."""
    if term.jump not in mine:
        return 1.0 if term.jump.solo == view.viewer and term.pledge == "harmless" else 0.0
    match term.pledge:
        case "sure":
            return 3.0
        case "maybe":
            return 1.0
        case "out":
            return 2.0 if jumpers(view, term.jump) > term.jump.number else 0.0
        case "figures":
            return 0.5 * term.worth
    return 1.0


def cost(view: View, seat: int, reply: Reply, mine: set[Jump]) -> float:
    """Value a promise of the viewer's own; a place that completes a formation pays for itself."""
    assert isinstance(view.viewer, int)
    term = reply.term
    match term.pledge:
        case "sure":
            if term.jump.solo is not None or term in terms_of(view, view.viewer):
                return 0.0
            comes = reply.asked.jump == term.jump and reply.asked.pledge == "sure"
            there = jumpers(view, term.jump) + (comes and reply.asked not in terms_of(view, seat))
            lacking = term.jump.number - 1 - there
            return 3.0 if lacking < 0 else -1.5 if lacking == 0 else 1.0
        case "figures":
            return (0.15 if term.jump in mine else 0.5) * term.worth
    return 0.5


def jumpers(view: View, jump: Jump) -> int:
    """Count the other players who said that they are on a jump for sure."""
    said = {made.seat for made in view.promises if made.term.pledge == "sure" and made.term.jump == jump}
    return len(said - {view.viewer})
