"""The laws that every game keeps. Each takes a recorded random game and fails with a sentence if it is broken."""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

import msgspec
import pytest
from msgspec import structs

from jamboree.core.chance import Seeded, sees
from jamboree.core.errors import Illegal
from jamboree.core.game import AnyGame, Eye, Nature, Viewer, dump, loads
from jamboree.core.journal import check, read, steps, write
from jamboree.core.play import WAIT, Later, Match
from jamboree.core.seats import rotate

from .record import (
    AlternativeChance,
    Impossible,
    Move,
    PerturbedChance,
    Pick,
    Recorded,
    ReplayedChance,
    VisibleDivergence,
    play_at_random,
    visible_bytes,
    witnessed_bytes,
)


def sampled(record: Recorded, rng: random.Random, count: int) -> list[int]:
    """Sample steps of a game, including the first and the last."""
    steps = range(len(record.moves))
    some = rng.sample(steps, min(count, len(steps)))
    return sorted({0, len(record.moves) - 1, *some})


def components_are_conserved(record: Recorded) -> None:
    before = dict(record.game.census(record.start))
    for number, state in enumerate(record.states):
        assert dict(record.game.census(state)) == before, f"components changed at step {number}"


def legal_and_apply_agree(record: Recorded) -> None:
    """Every offer can be applied; every other action is refused and leaves the state unchanged."""
    game, rng = record.game, random.Random(1)
    for number in sampled(record, rng, 12):
        state = record.states[number]
        for actor in (*range(record.seats), Nature.CLOCK):
            offered = {offer.action for offer in game.legal(state, actor)}
            assert bool(offered) == (actor in game.to_act(state)), f"{actor!r} has offers without being asked"
            for action in rng.sample(sorted(offered, key=str), min(6, len(offered))):
                game.apply(state.clone(), actor, action, Seeded(number))
            every = game.actions(state)
            assert offered <= set(every), "an offer is missing from the game's actions"
            refused = [action for action in rng.sample(every, min(60, len(every))) if action not in offered]
            for action in refused:
                before = dump(state)
                with pytest.raises(Illegal):
                    game.apply(state, actor, action, Seeded(number))
                assert dump(state) == before, f"{action} was refused and changed the state"


STRANGE: tuple[Any, ...] = (None, -1, 99, 10**30, 1.5, "", "nowhere", (), [], {}, object())
FOREIGN = (*STRANGE, WAIT, Later(1.0), object, ValueError("no action"))


def nothing_else_is_an_action(record: Recorded) -> None:
    """A value that is not a legal action is refused, including WAIT and actions with strange fields."""
    game, rng = record.game, random.Random(12)
    for number in sampled(record, rng, 6):
        state = record.states[number]
        kinds = {type(action): action for action in rng.sample(game.actions(state), len(game.actions(state)))}
        values = [*FOREIGN, *(bent for action in kinds.values() for bent in _with_strange_fields(action))]
        before = dump(state)
        for actor in (-1, *range(record.seats + 1), Nature.CLOCK):
            legal = [offer.action for offer in game.legal(state, actor)]
            for value in values:
                if value not in legal:
                    assert _is_refused(game, state, actor, value), f"{value!r} by {actor!r} was carried out"
            assert dump(state) == before, f"what was refused to {actor!r} changed the state"


def _with_strange_fields(action: Any) -> Iterator[Any]:
    """Yield actions of the same type with one field replaced by a strange value."""
    for field in action.__struct_fields__:
        for value in STRANGE:
            yield structs.replace(action, **{field: value})


def _is_refused(game: AnyGame, state: Any, actor: Any, value: Any) -> bool:
    try:
        game.apply(state, actor, value, Seeded(0))
    except Illegal:
        return True
    except Exception as error:
        raise AssertionError(f"{value!r} is refused by {type(error).__name__}, not by Illegal") from error
    return False


def clones_are_independent(record: Recorded) -> None:
    game, rng = record.game, random.Random(2)
    for number in sampled(record, rng, 10):
        state, move = record.states[number], record.moves[number]
        before, clone = dump(state), state.clone()
        assert dump(clone) == before, "a clone differs"
        game.apply(clone, move.actor, move.action, ReplayedChance(move.picks))
        assert dump(state) == before, "a clone shares something with its original"
        assert dump(clone) == dump(move.after), "a clone plays on differently"


