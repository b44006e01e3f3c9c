"""Chosen text that is compressed beside a secret reveals nothing about it (CRIME), in any game.

Worlds of a table look the same to the second seat and differ in what the first one holds. The second seat knows how
that is written, and puts a guess where everybody can put text: into names, into the chat and into song titles. By how
much packing changes the length of what the first seat is sent must be the same in all worlds, whatever was guessed.
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, Nature
from jamboree.games import find
from jamboree.server.live.records import ChatLine, Circle
from jamboree.server.live.state import TableState
from jamboree.server.live.viewers.frame_builder import Subscription
from jamboree.server.live.visibility import Viewer
from jamboree.server.protocol import wire
from tests.contract.toy import HighCard

from ..bench.folding import act, begin
from . import planted_compression as plants
from .test_length_padding import a_memory, a_showing, copied, long_titles
from .test_planted_leaks import Plant, packed_as_it_goes

WORLDS, STEPS, EVERY = 3, 24, 6
LONGEST = 1000  # letters: stored data must fit into one block, since the length of the frame reveals their number
GAMES: list[tuple[AnyGame, dict[str, Any]]] = [
    (HighCard(), {}),
    (find("bebop"), {"hidden_hands": True}),
    (find("bpm"), {}),
    (find("bpm"), {"hypemaster": True, "songs": long_titles()}),
    (find("boogie"), {}),
]
NAMES = [f"{game.info.key}-{len(options)}" for game, options in GAMES]


class Frame(NamedTuple):
    """One of the first seat's, and by how much it is longer or shorter once it is packed."""

    kind: str
    public: bytes  # what spectators are sent instead
    packing: int


def positions(game: AnyGame, options: dict[str, Any]) -> Iterator[TableState]:
    """Play at random, and stop from time to time."""
    rng, state = random.Random(5), a_memory(game, options)
    begin(state, Seeded(4))
    for step in range(STEPS):
        if step % EVERY == EVERY - 1:
            yield state
        actors = sorted(actor for actor in game.to_act(state.position) if actor is not Nature.CLOCK)
        if not actors:
            return
        actor = rng.choice(actors)
        act(state, actor, rng.choice(list(game.legal(state.position, actor))).action, Seeded(step))


def worlds(state: TableState) -> list[Any]:
    """Give positions that are the same to the second seat."""
    game, seen = state.game, state.game.view(state.position, 1)
    return [state.position, *(game.imagine(seen, Seeded(number)) for number in range(WORLDS))]


def with_state(state: TableState, position: Any) -> TableState:
    other = copied(state)
    other.position = position.clone()
    return other


def guess_of(state: TableState, position: Any) -> str:
    """Write down what the first seat would hold."""
    own: bytes = a_showing(with_state(state, position)).positions.of(Viewer(0, "en")).own
    return own.decode()[:LONGEST]


def sent(state: TableState, position: Any, guess: str) -> list[Frame]:
    """Return what the first seat is sent in one of the worlds together with a guess."""
    world = with_state(state, position)
    _guessed(world, guess)
    frames = list(_welcomed(world, "welcome"))
    actor = next((seat for seat in (1, 2, 0) if seat in world.game.to_act(world.position)), None)
    if actor:  # a step of another player
        action = world.game.legal(world.position, actor)[0].action
        for whole in (False, True):
            frames += _told(with_state(world, world.position), guess, actor, action, whole)
    return frames


def _guessed(world: TableState, guess: str) -> None:
    world.roster.people["p1"].name = guess[:200]
    for number, message in enumerate((guess, guess[::-1], guess[100:])):
        world.talk.add(msgspec.json.encode(ChatLine(str(number), "p1", message, Circle.ALL)).decode())
    whisper = ChatLine("psst", "p0", guess_of(world, world.position), Circle.WHISPER, "p2")
    world.talk.add(msgspec.json.encode(whisper).decode())


def _welcomed(world: TableState, kind: str) -> Iterator[Frame]:
    for painted in (False, True):
        own, open_to_all = (
            a_showing(world).welcome(Subscription(person, "en", painted), None) for person in ("p0", None)
        )
        yield Frame(kind, open_to_all, _packing(own))


def _told(world: TableState, guess: str, actor: int, action: Any, whole: bool) -> Iterator[Frame]:
    """Let another player act, and return what the first seat receives."""
    _guessed(world, guess)
    frames, viewers = a_showing(world), (Viewer(0, "en", whole=whole), Viewer(None, "en", whole=whole))
    for viewer in viewers:
        frames.positions.hold(viewer)
    act(world, actor, action, Seeded(7))
    if world.last_step and not {0, None} & {*world.last_step.unseen_by}:
        own, open_to_all = (frames.update(viewer, world.last_step) for viewer in viewers)
        yield Frame("update", open_to_all, _packing(own))
    yield from _welcomed(world, "welcome afterwards")


def _packing(frame: bytes) -> int:
    return len(wire.for_client(frame, packed=True)) - len(frame)


def told_by_packing(game: AnyGame, options: dict[str, Any]) -> tuple[int, list[str]]:
    """Count the frames that were compared, and name those whose compressed length reveals the world."""
    compared, found = 0, list[str]()
    for state in positions(game, options):
        held = worlds(state)
        for guess in (*(guess_of(state, position) for position in held[:2]), "Nothing of the kind. " * 20):
            for frames in zip(*(sent(state, position, guess) for position in held), strict=True):
                alike = [frame for frame in frames if frame.public == frames[0].public]
                compared += len(alike) - 1
                if len({frame.packing for frame in alike}) > 1:
                    found.append(frames[0].kind)
    return compared, found


@pytest.mark.parametrize(("game", "options"), GAMES, ids=NAMES)
def test_a_correct_guess_compresses_like_a_wrong_one(game: AnyGame, options: dict[str, Any]) -> None:
    compared, found = told_by_packing(game, options)
    assert compared > 20
    assert found == []


PLANTS: list[Plant] = [
    plants.one_context,
    plants.own_parts_by_themselves,
    plants.words_that_others_know,
    plants.packed_talk,
    packed_as_it_goes,
]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__.replace("_", " "))
@pytest.mark.parametrize(("game", "options"), GAMES, ids=NAMES)
def test_a_compressed_secret_is_detected(
    game: AnyGame, options: dict[str, Any], plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert told_by_packing(game, options)[1]
