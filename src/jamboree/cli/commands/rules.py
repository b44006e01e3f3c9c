"""`jamboree rules`: the digest of a game's rules, and the rulings."""

import os
import stat
import sys
from contextlib import suppress

from rich.console import Console
from rich.markdown import Markdown

from jamboree.core.game import AnyGame
from jamboree.games import find

from ..language import language_of, rules_text
from ..options import GameKey, Lang
from ..show import console


def rules(game: GameKey, lang: Lang = "") -> None:
    """Print the rules of a game, and our rulings on what they leave open."""
    found, out = find(game), console()
    lang = language_of(found, lang)
    text = rules_text(found, lang)
    if out.is_terminal or _is_piped_in_a_terminal():
        out.print(Markdown(text))
    else:
        out.out(text, end="")


def _is_piped_in_a_terminal() -> bool:
    """Tell whether the output goes through a pipe, as for `head`, while a person sits at the terminal behind it."""
    with suppress(OSError, ValueError):
        piped = stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
        return piped and (sys.stdin.isatty() or sys.stderr.isatty())
    return False


def page_rules(out: Console, game: AnyGame, lang: str) -> None:
    """Show the rules a page at a time."""
    os.environ.setdefault("LESS", "-R")
    os.environ.setdefault("LESSCHARSET", "utf-8")  # as this program writes, whatever the locale says
    with out.pager(styles=True):
        print_rules(out, game, lang)


def print_rules(out: Console, game: AnyGame, lang: str) -> None:
    out.print(Markdown(rules_text(game, lang)))
