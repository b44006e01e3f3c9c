"""What there is to read about a game: its rules with pictures, and worked examples to play with."""

from enum import StrEnum
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jamboree.core.learning.pictures import MOST_MOVES

from .actions import ActionGroup
from .bodies import Body
from .parts import Events, Position


class PiecesCard(msgspec.Struct, frozen=True):
    """Things of the box, to be drawn under a rule."""

    rule: str  # the anchor of its heading
    show: list[dict[str, Any]]  # `piece` is what the game's face calls it, the rest is what makes it differ
    text: str  # what is to be seen


class Rules(msgspec.Struct, frozen=True):
    markdown: str
    quick: str  # one page of it, to have beside a table; empty if there is none
    pieces: list[PiecesCard]


class Asking(StrEnum):
    PLAY = "play"
    PREVIEW = "preview"
    WHY_NOT = "why-not"


class TryExample(Body, frozen=True):
    """Moves on the position of an example, from its beginning; nothing of it is kept."""

    moves: Annotated[list[dict[str, Any]], Meta(max_length=MOST_MOVES)]
    ask: Asking = Asking.PLAY  # what the last of them is for


class Tried(msgspec.Struct, frozen=True):
    """What becomes of the last move: what happens, or would happen, and the position then."""

    events: Events
    sentences: list[str]
    points: list[int]  # by seat, that the last move brings or would bring
    chance_follows: bool
    position: Position | None  # null where the move is only looked at
    next: dict[str, Any] | None  # what is done next in the example, as long as it is followed
    refused: str = ""  # why the last move can't be made
    rule: str | None = None  # which forbids it


class ExampleCard(msgspec.Struct, frozen=True):
    name: str
    rule: str  # the anchor of the heading that it belongs to
    seen: str  # what the picture shows
    text: str  # what can be done there, with **stress**
    told: str  # what comes of what is done in it
    actions: list[ActionGroup]  # all there can be, in the order of their places
    begins: Tried


class Examples(msgspec.Struct, frozen=True):
    """The worked examples of a game, in a language."""

    seat: int  # of whoever reads
    names: list[str]  # by seat
    examples: list[ExampleCard]
