"""The turning points of a game in words, for one viewer: what was done in private is told only to whoever saw it."""

from collections.abc import Sequence
from typing import Any

import msgspec

from jamboree.core.errors import Illegal
from jamboree.core.game import AnyGame, Eye, read_action
from jamboree.core.journal import Entry, Journal, Step, steps
from jamboree.core.review import ReviewSection, Style

from ..wording import CATALOGUE, say_action, say_second_half, say_why
from .analysis import Analysis, Decision, TurningPoint

MOST_REASONS = 2  # sentences for the better action


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A turning point as it is put to a person. What that person may not know is empty."""

    step: int
    seat: int
    kind: str  # choice or luck
    change: float  # of the seat's chance to win
    did: str  # what the player did
    did_action: dict[str, Any] | None = None  # the same as an action, unless it was done in private
    better: str = ""  # what would have been better
    better_action: dict[str, Any] | None = None
    why: str = ""
    knew: str = ""  # what the player knew then


class SectionColumn(msgspec.Struct, frozen=True):
    title: str
    style: Style


class SectionEntry(msgspec.Struct, frozen=True):
    seat: int | None
    sentence: str
    points: int
    note: str  # on the points; empty without any


class SectionText(msgspec.Struct, frozen=True, kw_only=True):
    """A game's own section of a review, in one language: a table with one row per seat, and entries below it."""

    key: str
    title: str
    about: str
    columns: list[SectionColumn]
    rows: list[list[int]]
    entries_title: str
    entries: list[SectionEntry]


def signed_points(points: int) -> str:
    return f"{points:+}".replace("-", "−") if points else "0"


def render_sections(
    game: AnyGame, journal: Journal, analysis: Analysis, viewer: int | None, lang: str
) -> list[SectionText]:
    """Render the game's own sections; a viewer gets only those entries that it witnessed."""
    if not analysis.sections:
        return []
    events = [event for step in steps(journal, game) for event in step.events]
    return [
        _render_section(game, section, analysis.sections[section.key], events, journal.header.names, viewer, lang)
        for section in game.review
        if section.key in analysis.sections
    ]


def _render_section(
    game: AnyGame,
    section: ReviewSection[Any],
    rows: list[list[int]],
    events: Sequence[Any],
    names: Sequence[str],
    viewer: int | None,
    lang: str,
) -> SectionText:
    key, catalogue = f"review.{section.key}", section.catalogue
    entries = [
        SectionEntry(
            seat=getattr(event, "seat", None),
            sentence=game.words.sentence(event, names, lang, viewer),
            points=points,
            note=catalogue.say(lang, f"{key}.points", points=signed_points(points)) if points else "",
        )
        for event, points in section.entries(events)
        if game.witness(event, viewer) is not None
    ]
    return SectionText(
        key=section.key,
        title=catalogue.say(lang, key),
        about=catalogue.say(lang, f"{key}.about"),
        columns=[SectionColumn(catalogue.say(lang, f"{key}.{column.key}"), column.style) for column in section.columns],
        rows=rows,
        entries_title=catalogue.say(lang, f"{key}.entries", count=len(entries)),
        entries=entries,
    )


def retell(
    game: AnyGame, journal: Journal, analysis: Analysis, points: Sequence[TurningPoint], viewer: int | None, lang: str
) -> list[Told]:
    """Put turning points into words, in their order."""
    wanted = {point.step: point for point in points}
    decided = {each.step: each for each in analysis.decisions}
    told, before = list[Told](), None
    for step in steps(journal, game):
        if point := wanted.get(step.number):
            told.append(Retelling(game, journal.header.names, viewer, lang).tell(point, step, before, decided))
        if step.number + 1 in wanted:
            before = step.state.clone()
    return told


class Retelling:
    def __init__(self, game: AnyGame, names: Sequence[str], viewer: int | None, lang: str) -> None:
        self.game, self.names, self.viewer, self.lang = game, names, viewer, lang

    def tell(self, point: TurningPoint, step: Step, before: Any, decided: dict[int, Decision]) -> Told:
        did, did_action = self._did(step.entry, step, before) if step.entry else (self._say("setup"), None)
        told = Told(
            step=point.step,
            seat=point.seat,
            kind=point.kind,
            change=point.change,
            did=did,
            did_action=did_action,
            knew=self._say("knew.draw"),
        )
        if point.kind == "luck":
            return told
        view, decision = self.game.view(before, point.seat), decided[point.step]
        better, why = self._better(decision, view)
        return msgspec.structs.replace(
            told,
            better=better,
            better_action=None if better == self._say("private") else decision.better,
            why=why,
            knew=self._say(self._knew(before, view)),
        )

    def _did(self, entry: Entry, step: Step, before: Any) -> tuple[str, dict[str, Any] | None]:
        if not isinstance(entry.actor, int):
            return self._say("clock"), None
        if not self._may_know(entry.actor, step.events):
            return self._say("private"), None
        view = self.game.view(before, entry.actor)
        return say_action(self.game, self._read(entry.action), view, self.names, self.lang), entry.action

    def _better(self, decision: Decision, view: Any) -> tuple[str, str]:
        if decision.better is None:
            return say_action(self.game, None, view, self.names, self.lang), ""
        action = self._read(decision.better)
        try:
            foreseen = self.game.preview(view, action).events
        except Illegal:
            foreseen = []
        if not self._may_know(decision.seat, foreseen):
            return self._say("private"), ""
        said = say_why(self.game, action, self._shared(view), self.names, self.lang)[:MOST_REASONS]
        if decision.seat == self.viewer:  # how somebody might have gone on may tell what they held
            said += say_second_half(self.game, action, view, self.names, self.lang)
        return say_action(self.game, action, view, self.names, self.lang), " ".join(said)

    def _shared(self, view: Any) -> Any:
        """Give a player's view without what was said to that player alone: reasons quote it."""
        return self.game.without_private_talk(view, self.viewer)

    def _may_know(self, seat: int, events: Sequence[Any]) -> bool:
        """Tell whether a viewer noticed what somebody did, which is what a step begins with."""
        return seat == self.viewer or not events or self.game.witness(events[0], self.viewer) is not None

    def _knew(self, state: Any, view: Any) -> str:
        """Tell whether a player knew all there was to know."""
        everything = msgspec.structs.replace(self.game.view(state, Eye.ALL), viewer=view.viewer)
        return "knew.all" if everything == view else "knew.not-all"

    def _read(self, action: dict[str, Any]) -> Any:
        return read_action(self.game, action)

    def _say(self, key: str) -> str:
        return CATALOGUE.say(self.lang, f"back.{key}")
