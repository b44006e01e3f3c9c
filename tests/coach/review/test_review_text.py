"""Turning points as text, and access to private ones."""

from typing import Any

import msgspec
import pytest

from jamboree.coach.review import GameReview, TurningPoint, render_sections, render_turning_points, turning_points
from jamboree.coach.review.analysis import Analysis, DecisionLoss
from jamboree.core.journal import Journal, steps
from jamboree.core.words import LANGUAGES
from jamboree.fast import twin_keys
from jamboree.games import find

from .games import a_game


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", twin_keys())
def test_turning_points_have_texts(key: str, lang: str) -> None:
    game, journal = find(key), a_game(key)
    *_, found = GameReview(game, journal, playouts=8)
    for viewer in (None, 0):
        points = turning_points(found, viewer)
        texts = render_turning_points(game, journal, found, points, viewer, lang)
        assert [each.step for each in texts] == [point.step for point in points]
        assert all(each.did and each.knew for each in texts)
        assert all(each.better for each in texts if each.kind == "choice")


def private_promise(journal: Journal) -> tuple[int, Any]:
    """Find the step of a promise to one player."""
    return next(
        (step.number, event)
        for step in steps(journal, find("boogie"))
        for event in step.events
        if type(event).__name__ == "PromiseMade" and event.to is not None
    )


def test_the_text_of_a_private_promise_is_visible_to_its_parties_only() -> None:
    game, journal = find("boogie"), a_game("boogie", 2, "random")
    number, made = private_promise(journal)
    better = journal.entries[number - 1].action
    lost = DecisionLoss(number, made.seat, 0.2, better)
    found = Analysis("boogie", 1, 3, 8, len(journal.entries), decisions=[lost])
    point = TurningPoint(number, made.seat, "choice", 0.5, 0.3)
    third = ({0, 1, 2} - {made.seat, made.to}).pop()
    texts = {
        viewer: render_turning_points(game, journal, found, [point], viewer, "en")[0] for viewer in (0, 1, 2, None)
    }
    assert texts[made.seat].did.startswith("I promise")
    assert texts[made.to].did.startswith("I promise")
    for viewer in (third, None):
        assert texts[viewer].did == texts[viewer].better == "something in private"
        assert not texts[viewer].why


def test_reasons_do_not_quote_private_promises_to_others() -> None:
    """A promise is a reason only for viewers who witnessed it."""
    game, checked = find("boogie"), 0
    for seed in range(1, 5):
        journal, before = a_game("boogie", seed, "random"), None
        for step in steps(journal, game):
            if before is not None and step.entry and isinstance(seat := step.entry.actor, int):
                for made, action in kept_by(game, before, seat):
                    checked += 1
                    assert quoted_to(game, journal, step.number, made, action) == {made.seat, made.to}
            before = step.state.clone()
    assert checked


def kept_by(game: Any, state: Any, seat: int) -> list[tuple[Any, Any]]:
    """List promises to one player that a seat could keep by laying ✓, with that action; none also given to all."""
    found, own = list[tuple[Any, Any]](), [made for made in game.view(state, seat).promises if made.seat == seat]
    for action in (offer.action for offer in game.legal(state, seat)):
        about = [made for made in own if made.term.jump == getattr(action, "jump", None)]
        if len(about) == 1 and about[0].to is not None and action.card == about[0].term.pledge == "sure":
            found.append((about[0], action))
    return found


def quoted_to(game: Any, journal: Journal, number: int, made: Any, action: Any) -> set[int | None]:
    """Return the viewers whose text says that an action would have kept a promise."""
    better = DecisionLoss(number, made.seat, 0.2, msgspec.to_builtins(action))
    found = Analysis("boogie", 1, 3, 8, len(journal.entries), decisions=[better])
    point = TurningPoint(number, made.seat, "choice", 0.5, 0.3)
    why = {
        viewer: render_turning_points(game, journal, found, [point], viewer, "en")[0].why for viewer in (0, 1, 2, None)
    }
    return {viewer for viewer, rendered in why.items() if "You promised that" in rendered}


def test_texts_describe_what_the_player_knew_then() -> None:
    for key, rendered in (("bebop", "Not what was hidden"), ("bpm", "Not what was hidden")):
        game, journal = find(key), a_game(key)
        number = next(n for n, entry in enumerate(journal.entries, 1) if isinstance(entry.actor, int))
        found = Analysis(key, 1, 2, 8, 1, decisions=[DecisionLoss(number, 0, 0.2, journal.entries[number - 1].action)])
        seat = int(journal.entries[number - 1].actor)
        point = TurningPoint(number, seat, "choice", 0.5, 0.3)
        (texts,) = render_turning_points(game, journal, found, [point], seat, "en")
        assert texts.knew.startswith(rendered)


def test_promises_are_described_to_their_witnesses() -> None:
    game, journal = find("boogie"), a_game("boogie", seed=1, bots="rogue,greedy")
    texts = [event for step in steps(journal, game) for event in step.events]
    events = [event for event in texts if type(event).__name__ == "PromiseJudged"]
    private = [event for event in events if event.to is not None]
    assert private, "something was promised in private"
    found = GameReview(game, journal).analysis
    found.sections["promises"] = [[0, 0, 0, 0]] * 3
    for viewer in (None, 0, 1, 2):
        (section,) = render_sections(game, journal, found, viewer, "en")
        known = [event for event in events if event.to is None or viewer in (event.seat, event.to)]
        assert [entry.seat for entry in section.entries] == [event.seat for event in known]
        assert all(entry.sentence.endswith(".") for entry in section.entries)
        broken = [event.verdict == "broken" for event in known]
        assert all(not entry.note or was_broken for entry, was_broken in zip(section.entries, broken, strict=True))
        assert any(entry.note for entry in section.entries)
        assert [column.title for column in section.columns] == ["kept", "broken", "void", "in points"]


def test_a_game_without_sections_has_none() -> None:
    game, journal = find("bpm"), a_game("bpm")
    assert render_sections(game, journal, GameReview(game, journal).analysis, 0, "en") == []
