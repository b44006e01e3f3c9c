"""Why an action is good, for those who ask for a hint."""

from jamboree.core.kit.reasons import Reasoned, Reasons, always
from jamboree.core.words import join_words

from ..box.components import CHARACTERS, FIGURES, NUMBER
from ..box.jumps import Jump
from ..box.texts import CATALOGUE
from ..rules.actions import AskInExchange, PlayCard, Promise, PromiseTo, SayDone, SayReady
from ..rules.events import OddsWeighed
from ..rules.promises import harmful
from ..visibility.views import Promised, View
from .phrases import announce_jump, naming, with_animals

GOOD_NAME = 0.6  # of the promises must have been kept for people to listen


def own_word(about: Reasoned) -> str | None:
    """Say that an action keeps or breaks a promise of the player's."""
    for made in about.view.promises:
        if made.seat == about.seat and made.term.jump == about.action.jump and (key := _kept(made, about.action)):
            return CATALOGUE.say(about.lang, key)
    return None


def _kept(made: Promised, play: PlayCard) -> str | None:
    if made.term.pledge == "out":
        return "coach.breaks-word" if play.card in ("sure", "maybe") else None
    if made.term.pledge == "harmless":
        return "coach.breaks-word" if harmful(NUMBER[play.card]) else None
    if made.term.pledge == "figures":
        return "coach.own-word" if _is_figure(play.card) else None
    return "coach.own-word" if play.card == made.term.pledge else None


def company(about: Reasoned) -> str | None:
    """Say who promised to be in on a formation."""
    if about.action.card not in CHARACTERS or about.action.jump.solo is not None:
        return None
    in_on = _pledged(about)
    if not in_on:
        return None
    names = join_words([*map(naming(about.names, about.lang), in_on)], about.lang)
    return CATALOGUE.say(about.lang, "coach.pledged", count=len(in_on), names=names, jump=_jump(about))


def _pledged(about: Reasoned) -> list[int]:
    view: View = about.view
    seats = {made.seat for made in view.promises if made.term.pledge == "sure" and made.term.jump == about.action.jump}
    return sorted(seats - {about.seat})


def room(about: Reasoned) -> str | None:
    """Say what a character card means, and how many jumpers a formation lacks if everybody keeps their word."""
    jump: Jump = about.action.jump
    if about.action.card != "sure":
        meant = {"maybe": "coach.maybe", "bluff": "coach.bluff"}.get(about.action.card)
        return CATALOGUE.say(about.lang, meant) if meant else None
    if jump.solo is not None:
        return CATALOGUE.say(about.lang, "coach.solo")
    missing = jump.number - 1 - len(_pledged(about))
    if missing < 0:
        return CATALOGUE.say(about.lang, "coach.crowded", jump=_jump(about))
    return CATALOGUE.say(about.lang, "coach.missing" if missing else "coach.enough", count=missing, jump=_jump(about))


def odds(about: Reasoned) -> str | None:
    for weighed in about.events(OddsWeighed):
        numbers = {
            "dice": weighed.dice,
            "count": weighed.dice,
            "difficulty": weighed.difficulty,
            "percent": weighed.percent,
        }
        return CATALOGUE.say(about.lang, "coach.odds", **numbers)
    return None


def harm(about: Reasoned) -> str | None:
    """Say whose jump a harmful card spoils."""
    if not harmful(NUMBER[about.action.card]):
        return None
    on_it = {laid.seat for laid in about.view.plays if laid.character and laid.jump == about.action.jump}
    names = join_words([*map(naming(about.names, about.lang), sorted(on_it - {about.seat}))], about.lang)
    return CATALOGUE.say(about.lang, "coach.harms", jump=_jump(about), names=names) if names else None


def _is_figure(card: str) -> bool:
    return NUMBER[card] < FIGURES


def reputation(about: Reasoned) -> str | None:
    """Say whether people have a reason to believe a promise."""
    record = about.view.honesty[about.seat]
    context = record.kept + record.broken
    if not context or record.kept / context < GOOD_NAME:
        return CATALOGUE.say(about.lang, "coach.promise")
    return CATALOGUE.say(about.lang, "coach.trusted", kept=record.kept, all=context)


def _jump(about: Reasoned) -> str:
    return announce_jump(about.action.jump, with_animals(about.names, about.lang))


REASONS: Reasons = {
    PlayCard: (own_word, company, room, harm, odds),
    Promise: (reputation,),
    PromiseTo: (always(CATALOGUE, "coach.begin"),),
    AskInExchange: (always(CATALOGUE, "coach.ask"),),
    SayReady: (always(CATALOGUE, "coach.ready"),),
    SayDone: (always(CATALOGUE, "coach.done"),),
}
