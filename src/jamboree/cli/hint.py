"""A hint at the terminal: the best three actions, what each pays, why, and what to type for it."""

from collections.abc import Collection, Sequence
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
from .playing.menu import Group
from .show import folded, look, say

WAITING = "w"  # the command for waiting
LETTERS = "xyzjklabcdefghimnopqrstuvw"  # for moves without a number, in this order
THOUGHT = Budget(playouts=2400, seconds=2.0)
PATIENCE = 5.0  # seconds for loading what a search needs; what must be compiled first takes longer


def advice(
    out: Console, game: AnyGame, view: Any, offers: Sequence[Offer[Any]], names: Sequence[str], lang: str
) -> Advised | None:
    """Find what is best here, from what the person sees; None if there is nothing to advise, which is said."""
    if not thinks(game):
        say(out, CATALOGUE.say(lang, "hint.none"))
    elif not offers:
        say(out, CATALOGUE.say(lang, "hint.nothing"))
    elif len(offers) == 1:
        say(out, CATALOGUE.say(lang, "hint.only"))
    else:
        patient = await_ready(game, PATIENCE)
        return word(game, advise(game, view, offers, THOUGHT, patient=patient), view, offers, names, lang)
    return None


def hint_labels(groups: Sequence[Group], actions: Sequence[Any], reserved: Collection[str]) -> list[str]:
    """Give for each action what makes that very move when it is typed; None is to wait.

    It is the number in the menu, if every entry is a single move: in a menu of groups the same number would mean
    another thing inside a group. Else it is a letter that is neither a command nor a target.
    """
    if not groups:  # nothing can be typed
        return ["·" for _ in actions]
    alone = all(len(group.targets) == 1 for group in groups)
    numbers = [group.targets[0].action for group in groups] if alone else []
    targets = [target for group in groups for target in group.targets]
    free = (each for each in LETTERS if each not in reserved and not any(target.matches(each) for target in targets))
    return [
        WAITING if action is None else str(numbers.index(action) + 1) if action in numbers else next(free, "·")
        for action in actions
    ]


def show_advice(
    out: Console, advised: Advised | Hint, moves: Sequence[Worded], labels: Sequence[str], lang: str
) -> None:
    if advised.chance is not None:
        chance, error = percent(advised.chance), max(1, percent(advised.error))
        say(out, CATALOGUE.say(lang, "hint.chance", chance=chance, error=error, playouts=advised.playouts), "dim")
    if advised.soon:
        say(out, CATALOGUE.say(lang, "hint.soon"), "dim")
    width = max(map(len, labels), default=0)
    for label, move in zip(labels, moves, strict=True):
        line = Text(f"  {label:>{width}}  ", look("strong")).append(move.title, look("strong"))
        text = Text(" " * (width + 4)).append(move.reason)
        for part in (*folded(out, line.append_text(_gain(move, lang)), width + 4), *folded(out, text, width + 4)):
            out.print(part)
    if any(label.isalnum() for label in labels):
        say(out, CATALOGUE.say(lang, "hint.type"), "dim")


def _gain(move: Worded, lang: str) -> Text:
    text = Text(f"  +{move.certain}" if move.certain else "", look("good"))
    if move.chance is not None:
        text.append(f"  {CATALOGUE.say(lang, 'hint.wins', chance=percent(move.chance))}", look("dim"))
    return text


def percent(part: float) -> int:
    return round(100 * part)
