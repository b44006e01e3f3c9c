"""Painting of a position for terminals: the board, the legend, the shared area and the players."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from jamboree.core.words import Line, Span

from ..box.board import Board, Ground
from ..box.components import COLOURS, FACES, SPECIALS
from ..box.dice import Die
from ..box.texts import CATALOGUE
from ..visibility.views import Hand, KnownDie, SeatTile, StageSeen, View
from .notation import BLUR_MARK, NO_DIE_MARK, PERFORMED_MARK, PRINTED_MARK
from .phrases import die_letters, letter, say_tagline

BANNER, FREE, VIP, BASIC = "⚑", " · ", "VIP", "."
ROOMY, TIGHT = 3, 2  # characters from a hex to the next half step of the board's map
WIDEST = 80
ROW_MARGIN = "a "  # where rows are named at the left


class Cell(NamedTuple):
    """What is shown on a hex; the mark has three characters at most."""

    style: str
    mark: Line
    banner: bool = False


def paint(view: View, names: Sequence[str], lang: str) -> list[Line]:
    board = Board.parse(view.board)
    hexes = _hexes(board.ground(view.seats), _cells(view, lang))
    below = [*legend(view, lang), [], *shared(view, lang), [], *players(view, names, lang)]
    return [_title(board, lang), [], *hexes, [], *below]


def paint_small(view: View, names: Sequence[str], lang: str) -> list[Line]:
    """Paint the table with one line a row of hexes, as a person looks at it in a window of 24 lines."""
    ground = Board.parse(view.board).ground(view.seats)
    return [*_rows(ground, _cells(view, lang)), *shared(view, lang), *players(view, names, lang)]


def paint_source(source: str, seats: int, lang: str) -> list[Line]:
    return paint_empty(Board.parse(source).ground(seats), lang)


def paint_empty(ground: Ground, lang: str) -> list[Line]:
    """Paint a board with nothing on it, as a designer looks at it."""
    cells = _empty(ground, lang)
    for stage in ground.stages:
        cells.update({ground.names[space]: Cell("raised", [Span(stage.letter, "raised")]) for space in stage.spaces})
    album = CATALOGUE.say(lang, "table.album", album=ground.board.album)
    return [_title(ground.board, lang), [Span(album, "dim")], [], *_hexes(ground, cells)]


def _title(board: Board, lang: str) -> Line:
    return [Span(board.name, "strong"), Span(f"  {say_tagline(board.id, board.tagline, lang)}", "dim")]


def _cells(view: View, lang: str) -> dict[str, Cell]:
    cells = _empty(Board.parse(view.board).ground(view.seats), lang)
    bannered = {name for family in view.families if family.banner for name in family.hexes}
    for stage in view.stages:
        cells.update(_stage_cells(stage, lang))
    for tile in view.tiles:
        cells[tile.hex] = Cell(cells[tile.hex].style, _tile_spans(tile, lang))
    return {name: cell._replace(banner=name in bannered) for name, cell in cells.items()}


def _empty(ground: Ground, lang: str) -> dict[str, Cell]:
    cells = {name: Cell("ground", [Span(FREE, "ground")]) for name in ground.names}
    for place, name in enumerate(ground.names):
        if ground.vip >> place & 1:
            cells[name] = Cell("gold", [Span(VIP, "gold")])
    for place, colour, face in ground.printed_dice:
        cells[ground.names[place]] = Cell("ground", [Span(PRINTED_MARK, "ground"), _die(Die(colour, face), lang)])
    return cells


def _stage_cells(stage: StageSeen, lang: str) -> Iterator[tuple[str, Cell]]:
    if not stage.tokens:
        mark = [Span(stage.stage + PERFORMED_MARK, "spent")]
        yield from ((name, Cell("spent", mark)) for name in stage.spaces)
        return
    for name, token in zip(stage.spaces, stage.tokens, strict=True):
        yield name, Cell("raised", [Span(stage.stage + letter(token.feature, lang) + "*" * token.star, "raised")])


def _tile_spans(tile: SeatTile, lang: str) -> Line:
    """Show an open seat with what it can do; under a die that no longer matters."""
    owner, style = f"{tile.seat + 1}", f"seat{tile.seat}"
    if tile.die is not None:
        return [Span(owner, style), _die(tile.die, lang)]
    kind = letter(tile.tile, lang) if tile.tile in SPECIALS else BASIC
    return [Span(owner + (kind.upper() if tile.face_down else kind), style)]


def _die(die: Die, lang: str) -> Span:
    return Span(die_letters(die, lang), die.colour)


def _hexes(ground: Ground, cells: Mapping[str, Cell]) -> Iterator[Line]:
    columns, rows = [x for x, _ in ground.at], [y for _, y in ground.at]
    half = _half(columns)
    for row in range(min(rows), max(rows) + 1):
        upper, lower = list[Span](), list[Span]()
        for name, (x, y) in zip(ground.names, ground.at, strict=True):
            if y == row:
                start = (x - min(columns)) * half
                _put(upper, start, _upper(name, cells[name], half))
                _put(lower, start, _lower(cells[name], half))
        yield upper
        yield lower


def _half(columns: Sequence[int]) -> int:
    span = max(columns) - min(columns)
    return ROOMY if len(ROW_MARGIN) + span * ROOMY + 2 * ROOMY - 1 <= WIDEST else TIGHT


def _rows(ground: Ground, cells: Mapping[str, Cell]) -> Iterator[Line]:
    """Name a row by its letter at the left; a hex that is free shows its number."""
    columns, rows = [x for x, _ in ground.at], [y for _, y in ground.at]
    half = _half(columns)
    for row in sorted(set(rows)):
        line = [Span(next(name[0] for name, (_, y) in zip(ground.names, ground.at, strict=True) if y == row), "dim")]
        for name, (x, y) in zip(ground.names, ground.at, strict=True):
            if y == row:
                _put(line, len(ROW_MARGIN) + (x - min(columns)) * half, _lower(_numbered(name, cells[name]), half))
        yield line


def _numbered(name: str, cell: Cell) -> Cell:
    """Show the number of a free hex in the place of its mark, with a star where only VIP seats go."""
    mark, number = "".join(span.text for span in cell.mark), name[1:]
    if mark not in (FREE, VIP):
        return cell
    text = f"*{number}" if mark == VIP else number
    return cell._replace(mark=[Span(text.center(len(FREE)), cell.style)])


def _upper(name: str, cell: Cell, half: int) -> Line:
    width = 2 * half - 1
    text = " " * (half - TIGHT) + name + BANNER * cell.banner
    return [Span(text[:width].ljust(width), f"{cell.style} label")]


def _lower(cell: Cell, half: int) -> Line:
    left = half - TIGHT
    right = 2 * half - 1 - left - sum(len(span.text) for span in cell.mark)
    return [Span(" " * left, cell.style), *cell.mark, Span(" " * right, cell.style)]


def _put(line: list[Span], start: int, spans: Line) -> None:
    """Append spans to a line at a column."""
    length = sum(len(span.text) for span in line)
    line.append(Span(" " * (start - length)))
    line.extend(spans)


LONGEST_NAME = 14
NEARLY = 2  # hexes missing at most, for a stage to be mentioned
UNKNOWN = Span(BLUR_MARK * 2, "dim")


def legend(view: View, lang: str) -> Iterator[Line]:
    printed = bool(Board.parse(view.board).ground(view.seats).printed_dice)
    extras = "".join(CATALOGUE.say(lang, f"legend.{key}") for key in ["printed"] * printed + ["star"] * view.star)
    yield [Span(CATALOGUE.say(lang, "legend.hexes"), "dim")]
    yield [Span(CATALOGUE.say(lang, "legend.seats", extras=extras), "dim")]
    yield [Span(CATALOGUE.say(lang, "legend.specials"), "dim")]
    colours = " ".join(f"{letter(colour, lang)}={_word(colour, 'colour', lang)}" for colour in COLOURS)
    faces = " ".join(f"{letter(face, lang)}={_word(face, 'feature', lang)}" for face in FACES)
    yield [Span(CATALOGUE.say(lang, "legend.dice", colours=colours, faces=faces), "dim")]


def shared(view: View, lang: str) -> Iterator[Line]:
    rating = "  ".join(f"{_word(face, 'feature', lang)} {at}" for face, at in zip(FACES, view.rating, strict=True))
    yield [Span(CATALOGUE.say(lang, "table.rating", markers=rating))]
    bag = CATALOGUE.say(lang, "table.bag", count=view.bag)
    yield [Span(CATALOGUE.say(lang, "table.queue")), *_dice(view.queue, lang), Span(bag, "dim")]
    banners = [family for family in view.families if family.banner]
    if banners:
        counts = ", ".join(f"{_word(family.colour, 'colour', lang)} {len(family.hexes)}" for family in banners)
        yield [Span(CATALOGUE.say(lang, "table.banners", banners=counts))]
    if nearly := _nearly(view, lang):
        yield [Span(CATALOGUE.say(lang, "table.nearly", stages=nearly))]


def _nearly(view: View, lang: str) -> str:
    """Tell which stages will soon perform, and what keeps them from it."""
    stages = sorted((stage for stage in view.stages if stage.tokens), key=lambda stage: len(stage.missing))
    return "; ".join(
        CATALOGUE.say(lang, "table.needs", stage=stage.stage, hexes=", ".join(stage.missing))
        for stage in stages[:4]
        if 0 < len(stage.missing) <= NEARLY
    )


def players(view: View, names: Sequence[str], lang: str) -> Iterator[Line]:
    width = min(LONGEST_NAME, max(len(name) for name in names))
    yield [Span(CATALOGUE.say(lang, "table.head", gap=" " * width), "dim")]
    for seat, name in enumerate(names):
        points, supply = view.points[seat], view.supplies[seat]
        total = points.families + points.stages + points.majorities
        sources = f"{points.families}+{points.stages}+{points.majorities}"
        specials = "".join(letter(tile, lang) if tile in supply.specials else "·" for tile in SPECIALS)
        yield [
            Span("▶ " if seat == view.turn and view.phase != "over" else "  ", "strong"),
            Span(f" {seat + 1} ", f"seat{seat}"),
            Span(f" {name[:width]:<{width}}", "strong" if seat == view.viewer else ""),
            Span(f"{total:>6}", "strong"),
            Span(f" = {sources:<10}", "dim"),
            Span(f"{supply.basic:>2} {specials}  {_held(view, seat, lang)}  "),
            *_hand(view.hands[seat], lang),
        ]


def _held(view: View, seat: int, lang: str) -> str:
    letters = [*(letter(face, lang) for face in FACES), "*"]
    held = [f"{each}{count:<2}" for each, count in zip(letters, view.tokens[seat], strict=True)]
    return "".join(held if view.star else [*held[:-1], " " * len(held[-1])])


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
