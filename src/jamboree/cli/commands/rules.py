"""`jamboree rules`: prints a game's rules and our rulings."""

import os
import stat
import sys
from contextlib import suppress

from rich.markdown import Markdown

from jamboree.games import find

from ..language import game_language, rules_text
from ..options import GameKey, Lang
from ..output import console


def rules(game: GameKey, lang: Lang = "") -> None:
    """Print the rules of a game, and our rulings on what they leave open."""
    found, out = find(game), console()
    lang = game_language(found, lang)
    text = rules_text(found, lang)
    if out.is_terminal or _is_piped_in_a_terminal():
        out.print(Markdown(text))
    else:
        out.out(text, end="")


def _is_piped_in_a_terminal() -> bool:
    """Whether the output goes through a pipe, as to `head`, in an interactive terminal."""
    with suppress(OSError, ValueError):
        piped = stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
        return piped and (sys.stdin.isatty() or sys.stderr.isatty())
    return False