def replay_is_exact(record: Recorded) -> None:
    """The same picks give byte-equal states; a written journal can be read, checked and replayed."""
    game = record.game
    state = game.setup(record.seats, record.options, ReplayedChance(record.setup))
    assert dump(state) == dump(record.start), "set-up is not repeatable"
    for number, move in enumerate(record.moves, 1):
        game.apply(state, move.actor, move.action, ReplayedChance(move.picks))
        assert dump(state) == dump(move.after), f"step {number} is not repeatable"
    _journal_is_exact(record)


def _journal_is_exact(record: Recorded) -> None:
    match = Match(record.game, record.seats, record.options, Seeded(3))
    rng = random.Random(4)
    while actors := record.game.to_act(match.state):
        actor = rng.choice(sorted(actors, key=str))
        offers = record.game.legal(match.state, actor)
        match.act(actor, offers[rng.randrange(len(offers))].action)
    journal = read(write(match.journal()).encode())
    check(journal, record.game)
    *_, last = steps(journal, record.game)
    assert dump(last.state) == dump(match.state), "a journal replays to another state"


def values_round_trip(record: Recorded) -> None:
    """States, views, actions and events survive JSON, and views survive being drawn as text."""
    game, rng = record.game, random.Random(5)
    for number in sampled(record, rng, 10):
        state, move = record.states[number], record.moves[number]
        assert dump(loads(dump(state), record.start)) == dump(state), "a state does not survive JSON"
        for viewer in (*record.viewers, Eye.ALL):
            view = game.view(state, viewer)
            encoded = msgspec.json.encode(view)
            assert msgspec.json.decode(encoded, type=game.info.view) == view, "a view does not survive JSON"
            assert game.words.parse(game.words.draw(view)) == view, "a drawn view does not parse back"
        for value, kind in [(move.action, game.info.action), *((event, game.info.event) for event in move.events)]:
            assert msgspec.json.decode(msgspec.json.encode(value), type=kind) == value, f"{value} does not survive JSON"


def all_are_shown_the_same_way(record: Recorded) -> None:
    """`views` gives every viewer the same view as `view`."""
    for number in sampled(record, random.Random(6), 10):
        state = record.states[number]
        shown = record.game.views(state)
        for viewer in (*record.viewers, Eye.ALL):
            assert shown(viewer) == record.game.view(state, viewer), f"{viewer} is shown something else among others"


def same_story_same_view(record: Recorded) -> None:
    """Noninterference: changing a pick hidden from a viewer changes nothing visible to them until it is revealed."""
    rng = random.Random(6)
    for viewer in record.viewers:
        hidden = [
            (number, at)
            for number, picks in enumerate([record.setup, *(move.picks for move in record.moves)])
            for at, pick in enumerate(picks)
            if not sees(pick.seen_by, viewer) and len(pick.possible) > 1
        ]
        for number, at in rng.sample(hidden, min(8, len(hidden))):
            _change_one_pick(record, viewer, number, at, rng)


def _change_one_pick(record: Recorded, viewer: Any, number: int, at: int, rng: random.Random) -> None:
    game = record.game
    picks = record.setup if number == 0 else record.moves[number - 1].picks
    pick = picks[at]
    other = rng.choice([value for value in pick.possible if value != pick.value])
    changed = [*picks[:at], pick._replace(value=other), *picks[at + 1 :]]
    events: list[Any] = []
    chance, expected = PerturbedChance(changed, pick.value, viewer), list[Any]()
    move = record.moves[max(number - 1, 0)]
    try:
        if number == 0:
            state = game.setup(record.seats, record.options, chance)
        else:
            state, expected = record.states[number - 1].clone(), move.events
            game.apply(state, move.actor, move.action, chance, events.append)
    except Impossible:  # excluded by what this viewer saw in the same step
        return
    where = f"viewer {viewer}, step {number}: {pick.value} → {other}"
    unlike = [(was, now) for was, now in zip_longest(expected, events) if was != now]
    assert witnessed_bytes(game, events, viewer) == witnessed_bytes(game, expected, viewer), (
        f"a hidden pick shows in an event: after {move.action if number else 'set-up'}, {unlike[0][0]} would have been "
        f"{unlike[0][1]}; a pick that everybody learns at once must be made for EVERYONE ({where})"
    )
    same = visible_bytes(game, state, viewer) == visible_bytes(game, record.states[number], viewer)
    assert same, f"a hidden pick shows in the view ({where})"
    _replay_until_revealed(record, viewer, number, state, pick.value, where)


