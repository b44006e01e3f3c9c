"""The label before a move in a hint makes that move when it is typed."""

import io
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from rich.console import Console

from jamboree.bots import RandomBot
from jamboree.cli.playing.hints import LETTERS, WAIT_COMMAND, hint_labels
from jamboree.cli.playing.human import Human
from jamboree.cli.playing.menu import Group, Target
from jamboree.coach import AdviceText, MoveText
from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, Nature
from jamboree.core.play import WAIT
from jamboree.core.words import LANGUAGES
from jamboree.games import find, keys

POSITIONS = 60


def hinted(game: AnyGame, view: Any, action: Any, names: list[str], lang: str) -> MoveText:
    written = None if action is None else msgspec.to_builtins(action)
    title = "Wait" if action is None else game.words.choice(action, view, names, lang).title
    return MoveText(action=written, title=title, reason="", rank=1, certain=0, chance=None, expected=None)


def positions(game: AnyGame) -> Iterator[tuple[Any, int]]:
    """Yield positions of random games in which a player has a choice."""
    rng, found = random.Random(1), 0
    while found < POSITIONS:
        seats = rng.randint(*game.info.seats)
        state, chance, bot = game.setup(seats, game.info.options(), Seeded(found)), Seeded(found), RandomBot(found)
        while (actors := game.to_act(state)) and found < POSITIONS:
            actor = rng.choice(sorted(actors, key=str))
            if actor is Nature.CLOCK:
                game.apply(state, actor, game.legal(state, actor)[0].action, chance)
                continue
            if len(game.legal(state, actor)) > 1 and rng.random() < 0.2:
                found += 1
                yield state, actor
            if (action := bot.choose(game.view(state, actor), game.legal(state, actor))) is not WAIT:
                game.apply(state, actor, action, chance)


class Asker:
    """A person who asks for a hint and types the label of one of its moves, as read from the screen."""

    def __init__(self, game: AnyGame, state: Any, seat: int, lang: str, rng: random.Random) -> None:
        names = [f"Player {at + 1}" for at in range(game.view(state, seat).seats)]
        view, offers = game.view(state, seat), list(game.legal(state, seat))
        self.actions = rng.sample([None, *(offer.action for offer in rng.sample(offers, min(3, len(offers))))], 2)
        moves = [hinted(game, view, action, names, lang) for action in self.actions]
        self.written, self.rng = io.StringIO(), rng
        out = Console(file=self.written, width=500, height=60, force_terminal=True, color_system=None)
        human = self.human = Human(game, seat, names, lang, out)
        human.may_wait = lambda: True
        human.advised = lambda view: AdviceText(moves=moves)  # type: ignore[method-assign]
        script = self.script(moves)
        human.read = lambda prompt: next(script)
        self.got = human.choose(view, offers)

    def script(self, moves: list[MoveText]) -> Iterator[str]:
        inside = len(self.human.groups[0].targets) > 1 and self.rng.random() < 0.5
        if inside:
            yield "1\n"
        yield "h\n"
        wanted = self.rng.randrange(len(moves))
        self.wanted = self.actions[wanted]
        shown = self.written.getvalue().splitlines()[-1 - 2 * len(moves) : -1 : 2]  # each has a reason below it
        labels = [line.split(maxsplit=1) for line in shown]
        assert [title for _, title in labels] == [move.title for move in moves]
        yield "\n" if inside and self.rng.random() < 0.5 else "?\n"
        label = labels[wanted][0]
        yield f"{self.rng.choice([label, label.upper()])}\n"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", keys())
def test_the_label_of_a_hint_plays_its_move(key: str, lang: str) -> None:
    game, rng = find(key), random.Random(lang)
    for state, seat in positions(game):
        asker = Asker(game, state, seat, lang, rng)
        assert (None if asker.got is WAIT else asker.got) == asker.wanted, asker.written.getvalue()[-2000:]


def target(name: str, action: str) -> Target:
    return Target(name, action, (0,), 0, title=name)


def test_a_number_selects_a_hint_only_if_it_is_unambiguous() -> None:
    alone = [Group("Reroll", [target("red", "red")]), Group("Reroll", [target("yellow", "yellow")])]
    assert hint_labels(alone, ["yellow", None, "blue"], "hbmq") == ["2", WAIT_COMMAND, "x"]
    grouped = [*alone, Group("Claim", [target("d5", "d5"), target("e5", "e5")])]
    assert hint_labels(grouped, ["yellow", "e5"], "hbmq") == ["x", "y"]


def test_labels_of_hints_are_neither_commands_nor_targets() -> None:
    named = Group("Promise", [target("X", "a"), target("y z", "b")])
    assert hint_labels([named], ["a", "b", "c"], "zj") == ["k", "l", "a"]
    commands = {*Human(find(keys()[0]), 0, [], "en", Console(file=io.StringIO())).commands, WAIT_COMMAND}
    assert len({*hint_labels([named], range(3), commands)} - commands) == 3
    assert len({*LETTERS}) == len(LETTERS) == 26


def test_without_a_question_labels_have_no_effect() -> None:
    assert hint_labels([], ["a"], "") == ["·"]
