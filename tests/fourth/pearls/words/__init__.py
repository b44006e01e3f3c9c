"""The texts and drawings of Pearl Divers."""

from collections.abc import Iterator, Sequence

from jamboree.core.kit import words as kit
from jamboree.core.kit.drawing import json_pair
from jamboree.core.words import Catalogue, Choice, Line, Span

from ..rules import COLOURS, OVER, AnyAction, AnyEvent, BringUp
from ..views import View

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


def question(view: View, lang: str) -> str:
    key = "over" if view.phase == OVER else "held" if any(view.held) else "dive"
    return CATALOGUE.say(lang, f"question.{key}")


def choice(action: AnyAction, view: View, names: Sequence[str], lang: str) -> Choice:
    target = CATALOGUE.say(lang, f"colour.{action.colour}") if isinstance(action, BringUp) else ""
    return Choice(CATALOGUE.say(lang, f"choice.{type(action).__name__}"), target)


def paint(view: View, names: Sequence[str], lang: str) -> list[Line]:
    sharks = CATALOGUE.say(lang, "table.sharks", count=view.sea[-1])
    return [
        [Span(CATALOGUE.say(lang, "table.left", count=view.left), "strong")],
        [*_pearls(CATALOGUE.say(lang, "table.sea"), view.sea, lang), Span(sharks)],
        [*_pearls(CATALOGUE.say(lang, "table.held"), view.held, lang)],
        *(_player(view, seat, name, lang) for seat, name in enumerate(names)),
    ]


def _pearls(title: str, counts: Sequence[int], lang: str, width: int = 16) -> Iterator[Span]:
    """Show pearls, each colour with its letter: nobody has to tell colours apart."""
    yield Span(f"{title[: width - 1]:<{width}}")
    for colour, count in zip(COLOURS, counts, strict=False):
        yield Span(f" {CATALOGUE.say(lang, f'letter.{colour}')} ", colour)
        yield Span(f"{count:>3}  ", "" if count else "dim")


def _player(view: View, seat: int, name: str, lang: str) -> Line:
    buyer = view.buyers[seat]
    double = CATALOGUE.say(lang, "table.buyer", colour=CATALOGUE.say(lang, f"colour.{buyer}")) if buyer else ""
    mark = Span(f" {seat + 1} ", f"seat{seat}")
    at_turn = Span(" ▸ " if seat == view.turn and view.phase != OVER else "   ")
    return [mark, at_turn, *_pearls(name, view.chests[seat], lang, 10), Span(double)]


WORDS: kit.GameWords[AnyAction, AnyEvent, View] = kit.GameWords(
    catalogue=CATALOGUE, draw=draw, parse=parse, paint=paint, question=question, choice=choice, sentence=sentence
)
