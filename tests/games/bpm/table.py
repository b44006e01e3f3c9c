"""Positions drawn as text, and what players do there.

A drawing is written as `jamboree.games.bpm.words.notation` explains. Ada and Bix are the first two players. Chance is
told what comes by marks (`r^` is a red dancer facing the stage) or by labels (`mosh-pit`, `12 Skip the Chorus`).
"""

from collections.abc import Sequence
from textwrap import dedent
from typing import TypeVar

import pytest

from jamboree.core.chance import Chance, Scripted
from jamboree.core.errors import Illegal
from jamboree.core.game import Actor, Eye, dump
from jamboree.games import bpm
from jamboree.games.bpm.box.dancers import LABELS
from jamboree.games.bpm.rules.actions import AnyAction
from jamboree.games.bpm.rules.events import AnyEvent
from jamboree.games.bpm.rules.setup import Options
from jamboree.games.bpm.rules.state import PHASES, State
from jamboree.games.bpm.visibility.restore import restore
from jamboree.games.bpm.visibility.views import View
from jamboree.games.bpm.words.notation import ARROW_MARKS, COLOUR_MARKS, floor_rows
from jamboree.games.bpm.words.parsing import read_dancer

BPM = bpm.game
ADA, BIX, CAB, DIZ = range(4)

E = TypeVar("E")


def a_sample(number: int) -> Options:
    sample = BPM.info.samples[number]
    assert isinstance(sample, Options)
    return sample


def position(drawing: str) -> State:
    return restore(seen(drawing))


def seen(drawing: str) -> View:
    return BPM.words.parse(dedent(drawing).strip("\n"))


def label(value: str) -> str:
    is_dancer = len(value) == 2 and value[0] in COLOUR_MARKS and value[1] in ARROW_MARKS
    return LABELS[read_dancer(value)] if is_dancer else value


def act(state: State, action: AnyAction, *values: str, actor: int | None = None) -> list[AnyEvent]:
    """Let a player act, the one whose turn it is if none is named; chance says these values, all of them."""
    script, events = Scripted(*map(label, values)), list[AnyEvent]()
    BPM.apply(state, state.turn if actor is None else actor, action, script, events.append)
    assert script.values == [], "chance was not asked for all of this"
    return events


def refused(state: State, action: AnyAction, actor: Actor | None = None) -> Illegal:
    """Try what is not allowed; the position stays as it was, and the offers did not hold it."""
    who = state.turn if actor is None else actor
    assert action not in offered(state, who)
    before = dump(state)
    with pytest.raises(Illegal) as caught:
        BPM.apply(state, who, action, Chance())
    assert dump(state) == before
    return caught.value


def offered(state: State, actor: Actor | None = None) -> list[AnyAction]:
    return [offer.action for offer in BPM.legal(state, state.turn if actor is None else actor)]


def only(events: Sequence[AnyEvent], kind: type[E]) -> E:
    (event,) = every(events, kind)
    return event


def every(events: Sequence[AnyEvent], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def phase(state: State) -> str:
    return PHASES[state.phase]


def superfans(state: State) -> list[int]:
    return [sum(counts) for counts in state.superfans]


def shows(state: State, expected: str) -> bool:
    """Tell whether the floor looks like this."""
    picture = "\n".join(floor_rows(BPM.view(state, Eye.ALL)))
    assert picture == "\n".join(line.rstrip() for line in dedent(expected).strip("\n").split("\n"))
    return True