def _replay_until_revealed(record: Recorded, viewer: Any, number: int, state: Any, spare: str, where: str) -> None:
    """Continue as recorded: events and view must start to differ from the recorded game at the same step."""
    game = record.game
    for later, move in enumerate(record.moves[number:], number + 1):
        events: list[Any] = []
        try:
            game.apply(state, move.actor, move.action, PerturbedChance(move.picks, spare, viewer), events.append)
        except Illegal:  # such as playing a card that the changed hand does not have
            if state := _find_indistinguishable(game, state, move, spare, viewer, f"at step {later} ({where})"):
                continue
            return
        except Impossible:
            return
        same_story = witnessed_bytes(game, events, viewer) == witnessed_bytes(game, move.events, viewer)
        same_view = visible_bytes(game, state, viewer) == visible_bytes(game, move.after, viewer)
        if same_story and not same_view:
            raise AssertionError(f"the view shows something that no event revealed, at step {later} ({where})")
        if same_view and not same_story:
            raise AssertionError(f"an event revealed something that the view does not show, at step {later} ({where})")
        if not same_view:
            assert _reveals(game, move), f"no event says that it reveals something, at step {later} ({where})"
            return


def _reveals(game: AnyGame, move: Move) -> bool:
    return any(game.reveals(move.after, event) for event in move.events)


def _find_indistinguishable(game: AnyGame, state: Any, move: Move, spare: str, viewer: Any, where: str) -> Any:
    """Return the state after another action that looks like the recorded one; without one, that must reveal."""
    for offer in game.legal(state, move.actor):
        other, events = state.clone(), list[Any]()
        try:
            game.apply(other, move.actor, offer.action, AlternativeChance(move.picks, spare, viewer), events.append)
        except VisibleDivergence:
            continue
        except Impossible:  # excluded by what this viewer saw in the same step
            return None
        same_story = witnessed_bytes(game, events, viewer) == witnessed_bytes(game, move.events, viewer)
        if same_story and visible_bytes(game, other, viewer) == visible_bytes(game, move.after, viewer):
            return other
    assert _reveals(game, move), f"{move.action} shows what was hidden, and no event says that it reveals, {where}"
    return None


def imagined_states_fit(record: Recorded) -> None:
    """A determinization gives its viewer the same view, and can be played to the end."""
    game, rng = record.game, random.Random(7)
    for number in sampled(record, rng, 10):
        state = record.states[number]
        for viewer in (Eye.ALL, *record.viewers):
            for seed in range(3):
                imagined = game.imagine(game.view(state, viewer), Seeded(seed))
                assert visible_bytes(game, imagined, viewer) == visible_bytes(game, state, viewer), (
                    "imagined states show another view"
                )
                census = dict(game.census(imagined))
                assert census == dict(game.census(state)), "an imagined state has other components"
            if viewer in (Eye.ALL, record.viewers[-1]):
                _play_out(game, imagined, rng)


def _play_out(game: Any, state: Any, rng: random.Random) -> None:
    chance = Seeded(8)
    while actors := game.to_act(state):
        actor = rng.choice(sorted(actors, key=str))
        offers = game.legal(state, actor)
        assert offers, "an imagined state runs into a dead end"
        game.apply(state, actor, offers[rng.randrange(len(offers))].action, chance)


def previews_come_true(record: Recorded) -> None:
    """A preview's events are a prefix of what the player then witnesses; why_not agrees with apply."""
    game, rng = record.game, random.Random(9)
    for number in sampled(record, rng, 12):
        state, move = record.states[number], record.moves[number]
        if not isinstance(move.actor, int):
            continue
        view = game.view(state, move.actor)
        preview = game.preview(view, move.action)
        witnessed = [seen for event in move.events if (seen := game.witness(event, move.actor)) is not None]
        assert preview.events == witnessed[: len(preview.events)], "a preview differs from the action"
        assert game.why_not(view, move.action) is None, f"why_not refuses {move.action}, which is legal"
        offered = {offer.action for offer in game.legal(state, move.actor)}
        every = game.actions(state)
        for action in rng.sample(every, min(30, len(every))):
            refusal = game.why_not(view, action)
            assert (refusal is None) == (action in offered), f"why_not and legal disagree on {action}"
            assert _refused_by_preview(game, view, action) == (refusal is not None), f"preview and why_not: {action}"


def _refused_by_preview(game: AnyGame, view: Any, action: Any) -> bool:
    try:
        game.preview(view, action)
    except Illegal:
        return True
    return False


