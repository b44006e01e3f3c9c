"""Narrates events and shows the result of a game."""

from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jamboree.bots import levels
from jamboree.core.game import Actor, AnyGame, Outcome, Viewer
from jamboree.core.learning import course_of
from jamboree.core.play import Whisper
from jamboree.core.words import clean

from ..language import CATALOGUE, label
from ..output import gain_pattern, print_event, print_text, style_of


class Narrator:
    """Prints the events of every action that one viewer witnesses."""

    def __init__(self, game: AnyGame, viewer: Viewer, names: Sequence[str], lang: str, out: Console) -> None:
        self.game = game
        self.viewer = viewer
        self.names = names
        self.lang = lang
        self.out = out
        self.gain = gain_pattern(game.words, lang)
        self.last_actor: Actor | None = None

    def __call__(self, actor: Actor, action: Any, events: list[Any]) -> None:
        seat = self.viewer if isinstance(self.viewer, int) else None
        narrated = sentences(self.game, events, self.viewer, self.names, self.lang, seat)
        if narrated and actor != self.last_actor:
            self.out.print()
            self.last_actor = actor
        for sentence in narrated:
            print_event(self.out, sentence, self.names, self.gain)

    def hear(self, seat: int, whisper: Whisper) -> None:
        """Print what a player said to the viewer."""
        text = self.game.words.text(f"phrase.{whisper.phrase}", self.lang)
        if whisper.to == self.viewer and text:
            said = CATALOGUE.say(self.lang, "live.whispers", name=clean(self.names[seat]), text=text)
            print_text(self.out, f"  {said}", "dim")


def sentences(
    game: AnyGame, events: list[Any], viewer: Viewer, names: Sequence[str], lang: str, reader: int | None = None
) -> list[str]:
    """Render the events that a viewer witnesses, addressing the player at the seat `reader` as “you”."""
    witnessed = (game.witness(event, viewer) for event in events)
    rendered = (game.words.sentence(event, names, lang, reader) for event in witnessed if event is not None)
    return [sentence for sentence in rendered if sentence]


def show_result(
    out: Console,
    game: AnyGame,
    view: Any,
    outcome: Outcome,
    names: Sequence[str],
    lang: str,
    reader: int | None = None,
) -> None:
    """Show the winners and the scores, by source if the game has several; the player at `reader` is “you”."""
    sources = game.words.points_by_source(view)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column(CATALOGUE.say(lang, "result.player"))
    for source in sources:
        table.add_column(label(game, f"points.{source}", lang), justify="right")
    table.add_column(CATALOGUE.say(lang, "result.total"), justify="right", style="bold")
    for seat in sorted(range(len(names)), key=lambda seat: (seat not in outcome.winners, -outcome.scores[seat])):
        parts = [str(points[seat]) for points in sources.values()]
        table.add_row(Text(clean(names[seat]), style_of(f"seat{seat}")), *parts, str(outcome.scores[seat]))
    out.print()
    out.print(table)
    key = "result.winner" if len(outcome.winners) == 1 else "result.shared"
    print_text(out, CATALOGUE.say(lang, key, names=", ".join(names[seat] for seat in outcome.winners)), "strong")
    if decided := game.words.decided(view, outcome, names, lang, reader):
        print_text(out, clean(decided))


def suggest_next(out: Console, game: AnyGame, won: bool, bots: Sequence[str], lang: str) -> None:
    """Suggest a command: the lessons after a loss, stronger bots after a win."""
    offered = list(levels(game))
    opponents = [offered.index(bot) for bot in bots if bot in offered]
    if not won and course_of(game):
        print_text(out, CATALOGUE.say(lang, "next.learn", game=game.info.key))
    elif won and opponents and max(opponents) + 1 < len(offered):
        print_text(out, CATALOGUE.say(lang, "next.level", game=game.info.key, level=offered[max(opponents) + 1]))
