"""What is painted below the board: the legend, what all share, and a line for each player."""

from collections import Counter
from collections.abc import Iterator, Sequence

from jamboree.core.words import Line, Span

from ..box.board import Board
from ..box.components import COLOURS, FACES, SPECIALS
from ..box.dice import Die
from ..box.texts import CATALOGUE
from ..seen.views import Hand, KnownDie, View
from .notation import BLUR_MARK, NO_DIE_MARK
from .phrases import die_letters, letter

LONGEST_NAME = 14
NEARLY = 2  # hexes missing at most, for a stage to be mentioned
UNKNOWN = Span(BLUR_MARK * 2, "dim")


def legend(seen: View, lang: str) -> Iterator[Line]:
    printed = bool(Board.parse(seen.board).ground(seen.seats).printed_dice)
    extras = "".join(CATALOGUE.say(lang, f"legend.{key}") for key in ["printed"] * printed + ["star"] * seen.star)
    yield [Span(CATALOGUE.say(lang, "legend.hexes"), "dim")]
    yield [Span(CATALOGUE.say(lang, "legend.seats", extras=extras), "dim")]
    yield [Span(CATALOGUE.say(lang, "legend.specials"), "dim")]
    colours = " ".join(f"{letter(colour, lang)}={_word(colour, 'colour', lang)}" for colour in COLOURS)
    faces = " ".join(f"{letter(face, lang)}={_word(face, 'feature', lang)}" for face in FACES)
    yield [Span(CATALOGUE.say(lang, "legend.dice", colours=colours, faces=faces), "dim")]


def shared(seen: View, lang: str) -> Iterator[Line]:
    rating = "  ".join(f"{_word(face, 'feature', lang)} {at}" for face, at in zip(FACES, seen.rating, strict=True))
    yield [Span(CATALOGUE.say(lang, "table.rating", markers=rating))]
    bag = CATALOGUE.say(lang, "table.bag", count=seen.bag)
    yield [Span(CATALOGUE.say(lang, "table.queue")), *_dice(seen.queue, lang), Span(bag, "dim")]
    banners = [family for family in seen.families if family.banner]
    if banners:
        counts = ", ".join(f"{_word(family.colour, 'colour', lang)} {len(family.hexes)}" for family in banners)
        yield [Span(CATALOGUE.say(lang, "table.banners", banners=counts))]
    if nearly := _nearly(seen, lang):
        yield [Span(CATALOGUE.say(lang, "table.nearly", stages=nearly))]


def _nearly(seen: View, lang: str) -> str:
    """Tell which stages will soon perform, and what keeps them from it."""
    stages = sorted((stage for stage in seen.stages if stage.tokens), key=lambda stage: len(stage.missing))
    return "; ".join(
        CATALOGUE.say(lang, "table.needs", stage=stage.stage, hexes=", ".join(stage.missing))
        for stage in stages[:4]
        if 0 < len(stage.missing) <= NEARLY
    )


def players(seen: View, names: Sequence[str], lang: str) -> Iterator[Line]:
    width = min(LONGEST_NAME, max(len(name) for name in names))
    yield [Span(CATALOGUE.say(lang, "table.head", gap=" " * width), "dim")]
    for seat, name in enumerate(names):
        points, supply = seen.points[seat], seen.supplies[seat]
        total = points.families + points.stages + points.majorities
        sources = f"{points.families}+{points.stages}+{points.majorities}"
        specials = "".join(letter(tile, lang) if tile in supply.specials else "·" for tile in SPECIALS)
        yield [
            Span("▶ " if seat == seen.turn and seen.phase != "over" else "  ", "strong"),
            Span(f" {seat + 1} ", f"seat{seat}"),
            Span(f" {name[:width]:<{width}}", "strong" if seat == seen.viewer else ""),
            Span(f"{total:>6}", "strong"),
            Span(f" = {sources:<10}", "dim"),
            Span(f"{supply.basic:>2} {specials}  {_held(seen, seat, lang)}  "),
            *_hand(seen.hands[seat], lang),
        ]


def _held(seen: View, seat: int, lang: str) -> str:
    letters = [*(letter(face, lang) for face in FACES), "*"]
    held = [f"{each}{count:<2}" for each, count in zip(letters, seen.tokens[seat], strict=True)]
    return "".join(held if seen.star else [*held[:-1], " " * len(held[-1])])


def _hand(hand: Hand, lang: str) -> list[Span]:
    if hand.dice is not None:
        return _dice(hand.dice, lang)
    known = [_known(die, lang) for die in _surely_known(hand)]
    return _spaced([*known, *[UNKNOWN] * (hand.count - len(known))])


def _surely_known(hand: Hand) -> list[KnownDie]:
    """List the dice that are in a hidden hand whichever belief about it is true."""
    beliefs = [Counter(belief.known) for belief in hand.beliefs] or [Counter[KnownDie]()]
    sure = beliefs[0]
    for belief in beliefs[1:]:
        sure &= belief
    return list(sure.elements())


def _known(die: KnownDie, lang: str) -> Span:
    return Span(letter(die.colour, lang) + (letter(die.face, lang) if die.face else BLUR_MARK), die.colour)


def _dice(dice: Sequence[Die | None], lang: str) -> list[Span]:
    return _spaced([Span(die_letters(die, lang), die.colour) if die else Span(NO_DIE_MARK, "dim") for die in dice])


def _spaced(spans: Sequence[Span]) -> list[Span]:
    return [part for span in spans for part in (span, Span(" "))]


def _word(name: str, kind: str, lang: str) -> str:
    return CATALOGUE.say(lang, f"{kind}.{name}")
