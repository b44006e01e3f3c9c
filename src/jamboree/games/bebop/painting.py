"""The table as a person looks at it in a terminal: two lines a hex, its name above what lies on it."""

from collections.abc import Iterator, Sequence

from jamboree.core.words import Line, Span

from .board import Board
from .components import COLOURS, FACES, SPECIALS
from .dice import Die
from .notation import BLUR_MARK, HALF_PITCH, NO_DIE_MARK, TILE_MARKS, die_mark, marks
from .speech import CATALOGUE
from .views import Hand, View


def paint(seen: View, names: Sequence[str], lang: str) -> list[Line]:
    board = Board.parse(seen.board)
    title = [Span(board.name, "strong"), Span(f"  {board.tagline}", "dim")]
    return [title, [], *_hexes(seen), [], *_shared(seen, lang), [], *_players(seen, names, lang)]


def _hexes(seen: View) -> Iterator[Line]:
    ground, found = Board.parse(seen.board).ground(seen.seats), marks(seen)
    left = min(x for x, _ in ground.at)
    for row in range(max(y for _, y in ground.at) + 1):
        upper, lower = list[Span](), list[Span]()
        for name, (x, y) in zip(ground.names, ground.at, strict=True):
            if y == row:
                start = (x - left) * HALF_PITCH
                _put(upper, start, [Span(name, "faint")])
                _put(lower, start, _hex_spans(found[name]))
        yield upper
        yield lower


def _put(line: list[Span], start: int, spans: list[Span]) -> None:
    """Append spans to a line at a column."""
    length = sum(len(span.text) for span in line)
    line.append(Span(" " * (start - length)))
    line.extend(spans)


def _hex_spans(mark: str) -> list[Span]:
    if mark == ".":
        return [Span("·", "ground")]
    if mark == "*":
        return [Span("★", "gold")]
    if mark[0] == "=":
        return [Span("=", "dim"), *_die_spans(mark[1:])]
    if mark[0].isdigit():
        seat = Span(mark[:2], f"seat{int(mark[0]) - 1}")
        return [seat, *_die_spans(mark[2:])] if len(mark) > 2 else [seat]
    return [Span(mark, "dim" if mark[1] == "-" else "stage")]


def _die_spans(mark: str) -> list[Span]:
    colour = next(colour for colour in COLOURS if colour[0] == mark[0])
    return [Span(mark, colour)]


def _dice_spans(dice: Sequence[Die | None]) -> list[Span]:
    spans = list[Span]()
    for die in dice:
        spans += [*(_die_spans(die_mark(die)) if die else [Span(NO_DIE_MARK, "dim")]), Span(" ")]
    return spans


def _shared(seen: View, lang: str) -> Iterator[Line]:
    rating = zip(FACES, seen.rating, strict=True)
    markers = "  ".join(f"{CATALOGUE.say(lang, f'feature.{face}')} {value}" for face, value in rating)
    yield [Span(CATALOGUE.say(lang, "table.rating", markers=markers))]
    yield [
        Span(CATALOGUE.say(lang, "table.queue")),
        *_dice_spans(seen.queue),
        Span(CATALOGUE.say(lang, "table.bag", count=seen.bag), "dim"),
    ]


def _players(seen: View, names: Sequence[str], lang: str) -> Iterator[Line]:
    width = max(len(name) for name in names)
    for seat, name in enumerate(names):
        points, supply = seen.points[seat], seen.supplies[seat]
        total = points.families + points.stages + points.majorities
        specials = "".join(TILE_MARKS[1 + at] if tile in supply.specials else "·" for at, tile in enumerate(SPECIALS))
        yield [
            Span("▶ " if seat == seen.turn and seen.phase != "over" else "  ", "strong"),
            Span(f"{seat + 1} {name:<{width}}", f"seat{seat}"),
            Span(f" {total:>3}", "strong"),
            Span(f" = {points.families}+{points.stages}+{points.majorities:<3}", "dim"),
            Span(CATALOGUE.say(lang, "table.supply", basic=f"{supply.basic:>2}", specials=specials)),
            Span(CATALOGUE.say(lang, "table.tokens", tokens=_held(seen, seat))),
            *_hand_spans(seen.hands[seat], lang),
        ]


def _held(seen: View, seat: int) -> str:
    letters = [face[0] for face in FACES] + ["★"]
    held = [f"{letter}{count}" for letter, count in zip(letters, seen.tokens[seat], strict=True)]
    return " ".join(held if seen.star else held[:-1])


def _hand_spans(hand: Hand, lang: str) -> list[Span]:
    label = Span(CATALOGUE.say(lang, "table.hand"))
    return [
        label,
        *(_dice_spans(hand.dice) if hand.dice is not None else [Span(BLUR_MARK * hand.count, "dim")]),
    ]