def seats_are_alike(record: Recorded) -> None:
    """Rotating the seats changes nothing but labels."""
    game = record.game
    by = 1
    seats = record.seats
    state = game.setup(seats, record.options, ReplayedChance(_rotated(record.setup, by, seats)))
    _assert_rotated(record, record.start, state, by)
    for number, move in enumerate(record.moves, 1):
        actor = (move.actor + by) % seats if isinstance(move.actor, int) else move.actor
        events: list[Any] = []
        action = rotate(move.action, by, seats)
        game.apply(state, actor, action, ReplayedChance(_rotated(move.picks, by, seats)), events.append)
        assert events == [rotate(event, by, seats) for event in move.events], f"step {number} depends on the seat"
        if number % 10 == 0 or number == len(record.moves):
            _assert_rotated(record, move.after, state, by)


def _rotated(picks: Sequence[Pick], by: int, seats: int) -> list[Pick]:
    return [pick._replace(value=_rotated_label(pick.value, by, seats)) for pick in picks]


def _rotated_label(value: str, by: int, seats: int) -> str:
    word, _, number = value.partition(" ")
    return f"seat {(int(number) + by) % seats}" if word == "seat" else value


def _assert_rotated(record: Recorded, state: Any, turned: Any, by: int) -> None:
    game, seats = record.game, record.seats
    for viewer in record.viewers:
        other = (viewer + by) % seats if isinstance(viewer, int) else viewer
        assert game.view(turned, other) == rotate(game.view(state, viewer), by, seats), "the seats are not alike"


def every_event_can_be_told(record: Recorded) -> None:
    from jamboree.core.words import LANGUAGES

    names = [f"Player {seat}" for seat in range(record.seats)]
    for move in record.moves:
        for event in move.events:
            for viewer in record.viewers:
                if (seen := record.game.witness(event, viewer)) is not None:
                    for lang in LANGUAGES:
                        _is_a_sentence(record.game.words.sentence(seen, names, lang), seen)
                        _addresses_the_reader(record, seen, names, lang, viewer)


def _addresses_the_reader(record: Recorded, event: Any, names: list[str], lang: str, viewer: Viewer) -> None:
    """A sentence addresses the player who reads it as “you”."""
    if isinstance(viewer, int):
        texts = record.game.words.sentence(event, names, lang, viewer)
        _is_a_sentence(texts, event)
        assert names[viewer] not in texts, f"{names[viewer]} reads their own name: {texts}"


def the_end_is_explained(record: Recorded) -> None:
    """The verdict names a winner for every viewer in every language, unless the game has no verdicts."""
    from jamboree.core.words import LANGUAGES, nothing_decided

    decided = record.game.words.decided
    outcome = record.game.outcome(record.states[-1])
    assert outcome, "the game is over"
    names = [f"Player {seat}" for seat in range(record.seats)]
    for viewer in record.viewers if decided != nothing_decided else ():
        view = record.game.view(record.states[-1], viewer)
        for lang in LANGUAGES:
            texts = decided(view, outcome, names, lang)
            _is_a_sentence(texts, outcome)
            assert any(names[seat] in texts for seat in outcome.winners), f"no winner is named: {texts}"
            if isinstance(viewer, int):
                assert names[viewer] not in decided(view, outcome, names, lang, viewer), "a reader is called by name"


def _is_a_sentence(texts: str, event: Any) -> None:
    assert texts, f"nothing is said of {event}"
    assert "None" not in texts.replace(".", " ").split(), f"a field that is blank is said as None: {texts}"


def pictures_have_known_styles(record: Recorded) -> None:
    from jamboree.core.words import LANGUAGES, STYLES

    names = [f"Player {seat}" for seat in range(record.seats)]
    for number in sampled(record, random.Random(10), 4):
        for viewer in record.viewers:
            view = record.game.view(record.states[number], viewer)
            painted = [record.game.words.paint(view, names, lang) for lang in LANGUAGES]
            used = {style for lines in painted for line in lines for span in line for style in span.style.split()}
            assert used <= STYLES, f"no client knows these styles: {sorted(used - STYLES)}"


LAWS: list[Callable[[Recorded], None]] = [
    components_are_conserved,
    legal_and_apply_agree,
    nothing_else_is_an_action,
    clones_are_independent,
    replay_is_exact,
    values_round_trip,
    all_are_shown_the_same_way,
    same_story_same_view,
    imagined_states_fit,
    previews_come_true,
    seats_are_alike,
    every_event_can_be_told,
    the_end_is_explained,
    pictures_have_known_styles,
]

__all__ = ["LAWS", "play_at_random"]
