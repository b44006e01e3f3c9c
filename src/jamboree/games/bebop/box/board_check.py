"""Whether a board that could be read is a good one: every rule, for every number of players."""

from collections.abc import Callable, Iterator
from functools import lru_cache

from jamboree.core.geometry import bits, connected, groups
from jamboree.core.options import Examined

from .board import BadBoard, Board, BoardMistake, Ground, Stage
from .board_parser import sorted_mistakes
from .components import FACES, PLAYER_COUNTS, box
from .festivals import Demands, demands

Rule = Callable[[Ground, Demands], Iterator[BoardMistake]]

SIZES = (1, 2, 3)
CENTRE_SIZE = 6


def check(board: Board) -> list[BoardMistake]:
    """List every broken rule, in the order of the file."""
    return list(_check(board))


@lru_cache(maxsize=64)
def _check(board: Board) -> tuple[BoardMistake, ...]:
    requirements = demands(board.id)
    whole = board.ground(PLAYER_COUNTS[-1])
    mistakes = [mistake for rule in BOARD_RULES for mistake in rule(whole, requirements)]
    for players in PLAYER_COUNTS:
        ground = board.ground(players)
        mistakes += [mistake for rule in GROUND_RULES for mistake in rule(ground, requirements)]
    return tuple(sorted_mistakes(mistakes))


def examine(text: bytes) -> Examined:
    """Look a board over that somebody has drawn."""
    try:
        board = Board.parse(text)
    except BadBoard as error:
        return Examined([str(mistake) for mistake in error.mistakes], [])
    mistakes = [str(mistake) for mistake in check(board)]
    return Examined(mistakes, [] if mistakes else report(board))


def report(board: Board) -> list[str]:
    """Count what is in play, a line for each number of players."""
    return [_count(board.ground(players)) for players in PLAYER_COUNTS]


def _count(ground: Ground) -> str:
    sizes = [len(stage.spaces) for stage in ground.stages if not stage.central]
    dice = f", {len(ground.printed_dice)} dice" if ground.printed_dice else ""
    return (
        f"{ground.players}p: {len(ground.hexes)} hexes, {ground.free_normal.bit_count()} normal, "
        f"{ground.vip.bit_count()} VIP, {ground.spaces.bit_count()} stage spaces "
        f"in {len(ground.stages)} stages (1/2/3: {'/'.join(str(sizes.count(size)) for size in SIZES)}){dice}"
    )


def _stages_keep_apart(ground: Ground, _: Demands) -> Iterator[BoardMistake]:
    for number, stage in enumerate(ground.stages):
        for other in ground.stages[number + 1 :]:
            if touching := stage.beside & other.mask:
                at = next(bits(touching))
                yield _at_hex(ground, at, f"stage {other.letter} is next to stage {stage.letter}")


def _dice_of_a_colour_keep_apart(ground: Ground, _: Demands) -> Iterator[BoardMistake]:
    for number, (at, colour, _face) in enumerate(ground.printed_dice):
        for other, other_colour, _face in ground.printed_dice[number + 1 :]:
            if colour == other_colour and ground.near[at] >> other & 1:
                one = ground.hexes[at].symbol
                yield _at_hex(ground, other, f"the preprinted die next to this one, {one}, is {colour} too")


def _centre_is_named(ground: Ground, requirements: Demands) -> Iterator[BoardMistake]:
    board = ground.board
    if requirements.needs_centre and not board.centre:
        yield BoardMistake(0, 0, "the header names no centre, and this festival has a central stage")
    if board.centre and not any(stage.central for stage in ground.stages):
        yield _at_header(board, "centre", f"there is no stage {board.centre} on the map")


def _a_border_cuts_a_stage(ground: Ground, requirements: Demands) -> Iterator[BoardMistake]:
    regions: dict[str, set[int]] = {}
    for spot in ground.hexes:
        if spot.is_stage:
            regions.setdefault(spot.symbol, set()).add(spot.region)
    if requirements.needs_cut and not any(len(crossed) > 1 for crossed in regions.values()):
        yield BoardMistake(0, 0, "no border cuts a stage, and on this festival one has to")


