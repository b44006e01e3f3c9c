"""What happened, in sentences, and how it ended."""

from collections.abc import Sequence
from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jamboree.bots import levels
from jamboree.core.game import Actor, AnyGame, Outcome, Viewer
from jamboree.core.learning import course_of
from jamboree.core.words import clean

from ..language import CATALOGUE, label
from ..show import gains, look, say, tell


class Telling:
    """Tells one viewer what that viewer may witness of every action."""

    def __init__(self, game: AnyGame, viewer: Viewer, names: Sequence[str], lang: str, out: Console) -> None:
        self.game, self.viewer, self.names, self.lang, self.out = game, viewer, names, lang, out
        self.gain = gains(game.words, lang)
        self.last: Actor | None = None

    def __call__(self, actor: Actor, action: Any, events: list[Any]) -> None:
        seat = self.viewer if isinstance(self.viewer, int) else None
        told = sentences(self.game, events, self.viewer, self.names, self.lang, seat)
        if told and actor != self.last:
            self.out.print()
            self.last = actor
        for sentence in told:
            tell(self.out, sentence, self.names, self.gain)


def sentences(
    game: AnyGame, events: list[Any], viewer: Viewer, names: Sequence[str], lang: str, reader: int | None = None
) -> list[str]:
    """Render what a viewer witnesses; the player at the seat `reader` is “you”."""
    witnessed = (game.witness(event, viewer) for event in events)
    told = (game.words.sentence(event, names, lang, reader) for event in witnessed if event is not None)
    return [sentence for sentence in told if sentence]


def show_result(
    out: Console,
    game: AnyGame,
    view: Any,
    outcome: Outcome,
    names: Sequence[str],
    lang: str,
    reader: int | None = None,
) -> None:
    """Show who won and, where the view has it, where the points came from; the player at `reader` is “you”."""
    sources = _sources(view)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column(CATALOGUE.say(lang, "result.player"))
    for source in sources:
        table.add_column(label(game, f"points.{source}", lang), justify="right")
    table.add_column(CATALOGUE.say(lang, "result.total"), justify="right", style="bold")
    for seat in sorted(range(len(names)), key=lambda seat: (seat not in outcome.winners, -outcome.scores[seat])):
        parts = [str(getattr(view.points[seat], source)) for source in sources]
        table.add_row(Text(clean(names[seat]), look(f"seat{seat}")), *parts, str(outcome.scores[seat]))
    out.print()
    out.print(table)
    key = "result.winner" if len(outcome.winners) == 1 else "result.shared"
    say(out, CATALOGUE.say(lang, key, names=", ".join(names[seat] for seat in outcome.winners)), "strong")
    if decided := game.words.decided(view, outcome, names, lang, reader):
        say(out, clean(decided))


def suggest_next(out: Console, game: AnyGame, won: bool, bots: Sequence[str], lang: str) -> None:
    """Name the command for what comes next: the lessons after a loss, stronger bots after a win."""
    there = list(levels(game))
    met = [there.index(bot) for bot in bots if bot in there]
    if not won and course_of(game):
        say(out, CATALOGUE.say(lang, "next.learn", game=game.info.key))
    elif won and met and max(met) + 1 < len(there):
        say(out, CATALOGUE.say(lang, "next.level", game=game.info.key, level=there[max(met) + 1]))


def _sources(view: Any) -> Sequence[str]:
    """Name the sources of points, if the view has a struct of them for each seat."""
    points = getattr(view, "points", None)
    if isinstance(points, list) and points and isinstance(points[0], msgspec.Struct):
        return points[0].__struct_fields__
    return ()
