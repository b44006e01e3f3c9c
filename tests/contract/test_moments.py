"""First-time help: every listed moment occurs in games, and its rule is on the rules page."""

import itertools
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import msgspec
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, Nature
from jamboree.core.offers import Offer
from jamboree.games import all_games

Moment = dict[str, Any]
MOST_GAMES = 40
APART = ("tile", "face_down", "after_pull")  # what makes a kind of action, besides its type


@lru_cache
def moments_of(key: str) -> list[Moment]:
    words: Any = all_games()[key].words
    stored = files(words.catalogue.package) / "moments.json"
    found: list[Moment] = json.loads(stored.read_text(encoding="utf-8")) if stored.is_file() else []
    return found


def matches(pattern: Any, value: Any, whole: Any) -> bool:
    """Match a pattern as the web client does (web/src/table/annotations/moments.ts)."""
    if isinstance(pattern, list):
        return any(matches(each, value, whole) for each in pattern)
    if not isinstance(pattern, dict):
        return bool(pattern == value)
    if "not" in pattern:
        return not matches(pattern["not"], value, whole)
    if "other" in pattern:
        return bool(value != whole[pattern["other"]])
    if isinstance(value, list):
        if "count" in pattern:
            return matches(pattern["count"], len(value), whole)
        return any(matches(pattern, each, each) for each in value)
    return isinstance(value, dict) and all(
        name in value and matches(each, value[name], value) for name, each in pattern.items()
    )


def comes_up(moment: Moment, events: list[Any], offers: list[Any], view: Any) -> bool:
    seen = {"event": events, "offer": offers, "view": [view]}
    (kind,) = moment.keys() & seen.keys()
    fits = "while" not in moment or matches(moment["while"], view, view)
    return fits and any(matches(moment[kind], each, each) for each in seen[kind])


def moves(game: AnyGame, seats: int, options: Any, seed: int) -> Iterator[tuple[list[Any], list[Any], Any]]:
    """Play a random game; yield the events, the actions of a player and that player's view."""
    rng = random.Random(seed)
    chance = Seeded(seed)
    emitted = list[Any]()
    state = game.setup(seats, options, chance)
    while actors := game.to_act(state):
        actor = rng.choice(sorted(actors, key=str))
        offers = game.legal(state, actor)
        if actor is not Nature.CLOCK:
            some = [msgspec.to_builtins(each.action) for each in rng.sample(list(offers), min(len(offers), 12))]
            yield msgspec.to_builtins(emitted), some, msgspec.to_builtins(game.view(state, actor))
        emitted.clear()
        game.apply(state, actor, _stubborn(offers, seed, rng), chance, emitted.append)
    yield msgspec.to_builtins(emitted), [], None


def _stubborn(offers: Sequence[Offer[Any]], seed: int, rng: random.Random) -> Any:
    """Choose with a preference for one type of action, so that rare ones occur too."""
    kinds = defaultdict[tuple[str, ...], list[Any]](list)
    for offer in offers:
        action = offer.action
        kinds[type(action).__name__, *(str(getattr(action, name, "")) for name in APART)].append(action)
    if seed % 3 == 0:
        return rng.choice(rng.choice(list(kinds.values())))
    favourite = random.Random(seed).random() if seed % 3 == 1 else rng.random()
    return rng.choice(kinds[min(kinds, key=lambda kind: abs(_share(kind) - favourite))])


def _share(kind: tuple[str, ...]) -> float:
    """Map every type of action to a number between 0 and 1, the same in every run."""
    return random.Random("".join(kind)).random()


@pytest.mark.parametrize("key", [key for key, game in all_games().items() if hasattr(game.words, "catalogue")])
def test_every_moment_occurs_in_games(key: str) -> None:
    game, waiting = all_games()[key], list(moments_of(key))
    setups = itertools.product(range(MOST_GAMES), (game.info.seats[0], game.info.seats[0] + 2))
    for seed, seats in setups:
        options = game.info.samples[seed % len(game.info.samples)]
        for now in moves(game, seats, options, seed):
            waiting = [moment for moment in waiting if not comes_up(moment, *now)]
        if not waiting:
            return
    raise AssertionError(f"these never come up: {[moment['key'] for moment in waiting]}")


@pytest.mark.parametrize("key", [key for key, game in all_games().items() if hasattr(game.words, "catalogue")])
def test_every_moment_has_a_rule_and_texts(key: str) -> None:
    words: Any = all_games()[key].words
    for moment in moments_of(key):
        assert moment.keys() <= {"key", "rule", "event", "while", "offer", "view", "at"}
        for lang in ("en", "nl"):
            assert f"{{#{moment['rule']}}}" in words.rules(lang), f"no such rule: {moment['rule']}"
            assert words.text(f"web.moment.{moment['key']}", lang), f"no text for {moment['key']} in {lang}"
