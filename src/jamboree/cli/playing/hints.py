"""Hints at the terminal: the best actions, what each pays, the reason, and what to type for it."""

from collections.abc import Collection, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from jamboree.bots import Budget, has_base_bot
from jamboree.bots.search import await_ready
from jamboree.coach import AdviceText, MoveText, advise, render_advice
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer
from jamboree.server.protocol.frames import Hint

from ..language import CATALOGUE
from ..output import fold, print_text, style_of
from .menu import Group

WAIT_COMMAND = "w"
LETTERS = "xyzjklabcdefghimnopqrstuvw"  # labels for moves without a number, in this order
HINT_BUDGET = Budget(playouts=2400, seconds=2.0)
LOADING_TIME = 5.0  # seconds to wait for compiled code to load; compiling takes longer


def advice(
    out: Console, game: AnyGame, view: Any, offers: Sequence[Offer[Any]], names: Sequence[str], lang: str
) -> AdviceText | None:
    """Search for the best actions in a view; None, with a message, if there is nothing to advise."""
    if not has_base_bot(game):
        print_text(out, CATALOGUE.say(lang, "hint.none"))
    elif not offers:
        print_text(out, CATALOGUE.say(lang, "hint.nothing"))
    elif len(offers) == 1:
        print_text(out, CATALOGUE.say(lang, "hint.only"))
    else:
        patient = await_ready(game, LOADING_TIME)
        return render_advice(game, advise(game, view, offers, HINT_BUDGET, patient=patient), view, offers, names, lang)
    return None


def hint_labels(groups: Sequence[Group], actions: Sequence[Any], reserved: Collection[str]) -> list[str]:
    """Return for each action what to type for it; the action None means waiting.

    That is its number in the menu if every entry is a single move (in a menu of groups the number would mean something
    else inside a group), otherwise a letter that is neither a command nor a target.
    """
    if not groups:  # nothing can be chosen
        return ["·" for _ in actions]
    single = all(len(group.targets) == 1 for group in groups)
    numbered = [group.targets[0].action for group in groups] if single else []
    targets = [target for group in groups for target in group.targets]
    free = (
        letter for letter in LETTERS if letter not in reserved and not any(target.matches(letter) for target in targets)
    )
    return [
        WAIT_COMMAND if action is None else str(numbered.index(action) + 1) if action in numbered else next(free, "·")
        for action in actions
    ]


def show_advice(
    out: Console, advised: AdviceText | Hint, moves: Sequence[MoveText], labels: Sequence[str], lang: str
) -> None:
    if advised.chance is not None:
        chance, error = percent(advised.chance), max(1, percent(advised.error))
        print_text(
            out, CATALOGUE.say(lang, "hint.chance", chance=chance, error=error, playouts=advised.playouts), "dim"
        )
    if advised.soon:
        print_text(out, CATALOGUE.say(lang, "hint.soon"), "dim")
    width = max(map(len, labels), default=0)
    for label, move in zip(labels, moves, strict=True):
        line = Text(f"  {label:>{width}}  ", style_of("strong")).append(move.title, style_of("strong"))
        text = Text(" " * (width + 4)).append(move.reason)
        for part in (*fold(out, line.append_text(_gain(move, lang)), width + 4), *fold(out, text, width + 4)):
            out.print(part)
    if any(label.isalnum() for label in labels):
        print_text(out, CATALOGUE.say(lang, "hint.type"), "dim")


def _gain(move: MoveText, lang: str) -> Text:
    text = Text(f"  +{move.certain}" if move.certain else "", style_of("good"))
    if move.chance is not None:
        text.append(f"  {CATALOGUE.say(lang, 'hint.wins', chance=percent(move.chance))}", style_of("dim"))
    return text


def percent(part: float) -> int:
    return round(100 * part)
