"""Painted positions for clients without a table UI: made from the view alone, and only on request."""

import random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, Eye, Nature
from jamboree.core.words import Span
from jamboree.games import all_games, find
from jamboree.server.live import rendering
from jamboree.server.live.visibility import Viewer
from jamboree.server.protocol import parts
from jamboree.server.store.store import Store
from tests.contract.record import play_at_random
from tests.contract.toy import AtSomebody

from ...bench.folding import act, begin
from ...bench.local import Client, a_registry, actions, play_on, started
from ...bench.online import online
from ...secrets.test_length_padding import NAMES, a_memory, a_showing

GAMES = [pytest.param(game, id=key) for key, game in all_games().items()]


def painting(position: dict[str, Any]) -> parts.Painting:
    return msgspec.convert(position["painting"], parts.Painting)


async def test_drawings_are_sent_on_request_only(store: Store) -> None:
    async with a_registry(store, all_games()) as registry:
        ada, _ = await started(registry, "bpm")
        screen = Client(registry, ada.session.code, ada.token, "en")
        await screen.hello(painted=True)
        assert "painting" in screen.position
        await ada.act(ada.legal()[0], "one")
        assert "painting" in screen.received[-1]["position"]
        assert not any(b'"painting"' in frame for frame in ada.frames)
        assert screen.position["view"] == ada.position["view"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["en", "nl"])
def test_a_drawing_equals_that_of_the_terminal(game: AnyGame, language: Any) -> None:
    rng, state = random.Random(3), a_memory(game, {})
    begin(state, Seeded(6))
    for step in range(40):
        seats = sorted(actor for actor in game.to_act(state.position) if actor is not Nature.CLOCK)
        if not seats:
            break
        seat, view = seats[0], game.view(state.position, seats[0])
        frames = a_showing(state)
        shown = msgspec.json.decode(frames.positions.of(Viewer(seat, language, painted=True)).text)
        every = msgspec.to_builtins(frames.positions.action_index.groups)
        painted, legal = painting(shown), actions(every, shown["legal"])
        assert painted.lines == [list(line) for line in game.words.paint(view, NAMES, language)]
        for group in painted.menu:
            for target, index in zip(group.targets, group.indices, strict=True):
                action = msgspec.convert(legal[index], game.info.action)
                assert game.words.choice(action, view, NAMES, language)[:2] == (group.title, target)
        choices = [game.words.choice(offer.action, view, NAMES, language) for offer in game.legal(state.position, seat)]
        offered = {choice[:2] for choice in choices}
        assert {(group.title, target) for group in painted.menu for target in group.targets} == offered
        action = rng.choice(list(game.legal(state.position, seat))).action
        act(state, seat, action, Seeded(step))


def test_a_drawn_menu_names_players() -> None:
    state = a_memory(AtSomebody(), {})
    begin(state, Seeded(6))
    shown = painting(msgspec.json.decode(a_showing(state).positions.of(Viewer(0, "en", painted=True)).text))
    assert [group.targets for group in shown.menu] == [[NAMES[0], NAMES[1]]]


def test_an_endless_drawing_is_truncated() -> None:
    long, short = [Span("x" * 9000, None)] * 900, [Span("x", None)]  # type: ignore[arg-type]
    words = SimpleNamespace(paint=lambda *_: [long, *[short] * 899])
    game: Any = SimpleNamespace(words=words, standing=lambda view: [])
    lines = rendering.picture(game, None, NAMES, "en").lines
    assert len(lines) == rendering.MAX_LINES + 1
    assert lines[-1] == lines[0][-1:] == [rendering.MORE]
    assert len(lines[0]) == rendering.MAX_SPANS + 1
    assert lines[0][0] == Span("x" * rendering.MAX_SPAN_LENGTH, "")


@pytest.mark.parametrize("game", GAMES)
def test_an_all_seeing_viewer_gets_the_score(game: AnyGame) -> None:
    record = play_at_random(game, game.info.seats[0], game.info.samples[0], 4)
    for state in record.states:
        assert tuple(game.standing(game.view(state, Eye.ALL))) == tuple(game.scores(state))
        for viewer in (None, *range(record.seats)):
            assert len(game.standing(game.view(state, viewer))) == record.seats


def test_drawings_for_spectators_have_no_menu() -> None:
    state = a_memory(find("bpm"), {})
    begin(state, Seeded(6))
    assert (
        painting(msgspec.json.decode(a_showing(state).positions.of(Viewer(None, "en", painted=True)).text)).menu == []
    )


async def test_a_finished_game_is_drawn_step_by_step(store: Store) -> None:
    async with online(store, games=all_games()) as server:
        clients = await started(server.registry, "bpm")
        path = f"/api/v1/tables/{clients[0].session.code}"
        early = await server.get(f"{path}/paintings")
        assert (early.status, early.body["code"]) == (409, "not-finished")
        await play_on(clients, random.Random(5))
        views = (await server.get(f"{path}/replay")).body
        found = (await server.get(f"{path}/paintings?language=nl")).body
    game, names = find("bpm"), ["Ada", "Bob"]
    assert len(found) == len(views) > 10
    for written, painted in zip(views, found, strict=True):
        view = msgspec.convert(written, game.info.view)
        shown = msgspec.convert(painted, parts.Painting)
        assert shown.lines == [list(line) for line in game.words.paint(view, names, "nl")]
        assert shown.scores == list(game.standing(view))
