"""The words for cards, jumps and promises."""

from collections.abc import Callable, Sequence

from jamboree.core.avatars import avatar_of
from jamboree.core.words import PlayerNames

from ..box.components import BOX, CHARACTERS
from ..box.jumps import Jump
from ..box.texts import CATALOGUE
from ..rules.actions import Term

Naming = Callable[[int], str]
"""Names a seat after a verb or preposition: by the animal, or by the player's name with the animal."""


def say_animal(seat: int, lang: str) -> str:
    """Name the animal that was picked for a seat."""
    return CATALOGUE.say(lang, f"animal.{BOX.animals[avatar_of(seat)]}")


def with_animals(names: Sequence[str], lang: str, reader: int | None = None) -> PlayerNames:
    """Add the animals to the names, since questions, which know no names, use the animals alone."""
    return PlayerNames([f"{name} ({say_animal(seat, lang)})" for seat, name in enumerate(names)], lang, reader)


def naming(names: Sequence[str], lang: str) -> Naming:
    return with_animals(names, lang).object


def say_card(card: str, lang: str) -> str:
    """Write a card: jumpcards as printed, with a real minus sign."""
    return CATALOGUE.say(lang, f"card.{card}") if card in CHARACTERS else card.replace("-", "−")


def card_in_sentence(card: str, lang: str) -> str:
    """Name a card within a sentence, where a mere question mark would read as a word that is missing."""
    kind = card if card in CHARACTERS else "jumpcard"
    return CATALOGUE.say(lang, f"card.{kind}.told", card=say_card(card, lang))


def say_jump(jump: Jump, name: Naming, lang: str, solo: str = "jump.solo") -> str:
    if jump.solo is None:
        return CATALOGUE.say(lang, "jump.formation", number=jump.number)
    return CATALOGUE.say(lang, solo, name=name(jump.solo))


def announce_jump(jump: Jump, players: PlayerNames) -> str:
    """Name a jump within a sentence, the reader's own solo as “your solo”."""
    own = jump.solo is not None and jump.solo == players.reader
    return say_jump(jump, players.object, players.lang, "jump.solo.told.you" if own else "jump.solo.told")


def say_term(term: Term, name: Naming, lang: str) -> str:
    return CATALOGUE.say(lang, f"term.{term.pledge}", jump=say_jump(term.jump, name, lang), worth=term.worth)


def say_vow(term: Term, asked: Term | None, players: PlayerNames) -> str:
    """Render a promise as part of a sentence."""
    lang, jump = players.lang, announce_jump(term.jump, players)
    vow = CATALOGUE.say(lang, f"vow.{term.pledge}", jump=jump, worth=term.worth)
    return CATALOGUE.say(lang, "vow.exchange", vow=vow, asked=say_vow(asked, None, players)) if asked else vow


def say_promise(term: Term, asked: Term | None, name: Naming, lang: str) -> str:
    if asked is None:
        return say_term(term, name, lang)
    mine, yours = say_term(term, name, lang), say_term(asked, name, lang)
    return CATALOGUE.say(lang, "exchange", promise=mine, asked=yours)


def say_to(to: int | None, name: Naming, lang: str) -> str:
    return CATALOGUE.say(lang, "to-all") if to is None else name(to)
