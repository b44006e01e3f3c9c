"""A game review as text for one viewer; private actions are disclosed only to viewers who witnessed them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from jamboree.core.errors import Illegal
from jamboree.core.game import AnyGame, Eye, read_action
from jamboree.core.journal import Entry, Journal, Step, steps
from jamboree.core.review import ReviewSection, Style

from ..advice_text import CATALOGUE, action_title, follow_up_sentences, game_reasons
from .analysis import Analysis, DecisionLoss, TurningPoint

MAX_REASONS = 2  # sentences on the better action


class TurningPointText(msgspec.Struct, frozen=True, kw_only=True):
    """A turning point as clients show it. Fields that the viewer may not know are empty."""

    step: int
    seat: int
    kind: str  # choice or luck
    change: float  # of the seat's chance to win, `after` less `before`
    before: float  # with the best action, or expected before the draw or roll
    after: float  # with the action that was chosen, or after the draw or roll
    did: str  # what the player did
    did_action: dict[str, Any] | None = None  # the same as an action; None if it was private
    better: str = ""  # the better action
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


def render_turning_points(
    game: AnyGame, journal: Journal, analysis: Analysis, points: Sequence[TurningPoint], viewer: int | None, lang: str
) -> list[TurningPointText]:
    """Render turning points in the order of the game."""
    wanted = {point.step: point for point in points}
    decided = {each.step: each for each in analysis.decisions}
    texts, before = list[TurningPointText](), None
    for step in steps(journal, game):
        if point := wanted.get(step.number):
            text = ReviewText(game, journal.header.names, viewer, lang)
            texts.append(text.turning_point(point, step, before, decided))
        if step.number + 1 in wanted:
            before = step.state.clone()
    return texts


class ReviewText:
    """Renders the turning points of a game for one viewer in one language."""

    def __init__(self, game: AnyGame, names: Sequence[str], viewer: int | None, lang: str) -> None:
        self.game = game
        self.names = names
        self.viewer = viewer
        self.lang = lang

    def turning_point(
        self, point: TurningPoint, step: Step, before: Any, decided: dict[int, DecisionLoss]
    ) -> TurningPointText:
        did, did_action = self._describe_action(step.entry, step, before) if step.entry else (self._say("setup"), None)
        text = TurningPointText(
            step=point.step,
            seat=point.seat,
            kind=point.kind,
            change=point.change,
            before=point.before,
            after=point.after,
            did=did,
            did_action=did_action,
            knew=self._say("knew.draw"),
        )
        if point.kind == "luck":
            return text
        view, decision = self.game.view(before, point.seat), decided[point.step]
        better, why = self._better(decision, view)
        return msgspec.structs.replace(
            text,
            better=better,
            better_action=None if better == self._say("private") else decision.better,
            why=why,
            knew=self._say(self._describe_knowledge(before, view)),
        )

    def _describe_action(self, entry: Entry, step: Step, before: Any) -> tuple[str, dict[str, Any] | None]:
        if not isinstance(entry.actor, int):
            return self._say("clock"), None
        if not self._may_know(entry.actor, step.events):
            return self._say("private"), None
        view = self.game.view(before, entry.actor)
        return action_title(self.game, self._read(entry.action), view, self.names, self.lang), entry.action

    def _better(self, decision: DecisionLoss, view: Any) -> tuple[str, str]:
        if decision.better is None:
            return action_title(self.game, None, view, self.names, self.lang), ""
        action = self._read(decision.better)
        try:
            foreseen = self.game.preview(view, action).events
        except Illegal:
            foreseen = []
        if not self._may_know(decision.seat, foreseen):
            return self._say("private"), ""
        reasons = game_reasons(self.game, action, self._shared(view), self.names, self.lang)[:MAX_REASONS]
        if decision.seat == self.viewer:  # the continuation could reveal hidden information
            reasons += follow_up_sentences(self.game, action, view, self.names, self.lang)
        return action_title(self.game, action, view, self.names, self.lang), " ".join(reasons)

    def _shared(self, view: Any) -> Any:
        """Return a player's view without private talk that this viewer did not hear, since reasons quote it."""
        return self.game.without_private_talk(view, self.viewer)

    def _may_know(self, seat: int, events: Sequence[Any]) -> bool:
        """Return whether the viewer may know an action: whether it witnessed the first event of the step."""
        return seat == self.viewer or not events or self.game.witness(events[0], self.viewer) is not None

    def _describe_knowledge(self, state: Any, view: Any) -> str:
        """Return the text key for whether a player had complete information."""
        complete = msgspec.structs.replace(self.game.view(state, Eye.ALL), viewer=view.viewer)
        return "knew.all" if complete == view else "knew.not-all"

    def _read(self, action: dict[str, Any]) -> Any:
        return read_action(self.game, action)

    def _say(self, key: str) -> str:
        return CATALOGUE.say(self.lang, f"review.{key}")
