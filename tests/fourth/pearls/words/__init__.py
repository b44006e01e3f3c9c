"""How Pearl Divers speaks and draws."""

from collections.abc import Iterator, Sequence

import msgspec

from jamboree.core.kit.words import GameWords, Said, Sentences, Told, a_name, counts_by_name, names_in_a_row
from jamboree.core.words import Choice, Line, Span, in_a_row

from ..rules import COLOURS, AnyAction, AnyEvent, BringUp, GameEnded, PearlsSold, SharkMet
from ..seen import View
from ..texts import CATALOGUE


def draw(seen: View) -> str:
    return msgspec.json.encode(seen).decode()


def parse(text: str) -> View:
    return msgspec.json.decode(text, type=View)


def paint(seen: View, names: Sequence[str], lang: str) -> list[Line]:
    sharks = CATALOGUE.say(lang, "shark")
    return [
        [Span(CATALOGUE.say(lang, "table.left", count=seen.left), "strong")],
        [],
        [*_row(CATALOGUE.say(lang, "table.sea"), seen.sea, lang), Span(f"{sharks} {seen.sea[-1]}")],
        [*_row(CATALOGUE.say(lang, "table.held"), seen.held, lang)],
        [],
        *(_player(seen, seat, name, lang) for seat, name in enumerate(names)),
    ]


def _row(title: str, counts: Sequence[int], lang: str, width: int = 18) -> Iterator[Span]:
    """Show pearls, each colour with its letter: nobody has to tell colours apart."""
    yield Span(f"{title:<{width}}")
    for colour, count in zip(COLOURS, counts, strict=False):
        yield Span(f" {CATALOGUE.say(lang, f'letter.{colour}')} ", colour)
        yield Span(f"{count:>3}  ", "" if count else "dim")


def _player(seen: View, seat: int, name: str, lang: str) -> Line:
    buyer = seen.buyers[seat]
    told = CATALOGUE.say(lang, "table.buyer", colour=CATALOGUE.say(lang, buyer)) if buyer else ""
    at_turn = "▸" if seat == seen.turn and not seen.over else " "
    pearls = _row(f" {name[:12]}", seen.chests[seat], lang, 14)
    return [Span(at_turn), Span(f" {seat + 1} ", f"seat{seat}"), *pearls, Span(told)]


def question(seen: View, lang: str) -> str:
    return CATALOGUE.say(lang, "question.over" if seen.over else "question.held" if any(seen.held) else "question.dive")


def choice(action: AnyAction, seen: View, lang: str) -> Choice:
    if isinstance(action, BringUp):
        return Choice(CATALOGUE.say(lang, "choice.bring-up"), CATALOGUE.say(lang, action.colour))
    return Choice(CATALOGUE.say(lang, "choice.dive"), "")


def colour(value: str, told: Told) -> str:
    return CATALOGUE.say(told.lang, value)


def colours(value: Sequence[str], told: Told) -> str:
    return in_a_row([f"{name}: {colour(each, told)}" for name, each in zip(told.names, value, strict=True)], told.lang)


def variant(event: AnyEvent) -> str:
    return "shared" if isinstance(event, GameEnded) and len(event.winners) > 1 else ""


def count(event: AnyEvent) -> int:
    return event.lost if isinstance(event, SharkMet) else event.count if isinstance(event, PearlsSold) else 1


FIELDS: dict[str, Said] = {
    "seat": a_name,
    "colour": colour,
    "buyers": colours,
    "scores": counts_by_name,
    "winners": names_in_a_row,
}

WORDS: GameWords[AnyAction, AnyEvent, View] = GameWords(
    catalogue=CATALOGUE,
    draw=draw,
    parse=parse,
    paint=paint,
    question=question,
    choice=choice,
    sentence=Sentences(catalogue=CATALOGUE, fields=FIELDS, variant=variant, count=count),
)
