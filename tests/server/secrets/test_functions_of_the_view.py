"""Non-interference: frames follow from what a viewer knows; any state that fits the view gives the same answers."""

import random
from typing import Any

import msgspec
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, Nature
from jamboree.core.undo import Undo
from jamboree.games import find
from jamboree.server.errors import Refused
from jamboree.server.live.commands.base import Command, Context
from jamboree.server.live.commands.playing import Act, AskPreview, AskWhyNot
from jamboree.server.live.commands.undo import undo_rule
from jamboree.server.live.state import TableState
from jamboree.server.live.visibility import Viewer
from tests.contract.toy import HighCard

from ..bench.folding import act, begin
from ..http.test_fuzz import an_action
from .test_length_padding import SEATS, a_memory, a_showing

STEPS, GUESSES = 40, 12
GAMES: list[tuple[AnyGame, dict[str, Any]]] = [
    (HighCard(), {}),
    (find("bebop"), {"hidden_hands": True}),
    (find("bpm"), {"hypemaster": True}),
    (find("boogie"), {}),
]


def with_state(state: TableState, position: Any) -> TableState:
    other = a_memory(state.game, state.roster.options)
    other.position, other.course, other.roster.status = position, list(state.course), state.roster.status
    return other


def answers(state: TableState, seat: int, actions: list[dict[str, Any]]) -> list[Any]:
    """Ask everything about some actions that can be asked without taking them."""
    found: list[Any] = []
    for action in actions:
        wishes: list[Command] = [AskWhyNot(action, id="1"), AskPreview(action, id="1")]
        if not _is_legal(state, seat, action):
            wishes.append(Act(action, id="x"))
        for wish in wishes:
            try:
                answer = wish.decide(Context(state, person=f"p{seat}")).answer
                found.append(_told(answer) if answer else None)
            except Refused as refusal:
                found.append((refusal.code, refusal.sentence, refusal.detail))
    return found


def _told(answer: Any) -> Any:
    if isinstance(answer, Refused):
        return (answer.code, answer.sentence, answer.detail)
    return msgspec.to_builtins(answer.preview)


def _is_legal(state: TableState, seat: int, action: dict[str, Any]) -> bool:
    try:
        typed = msgspec.convert(action, state.game.info.action)
    except msgspec.ValidationError:
        return False
    return any(offer.action == typed for offer in state.game.legal(state.position, seat))


@pytest.mark.parametrize(("game", "options"), GAMES, ids=[game.info.key for game, _ in GAMES])
def test_positions_previews_and_refusals_are_functions_of_the_view(game: AnyGame, options: dict[str, Any]) -> None:
    rng, state = random.Random(3), a_memory(game, options)
    begin(state, Seeded(6))
    imagined = 0
    for step in range(STEPS):
        for seat in range(SEATS):
            other = with_state(state, game.imagine(game.view(state.position, seat), Seeded(step)))
            imagined += other.position != state.position
            for who in (Viewer(seat, "en"), Viewer(seat, "nl", painted=True)):
                assert a_showing(other).positions.of(who).text == a_showing(state).positions.of(who).text
            tried = [an_action(game, rng) for _ in range(GUESSES)]
            real = rng.sample(list(game.actions(state.position)), 3)
            tried += [msgspec.to_builtins(action) for action in real]
            assert answers(other, seat, tried) == answers(state, seat, tried)
        actors = [actor for actor in sorted(game.to_act(state.position), key=str) if actor is not Nature.CLOCK]
        if not actors:
            break
        actor = rng.choice(actors)
        act(state, actor, rng.choice(list(game.legal(state.position, actor))).action, Seeded(step))
    assert imagined > SEATS, "other positions were imagined"


def shown(state: TableState, viewer: int | None) -> list[Any]:
    """Give everything that a viewer can look at without a step."""
    timer = state.game.timer(state.position) if state.position else None
    return [
        a_showing(state).positions.of(Viewer(viewer, "en")).text,
        undo_rule(state, viewer),
        state.number(viewer),
        state.witnesses.recent(viewer).last,
        {seat: pending.since for seat, pending in state.pending.items()},
        timer,
        a_showing(state).positions.of(Viewer(viewer, "nl", painted=True)).text,
    ]


@pytest.mark.parametrize(("game", "options"), GAMES, ids=[game.info.key for game, _ in GAMES])
def test_an_unwitnessed_step_changes_nothing(game: AnyGame, options: dict[str, Any]) -> None:
    rng, state, silent = random.Random(4), a_memory(game, options), 0
    begin(state, Seeded(6))
    for step in range(5 * STEPS):
        actors = [actor for actor in sorted(game.to_act(state.position), key=str) if actor is not Nature.CLOCK]
        if not actors:
            break
        before = {viewer: shown(state, viewer) for viewer in (None, *range(SEATS))}
        rules = [before[seat][1] and before[seat][1].rule for seat in range(SEATS)]
        actor = rng.choice(actors)
        action = rng.choice(list(game.legal(state.position, actor))).action
        act(state, actor, action, Seeded(step))
        assert state.last_step
        for viewer in state.last_step.unseen_by:
            assert shown(state, viewer) == before[viewer]
        if state.last_step.unseen_by:
            silent += 1
            assert all(rule in (None, Undo.NEVER) for rule in rules), "nothing can be taken back that it would stop"
        for viewer in {None, *range(SEATS)} - set(state.last_step.unseen_by):
            assert state.number(viewer) == before[viewer][2] + 1
    assert bool(silent) == (game.info.key in ("bpm", "boogie"))
