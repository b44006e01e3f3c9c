"""`jamboree rules`: the digest of a game's rules, and the rulings."""

import os

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
    if out.is_terminal:
        out.print(Markdown(text))
    else:
        out.out(text, end="")


def page_rules(out: Console, game: AnyGame, lang: str) -> None:
    """Show the rules a page at a time."""
    os.environ.setdefault("LESS", "-R")
    with out.pager(styles=True):
        print_rules(out, game, lang)


def print_rules(out: Console, game: AnyGame, lang: str) -> None:
    out.print(Markdown(rules_text(game, lang)))
