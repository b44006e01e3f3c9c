"""Options that commands share, and those that become options of a table if the game has them."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame

from .files import read_file
from .language import package_of

GameKey = Annotated[str, typer.Argument(metavar="GAME", help="Which game; `jamboree games` lists them.")]
MaybeGameKey = Annotated[
    str | None, typer.Argument(metavar="GAME", help="Which game; `jamboree games` lists them.", show_default=False)
]
Lang = Annotated[str, typer.Option("--lang", metavar="en|nl", help="Language of the game.")]

USUAL_SEATS = 3


class TableOption(NamedTuple):
    """An option of the command line that some games have."""

    flag: str
    field: str  # of the game's options
    value: Any = True  # what the flag stands for, if it takes no value of its own
    is_file: bool = False  # the contents of a file, or of something packaged with the game


TABLE_OPTIONS = (
    TableOption("--board", "board", is_file=True),
    TableOption("--star", "star"),
    TableOption("--hidden", "hidden_hands"),
    TableOption("--songs", "songs", is_file=True),
    TableOption("--hypemaster", "hypemaster"),
    TableOption("--timed", "pace", "standard"),
    TableOption("--pace", "pace"),
    TableOption("--plane-seconds", "plane_seconds"),
    TableOption("--jump-seconds", "jump_seconds"),
    TableOption("--no-promises", "promises", False),
)


def flags_of(game: AnyGame) -> list[str]:
    return [option.flag for option in TABLE_OPTIONS if option.field in game.info.options.__struct_fields__]


def table_options(game: AnyGame, given: Mapping[str, Any]) -> Any:
    """Make the options of a table from the flags that were given."""
    chosen = {}
    for option in TABLE_OPTIONS:
        value = given.get(option.flag)
        if value is None or value is False:
            continue
        if option.field in chosen:
            raise JamboreeError(f"{option.flag} can't go together with another flag for the {option.field}.")
        if option.field not in game.info.options.__struct_fields__:
            raise JamboreeError(f"{option.flag} is not an option of {game.info.title}.")
        chosen[option.field] = _value(game, option, value)
    try:
        return msgspec.convert(chosen, game.info.options)
    except msgspec.ValidationError as error:
        raise JamboreeError(f"{game.info.title} can't be played like this: {error}.") from None


def _value(game: AnyGame, option: TableOption, given: Any) -> Any:
    if option.is_file:
        return contents(game, option.field, given)
    return option.value if given is True else given


def contents(game: AnyGame, field: str, name: str) -> str:
    """Give the text of something packaged with a game, or of a file: a journal never holds a path."""
    known = packaged(game, field)
    path = Path(name)
    if name not in known and not path.exists():
        brought = f"; there are: {', '.join(known)}" if known else ""
        raise JamboreeError(f"There is no file called {name!r} for the {field}{brought}.")
    data = read_file(path) if name not in known else known[name].read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise JamboreeError(f"{path} is not a text file.") from None


def packaged(game: AnyGame, field: str) -> dict[str, Any]:
    """List what a game brings along for an option, by name."""
    folder = files(package_of(game)) / "box" / "data" / f"{field}s"
    if not folder.is_dir():
        return {}
    found = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".txt"): file for file in found if file.name.endswith(".txt")}


def seat_count(game: AnyGame, seats: int | None) -> int:
    """Check the number of players; without one, the usual number if the game allows it."""
    least, most = game.info.seats
    if seats is None:
        return min(max(USUAL_SEATS, least), most)
    if not least <= seats <= most:
        raise JamboreeError(f"{game.info.title} is for {least} to {most} players, not {seats}.")
    return seats
