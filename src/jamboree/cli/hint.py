"""A hint at the terminal: the best three actions, what each pays, and why."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from jamboree.bots import Budget, thinks
from jamboree.bots.search import await_ready
from jamboree.coach import Advised, Worded, advise, word
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer
from jamboree.server.protocol.frames import Hint

from .language import CATALOGUE
from .show import folded, look, say

THOUGHT = Budget(playouts=2400, seconds=2.0)
PATIENCE = 5.0  # seconds for loading what a search needs; what must be compiled first takes longer


def show_hint(
    out: Console, game: AnyGame, view: Any, offers: Sequence[Offer[Any]], names: Sequence[str], lang: str
) -> None:
    """Say what is best here, from what the person sees."""
    if not thinks(game):
        say(out, CATALOGUE.say(lang, "hint.none"))
    elif not offers:
        say(out, CATALOGUE.say(lang, "hint.nothing"))
    elif len(offers) == 1:
        say(out, CATALOGUE.say(lang, "hint.only"))
    else:
        patient = await_ready(game, PATIENCE)
        advice = advise(game, view, offers, THOUGHT, patient=patient)
        show_advice(out, word(game, advice, view, offers, names, lang), lang)


def show_advice(out: Console, advised: Advised | Hint, lang: str) -> None:
    if advised.chance is not None:
        chance, error = percent(advised.chance), max(1, percent(advised.error))
        say(out, CATALOGUE.say(lang, "hint.chance", chance=chance, error=error, playouts=advised.playouts), "dim")
    if advised.soon:
        say(out, CATALOGUE.say(lang, "hint.soon"), "dim")
    shared = [move.rank for move in advised.moves]
    for move in advised.moves:
        number = f"{move.rank}{'=' if shared.count(move.rank) > 1 else ' '}"
        line = Text(f"  {number} ", look("strong")).append(move.title, look("strong")).append_text(_gain(move, lang))
        for part in (*folded(out, line, 5), *folded(out, Text(f"     {move.reason}"), 5)):
            out.print(part)


def _gain(move: Worded, lang: str) -> Text:
    text = Text(f"  +{move.certain}" if move.certain else "", look("good"))
    if move.chance is not None:
        text.append(f"  {CATALOGUE.say(lang, 'hint.wins', chance=percent(move.chance))}", look("dim"))
    return text


def percent(part: float) -> int:
    return round(100 * part)
