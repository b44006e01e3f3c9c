"""Bodies about a game's rules: text, pictures, and interactive worked examples."""

from enum import StrEnum
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jamboree.core.learning.pictures import MOST_MOVES

from .actions import ActionGroup
from .bodies import Body
from .parts import Events, Position


class PiecesCard(msgspec.Struct, frozen=True):
    """Components to draw under a rule."""

    rule: str  # the anchor of its heading
    show: list[dict[str, Any]]  # `piece` is its name in the game's table UI; the other fields are its properties
    text: str  # a description


class Rules(msgspec.Struct, frozen=True):
    markdown: str
    quick: str  # a quick reference of one page, or empty
    pieces: list[PiecesCard]


class TrialMode(StrEnum):
    PLAY = "play"
    PREVIEW = "preview"
    WHY_NOT = "why-not"


class TryExample(Body, frozen=True):
    """Moves from the initial position of an example; nothing is stored."""

    moves: Annotated[list[dict[str, Any]], Meta(max_length=MOST_MOVES)]
    ask: TrialMode = TrialMode.PLAY  # what to do with the last one


class TrialResult(msgspec.Struct, frozen=True):
    """The result of the last move: its events, and the position after it."""

    events: Events
    sentences: list[str]
    points: list[int]  # by seat, gained by the last move
    chance_follows: bool
    position: Position | None  # null for a preview
    next: dict[str, Any] | None  # the example's next move, as long as the moves follow it
    refused: str = ""  # why the last move is illegal
    rule: str | None = None  # the rule that forbids it


class ExampleCard(msgspec.Struct, frozen=True):
    name: str
    rule: str  # the anchor of the heading that it belongs to
    alt: str  # alternative text of the picture
    text: str  # the task, with **stress**
    explanation: str  # shown after its moves
    actions: list[ActionGroup]  # all actions, in the order of their indices
    begins: TrialResult


class Examples(msgspec.Struct, frozen=True):
    """The worked examples of a game, in a language."""

    seat: int  # the reader's
    names: list[str]  # by seat
    examples: list[ExampleCard]
