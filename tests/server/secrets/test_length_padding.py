"""No frame's length reveals a sealed choice, in any game and language."""

import random
from collections import defaultdict
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, Nature
from jamboree.core.words import LANGUAGES, Language
from jamboree.games import find
from jamboree.games.bpm.box.crate import house_source
from jamboree.server.live.records import Because
from jamboree.server.live.roster import Person, Roster
from jamboree.server.live.state import TableState
from jamboree.server.live.viewers.frame_builder import FrameBuilder, Subscription
from jamboree.server.live.viewers.subscribers import Connections
from jamboree.server.live.visibility import Viewer
from jamboree.server.protocol.terms import Status
from jamboree.server.protocol.wire import for_client
from tests.contract.toy import HighCard

from ..bench.folding import act, begin

SEATS, STEPS, TRIED = 3, 60, 10
TURNS = 0.2  # how many of the choices are compared of one player in turn
NAMES = ("Ada", "Bob", "Cleo")
Eyes = tuple[Language | None, bool]  # the language, and whether positions are painted
EYES: list[Eyes] = [*((language, False) for language in (*LANGUAGES, None)), *((lang, True) for lang in LANGUAGES)]
REASONS: list[Because | None] = [None, "time", "away"]


def long_titles() -> str:
    """Make a crate in which every second song has the longest title there can be, of the longest letters."""
    head, *rows = house_source().splitlines()
    return "\n".join([head, *(_lengthened(row) if at % 2 else row for at, row in enumerate(rows))])


def _lengthened(row: str) -> str:
    return ",".join(["🎷" * 120, "🎺" * 120, *row.split(",")[-4:]])


CASES: list[tuple[AnyGame, dict[str, Any]]] = [
    (HighCard(), {}),
    (find("bpm"), {}),
    (find("bpm"), {"songs": long_titles()}),
    (find("bpm"), {"hypemaster": True}),
    (find("boogie"), {}),
]


def a_memory(game: AnyGame, options: dict[str, Any]) -> TableState:
    roster = Roster(
        game.info.key, game.info.rules_version, seats=SEATS, options=options, listed=True, status=Status.PLAYING
    )
    roster.people = {f"p{seat}": Person(name, seat, []) for seat, name in enumerate(NAMES)}
    return TableState(game, roster)


class NoClock:
    """Stands for a steward at a table where no time runs."""

    pause_over = False
    idle = SimpleNamespace(quiet=frozenset[str](), votes=dict[str, set[str]]())
    bot_scheduler = SimpleNamespace(stood_in=[0] * 8, queue={})

    def bot_in(self, person: str) -> None:
        return None

    def clock_seen(self, seat: int | None) -> None:
        return None

    def stands_in_for(self, person: str) -> bool:
        return False


def a_showing(state: TableState) -> FrameBuilder:
    return FrameBuilder("table", state, NoClock(), Connections())  # type: ignore[arg-type]


def copied(state: TableState) -> TableState:
    other = a_memory(state.game, state.roster.options)
    other.position, other.setup, other.seq = state.position.clone(), state.setup, state.seq
    other.witnesses.forget(state.seq)
    return other


def sent(state: TableState, seat: int, action: Any, eyes: Eyes, because: Because | None) -> list[bytes]:
    """Return the frames of a choice by a player or a stand-in, for every seat and a spectator."""
    after = copied(state)
    frames = a_showing(after)
    for viewer in (*range(SEATS), None):
        frames.positions.hold(Viewer(viewer, *eyes))  # so that what follows are changes
    act(after, seat, action, Seeded(5), because)
    step = after.last_step
    assert step
    return [
        b"" if viewer in step.unseen_by else frames.update(Viewer(viewer, *eyes), step)
        for viewer in (*range(SEATS), None)
    ] + later(frames, seat, state.seq, eyes)


def later(frames: FrameBuilder, seat: int, seen: int, eyes: Eyes) -> list[bytes]:
    """Return what the chooser is sent afterwards: after reconnecting, and when another seat chooses."""
    reader, state = Subscription(f"p{seat}", *eyes), frames.state
    sent = [frames.welcome(reader, known) for known in (None, seen)]
    others = sorted(actor for actor in state.game.to_act(state.position) if actor not in (seat, Nature.CLOCK))
    if others:
        action = state.game.legal(state.position, others[0])[0].action
        act(state, others[0], action, Seeded(6))
        assert state.last_step
        if not any(state.game.reveals(state.position, event) for event in state.last_step.events):
            frames.forget()
            sent.append(frames.update(Viewer(seat, *eyes), state.last_step))
    return sent


def lengths(frames: list[bytes]) -> Iterator[int]:
    """Measure frames as they are sent to clients that can unpack them and to those that can't."""
    return (len(for_client(frame, packed)) for frame in frames for packed in (False, True))


def spread(state: TableState, seat: int, eyes: Eyes, rng: random.Random) -> list[set[tuple[int, ...]]]:
    """Return the lengths of all frames, for choices that are indistinguishable to a viewer."""
    offers = list(state.game.legal(state.position, seat))
    alike, because = defaultdict[tuple[int, bytes, tuple[bool, ...]], set[tuple[int, ...]]](set), rng.choice(REASONS)
    for offer in rng.sample(offers, min(TRIED, len(offers))):
        frames = sent(state, seat, offer.action, eyes, because)
        for viewer, frame in enumerate(frames[: SEATS + 1]):
            if viewer != seat:
                alike[viewer, frame, tuple(map(bool, frames))].add(tuple(lengths(frames)))
    return list(alike.values())


@pytest.mark.parametrize("eyes", EYES, ids=str)
@pytest.mark.parametrize(("game", "options"), CASES, ids=[f"{game.info.key}-{len(str(o))}" for game, o in CASES])
def test_indistinguishable_choices_have_responses_of_equal_length(
    game: AnyGame, options: dict[str, Any], eyes: Eyes
) -> None:
    rng, state = random.Random(8), a_memory(game, options)
    begin(state, Seeded(2))
    compared = 0
    for _ in range(STEPS):
        actors = sorted(actor for actor in game.to_act(state.position) if actor is not Nature.CLOCK)
        if not actors:
            break
        seat = rng.choice(actors)
        if len(actors) > 1 or rng.random() < TURNS:
            found = spread(state, seat, eyes, rng)
            compared += len(found)
            assert all(len(each) == 1 for each in found), found
        action, luck = rng.choice(list(game.legal(state.position, seat))).action, Seeded(rng.getrandbits(32))
        act(state, seat, action, luck, rng.choice(REASONS))
    assert compared > 10