def _ground_is_connected(ground: Ground, _: Demands) -> Iterator[BoardMistake]:
    parts = groups((1 << len(ground.hexes)) - 1, ground.near)
    if not parts:
        yield _with_players(ground, "there are no hexes")
    largest = max(parts, key=int.bit_count, default=0)
    for part in parts:
        if part != largest:
            yield _with_players(ground, "this part of the ground is cut off from the rest", next(bits(part)))


def _stages_are_connected(ground: Ground, _: Demands) -> Iterator[BoardMistake]:
    for stage in ground.stages:
        if not connected(stage.mask, ground.near):
            apart = groups(stage.mask, ground.near)[1]
            yield _with_players(ground, f"stage {stage.letter} is not connected", next(bits(apart)))


def _stages_have_their_size(ground: Ground, _: Demands) -> Iterator[BoardMistake]:
    for stage in ground.stages:
        size = len(stage.spaces)
        if stage.central and size != CENTRE_SIZE:
            text = f"the central stage {stage.letter} has {size} spaces, not {CENTRE_SIZE}"
            yield _with_players(ground, text, stage.spaces[0])
        if not stage.central and size > max(SIZES):
            text = f"stage {stage.letter} has {size} spaces; {max(SIZES)} are the most"
            yield _with_players(ground, text, stage.spaces[0])


def _centre_is_in_play(ground: Ground, _: Demands) -> Iterator[BoardMistake]:
    centre = [spot for spot in ground.board.hexes if spot.symbol == ground.board.centre]
    if centre and not any(stage.central for stage in ground.stages):
        text = f"with {ground.players} players the central stage {centre[0].symbol} is outside the ground"
        yield BoardMistake(centre[0].row, centre[0].column, text)


def _stages_have_a_free_hex(ground: Ground, _: Demands) -> Iterator[BoardMistake]:
    for stage in ground.stages:
        if not stage.ring & ground.free_normal:
            yield _with_players(ground, f"stage {stage.letter} has no free normal hex beside it", stage.spaces[0])


def _all_sizes_are_there(ground: Ground, _: Demands) -> Iterator[BoardMistake]:
    for size in SIZES:
        if not any(len(stage.spaces) == size for stage in ground.stages if not stage.central):
            yield _with_players(ground, f"there is no stage of {size} space{'s' if size > 1 else ''}")


def _spaces_fit_the_tokens(ground: Ground, requirements: Demands) -> Iterator[BoardMistake]:
    spaces = ground.spaces.bit_count()
    there_are = _counted(spaces, "stage space", "stage spaces")
    least, most = requirements.least_spaces[ground.players - 2], box(ground.players).tokens_per_feature * len(FACES)
    if spaces > most:
        yield _with_players(ground, f"{there_are}, and only {most} tokens")
    if spaces < least:
        yield _with_players(ground, f"{there_are}; {least} are the least")


def _normals_fit_the_players(ground: Ground, requirements: Demands) -> Iterator[BoardMistake]:
    normals, stated = ground.free_normal.bit_count(), ground.board.normals[ground.players - 2]
    low, high = (each * ground.players for each in requirements.normals_per_player)
    text = f"with {ground.players} players {_counted(normals, 'normal hex', 'normal hexes')}"
    if normals != stated:
        yield _at_header(ground.board, "normals", f"{text}, but the header says {stated}")
    if not low <= normals <= high:
        wish = f"{low}" if low == high else f"{low} to {high}"
        yield BoardMistake(0, 0, f"{text} instead of {wish}")


def _vips_are_enough(ground: Ground, requirements: Demands) -> Iterator[BoardMistake]:
    vips, least = ground.vip.bit_count(), requirements.least_vips[ground.players - 2]
    if vips < least:
        text = f"{_counted(vips, 'VIP hex', 'VIP hexes')}; {least} are the least"
        yield _with_players(ground, text)


