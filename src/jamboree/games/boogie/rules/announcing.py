"""The jury told step by step: cards, jumpers, difficulty, dice, score; then promises and points."""

from jamboree.core.geometry import bits
from jamboree.core.kit.events import EventSink
from jamboree.core.kit.rulebook import leaders

from ..box.components import CARDS, SURE
from ..box.jumps import Jump
from ..box.odds import percent
from .actions import action_space
from .events import (
    AnyEvent,
    CardsTurned,
    CharactersRemoved,
    DiceRolled,
    DifficultySet,
    FiguresRefused,
    GameEnded,
    Honesty,
    JumpersCounted,
    JumpmasterMoved,
    JumprunScored,
    JumpScored,
    LateCardTurned,
    PromiseJudged,
    Turned,
)
from .judging import Reading, points_each, result
from .state import NO_TERM, OVER, TO_ALL, VERDICTS, State, read_play


def turned(codes: tuple[int, ...]) -> list[Turned]:
    return [Turned(code >> 4, CARDS[code & 15]) for code in codes]


def announce_late_cards(late_cards: tuple[int, ...], emit: EventSink[AnyEvent]) -> None:
    for code in late_cards:
        _, seat, card, _ = read_play(code)
        emit(LateCardTurned, seat, CARDS[card] if card < SURE else None)


def announce_jump(
    jump: Jump, cards: tuple[int, ...], reading: Reading, eyes: tuple[int, ...], emit: EventSink[AnyEvent]
) -> None:
    characters = tuple(code for code in cards if code & 15 >= SURE)
    emit(CardsTurned, jump, turned(characters), turned(tuple(code for code in cards if code & 15 < SURE)))
    for seat in in_order(characters, reading.twice | reading.late):
        emit(CharactersRemoved, jump, seat, late=bool(reading.late >> seat & 1))
    if reading.refused:
        emit(FiguresRefused, jump, turned(reading.refused))
    who = list(bits(reading.jumpers.seats)) if reading.jumpers else []
    emit(JumpersCounted, jump, list(bits(reading.sure)), list(bits(reading.maybe)), reading.verdict, who)
    if reading.takes_place:
        announce_roll(jump, reading, eyes, who, emit)


def in_order(characters: tuple[int, ...], seats: int) -> list[int]:
    """List some of the seats in the order in which their cards lie."""
    return list(dict.fromkeys(code >> 4 for code in characters if seats >> (code >> 4) & 1))


def announce_roll(
    jump: Jump, reading: Reading, eyes: tuple[int, ...], who: list[int], emit: EventSink[AnyEvent]
) -> None:
    total = sum(eyes)
    if reading.dice:
        odds = percent(reading.dice, reading.difficulty)
        emit(DifficultySet, jump, reading.dice, reading.difficulty, reading.potential, odds)
        emit(DiceRolled, jump, list(eyes), total)
    emit(JumpScored, jump, result(reading, total), who, points_each(reading, total))


def announce_scores(state: State, emit: EventSink[AnyEvent]) -> None:
    terms = action_space(state.seats).terms
    for made, verdict in state.report.judged:
        asked = None if made.asked == NO_TERM else terms[made.asked]
        to = None if made.to == TO_ALL else made.to
        emit(PromiseJudged, made.seat, to, terms[made.term], asked, VERDICTS[verdict])
    emit(JumprunScored, len(state.points), list(state.points[-1]), list(state.scores()))


def announce_next(state: State, emit: EventSink[AnyEvent]) -> None:
    if state.phase != OVER:
        emit(JumpmasterMoved, state.jumpmaster)
        return
    points = list(state.scores())
    emit(GameEnded, leaders(points), points, [honesty_of(state, seat) for seat in range(state.seats)])


def honesty_of(state: State, seat: int) -> Honesty:
    """Count all promises of a player, those to one seat too."""
    own = [state.told_all[seat], *state.told_one[seat * state.seats : (seat + 1) * state.seats]]
    return Honesty(*(sum(column) for column in zip(*own, strict=True)))
