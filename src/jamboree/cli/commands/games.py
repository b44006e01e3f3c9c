"""`jamboree games`: what can be played here."""

from jamboree.bots import character, levels, roster, thinks
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame, in_order
from jamboree.core.options import choices
from jamboree.games import all_games
from jamboree.games.options import packaged

from ..flags import flags_of, values_of
from ..polite import complain
from ..show import console, say


def games() -> None:
    """List the games, with their numbers of players, options and bots."""
    out = console()
    for game in in_order(all_games().values()):
        try:
            lines = _about(game)
        except Exception as error:  # somebody else's game must not keep the others out of the list
            complain(JamboreeError(f"The game {game.info.key!r} can't be listed: {type(error).__name__}."))
            continue
        say(out, f"{game.info.key}  {game.info.title}", "strong")
        for line in lines:
            say(out, f"  {line}")


def _about(game: AnyGame) -> list[str]:
    least, most = game.info.seats
    flags = flags_of(game)
    chosen = [flag for flag in flags if choices(flag.type)]
    brought = {field: ", ".join(packaged(game, field)) for field in dict.fromkeys(flag.field for flag in flags)}
    return [
        f"players  {least} to {most}",
        f"options  {' '.join(flag.shown for flag in flags) or 'none'}",
        *(f"         {flag.shown} is one of: {', '.join(values_of(game, flag))}" for flag in chosen),
        *(f"{field + 's':<7}  {names}" for field, names in brought.items() if names),
        f"bots     {', '.join(roster(game))}",
        *(f"         {line}" for line in _characters(game)),
    ]


def _characters(game: AnyGame) -> list[str]:
    if not thinks(game):
        return ["all of them play at random: the game brings no player of its own"]
    return [f"{level} is {character(level).name}, who {character(level).line}" for level in levels(game)]