def _vips_see_a_stage(ground: Ground, _: Demands) -> Iterator[BoardMistake]:
    for at in bits(ground.vip & ~ground.beside(ground.spaces)):
        yield _with_players(ground, "this VIP hex is not next to a stage", at)


def _normals_are_near_a_stage(ground: Ground, _: Demands) -> Iterator[BoardMistake]:
    beside = ground.beside(ground.spaces)
    for at in bits(ground.normal & ~(beside | ground.beside(beside))):
        yield _with_players(ground, "this hex is more than one step from a hex next to a stage", at)


def _printed_dice_are_counted(ground: Ground, requirements: Demands) -> Iterator[BoardMistake]:
    dice, right = len(ground.printed_dice), requirements.printed_dice[ground.players - 2]
    if dice != right:
        at = ground.printed_dice[-1][0] if dice > right else None
        text = f"{_counted(dice, 'preprinted die', 'preprinted dice')}, not {right}"
        yield _with_players(ground, text, at)


def _stars_have_tokens_left(ground: Ground, _: Demands) -> Iterator[BoardMistake]:
    stars, left = box(ground.players).stars_per_feature, _tokens_after_triples(ground)
    if left < stars:
        taken = box(ground.players).tokens_per_feature - left
        text = f"triples and centre take {taken} tokens of each feature, too many to swap in {stars} with a star"
        yield _with_players(ground, text)


def _tokens_can_be_laid(ground: Ground, _: Demands) -> Iterator[BoardMistake]:
    left = _tokens_after_triples(ground)
    if left < 0 or not _fill_exists(ground.stages, left):
        yield _with_players(ground, "the tokens cannot be laid without a duplicate in some stage")


def _tokens_after_triples(ground: Ground) -> int:
    """Count the tokens of each feature that are left when the triples and the centre have theirs."""
    taken = sum(len(stage.spaces) // 3 for stage in ground.stages if stage.central or len(stage.spaces) == 3)
    return box(ground.players).tokens_per_feature - taken


def _fill_exists(stages: tuple[Stage, ...], left: int) -> bool:
    """Try all ways to fill singles and doubles, by what they leave of each feature; stars change nothing."""
    leaving = {(left,) * len(FACES)}
    for size in (len(stage.spaces) for stage in stages if not stage.central):
        if size < 3:
            leaving = {after for before in leaving for after in _fills(before, size)}
    return bool(leaving)


def _fills(left: tuple[int, ...], size: int) -> Iterator[tuple[int, ...]]:
    """Give one feature to a single, or all but one to a double."""
    for chosen in range(len(left)):
        after = tuple(k - ((feature == chosen) == (size == 1)) for feature, k in enumerate(left))
        if min(after) >= 0:
            yield after


def _at_hex(ground: Ground, at: int, text: str) -> BoardMistake:
    return BoardMistake(ground.hexes[at].row, ground.hexes[at].column, text)


def _at_header(board: Board, key: str, text: str) -> BoardMistake:
    return BoardMistake(*board.header_at[key], text)


def _with_players(ground: Ground, text: str, at: int | None = None) -> BoardMistake:
    text = f"with {ground.players} players {text}"
    return BoardMistake(0, 0, text) if at is None else _at_hex(ground, at, text)


def _counted(count: int, one: str, many: str) -> str:
    return f"there is 1 {one}" if count == 1 else f"there are {count} {many}"


BOARD_RULES: tuple[Rule, ...] = (
    _stages_keep_apart,
    _dice_of_a_colour_keep_apart,
    _centre_is_named,
    _a_border_cuts_a_stage,
)

GROUND_RULES: tuple[Rule, ...] = (
    _ground_is_connected,
    _stages_are_connected,
    _stages_have_their_size,
    _centre_is_in_play,
    _stages_have_a_free_hex,
    _all_sizes_are_there,
    _spaces_fit_the_tokens,
    _normals_fit_the_players,
    _vips_are_enough,
    _vips_see_a_stage,
    _normals_are_near_a_stage,
    _printed_dice_are_counted,
    _stars_have_tokens_left,
    _tokens_can_be_laid,
)
