"""Checks of a plugin's game before it is listed, since one that can't be shown would break the list of games."""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame, Eye, GameInfo
from jamboree.core.options import Design, Flag, choices, fields_of, kind_of
from jamboree.core.words import Span

Seats = Annotated[int, msgspec.Meta(ge=1, le=32)]
Minutes = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**31)]


class CheckedInfo(msgspec.Struct):
    """The fields of GameInfo that lists show, with their bounds."""

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    rules_version: Number
    seats: tuple[Seats, Seats]
    minutes: tuple[Minutes, Minutes]
    undo: bool
    list_position: Number
    avatars: Annotated[int, msgspec.Meta(ge=0, le=100)]


def check_info(info: GameInfo) -> None:
    """Check a game's declaration."""
    listed = msgspec.convert(info, CheckedInfo, from_attributes=True)
    _require(listed.seats[0] <= listed.seats[1], "its fewest seats are more than its most")
    _require(all(isinstance(flag, Flag) for flag in info.flags.values()), "its flags are no flags")
    _require(all(isinstance(design, Design) for design in info.designs.values()), "its designs are no designs")
    _require(all(isinstance(sample, info.options) for sample in info.samples), "its samples are no options")
    msgspec.json.encode((msgspec.json.schema(info.options), info.options()))


def check_texts(game: AnyGame, lang: str) -> None:
    """Check the texts that appear in lists and on cards."""
    for key in _text_keys(game):
        text = game.words.text(key, lang)
        _require(text is None or isinstance(text, str), f"{key} is no text")
    for option in fields_of(game.info.options):
        _require(isinstance(game.words.help(option, lang), str), f"the help of {option} is no text")
    _require(isinstance(game.words.rules(lang), str), "its rules are no text")


def _text_keys(game: AnyGame) -> Iterable[str]:
    yield from ("begins", "web.poster.title", "web.poster.line")
    yield from (f"web.seat.{avatar}" for avatar in range(game.info.avatars))
    for name, field in fields_of(game.info.options).items():
        yield f"web.option.{name}"
        yield from (f"web.option.{name}.{value}" for value in choices(kind_of(field.type)))


def check_position(game: AnyGame, state: Any, names: list[str], lang: str) -> None:
    """Check that a state can be shown to every viewer."""
    for viewer in (*range(len(names)), None, Eye.ALL):
        view = game.view(state, viewer)
        _require(isinstance(view, game.info.view), "its view is not what it declares")
        lines = [[Span(*span) for span in line] for line in game.words.paint(view, names, lang)]
        _require(all(isinstance(span.text, str) for line in lines for span in line), "its painting is no text")
        msgspec.json.encode((view, lines, list(game.standing(view))))


def check_bots(game: AnyGame) -> None:
    bots: Any = game.bots()
    for name, maker in bots.items():
        _require(isinstance(name, str) and callable(maker), "its bots are no bots")


def _require(holds: bool, why: str) -> None:
    if not holds:
        raise JamboreeError(why)
