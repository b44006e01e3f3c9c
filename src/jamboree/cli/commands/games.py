"""`jamboree games`: lists the games."""

from jamboree.bots import bot_factories, character, has_base_bot, levels
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame, in_order
from jamboree.core.options import choices
from jamboree.core.table_options import packaged
from jamboree.games import all_games

from ..error_handling import print_error
from ..game_flags import flags_of, values_of
from ..output import console, print_text


def games() -> None:
    """List the games with their numbers of players, options and bots."""
    out = console()
    for game in in_order(all_games().values()):
        try:
            lines = _description(game)
        except Exception as error:  # a broken third-party game must not hide the others
            print_error(JamboreeError(f"The game {game.info.key!r} can't be listed: {type(error).__name__}."))
            continue
        print_text(out, f"{game.info.key}  {game.info.title}", "strong")
        for line in lines:
            print_text(out, f"  {line}")


def _description(game: AnyGame) -> list[str]:
    least, most = game.info.seats
    flags = flags_of(game)
    choice_flags = [flag for flag in flags if choices(flag.type)]
    files = {field: ", ".join(packaged(game, field)) for field in dict.fromkeys(flag.field for flag in flags)}
    return [
        f"players  {least} to {most}",
        f"options  {' '.join(flag.shown for flag in flags) or 'none'}",
        *(f"         {flag.shown} is one of: {', '.join(values_of(game, flag))}" for flag in choice_flags),
        *(f"{field + 's':<7}  {names}" for field, names in files.items() if names),
        f"bots     {', '.join(bot_factories(game))}",
        *(f"         {line}" for line in _characters(game)),
    ]


def _characters(game: AnyGame) -> list[str]:
    if not has_base_bot(game):
        return ["all play at random: the game has no bots of its own"]
    return [f"{level} is {character(level).name}, who {character(level).line}" for level in levels(game)]
