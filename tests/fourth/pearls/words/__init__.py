"""How Pearl Divers speaks and draws."""

from collections.abc import Iterator, Sequence

from jamboree.core.kit import words as kit
from jamboree.core.kit.drawing import json_pair
from jamboree.core.words import Catalogue, Choice, Line, Span

from ..rules import COLOURS, OVER, AnyAction, AnyEvent, BringUp
from ..seen import View

CATALOGUE = Catalogue(__name__)
COLOUR, FOUND = kit.from_catalogue(CATALOGUE, "colour"), kit.from_catalogue(CATALOGUE, "found")
FIELDS: dict[str, kit.FieldText] = {
    "seat": kit.player_name,
    "colour": COLOUR,
    "found": FOUND,
    "buyers": kit.each_by_player(COLOUR),
}
FIELDS |= {"scores": kit.counts_by_player, "winners": kit.player_names}
sentence: kit.EventSentences[AnyEvent] = kit.EventSentences(catalogue=CATALOGUE, fields=FIELDS)
draw, parse = json_pair(View)


def question(seen: View, lang: str) -> str:
    key = "over" if seen.phase == OVER else "held" if any(seen.held) else "dive"
    return CATALOGUE.say(lang, f"question.{key}")


def choice(action: AnyAction, seen: View, names: Sequence[str], lang: str) -> Choice:
    target = CATALOGUE.say(lang, f"colour.{action.colour}") if isinstance(action, BringUp) else ""
    return Choice(CATALOGUE.say(lang, f"choice.{type(action).__name__}"), target)


def paint(seen: View, names: Sequence[str], lang: str) -> list[Line]:
    sharks = CATALOGUE.say(lang, "table.sharks", count=seen.sea[-1])
    return [
        [Span(CATALOGUE.say(lang, "table.left", count=seen.left), "strong")],
        [*_pearls(CATALOGUE.say(lang, "table.sea"), seen.sea, lang), Span(sharks)],
        [*_pearls(CATALOGUE.say(lang, "table.held"), seen.held, lang)],
        *(_player(seen, seat, name, lang) for seat, name in enumerate(names)),
    ]


def _pearls(title: str, counts: Sequence[int], lang: str, width: int = 16) -> Iterator[Span]:
    """Show pearls, each colour with its letter: nobody has to tell colours apart."""
    yield Span(f"{title[: width - 1]:<{width}}")
    for colour, count in zip(COLOURS, counts, strict=False):
        yield Span(f" {CATALOGUE.say(lang, f'letter.{colour}')} ", colour)
        yield Span(f"{count:>3}  ", "" if count else "dim")


def _player(seen: View, seat: int, name: str, lang: str) -> Line:
    buyer = seen.buyers[seat]
    double = CATALOGUE.say(lang, "table.buyer", colour=CATALOGUE.say(lang, f"colour.{buyer}")) if buyer else ""
    mark = Span(f" {seat + 1} ", f"seat{seat}")
    at_turn = Span(" ▸ " if seat == seen.turn and seen.phase != OVER else "   ")
    return [mark, at_turn, *_pearls(name, seen.chests[seat], lang, 10), Span(double)]


WORDS: kit.GameWords[AnyAction, AnyEvent, View] = kit.GameWords(
    catalogue=CATALOGUE, draw=draw, parse=parse, paint=paint, question=question, choice=choice, sentence=sentence
)
