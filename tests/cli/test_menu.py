from typing import Any

import pytest

from jamboree.cli.playing.menu import UNGROUPED, Group, InvalidAnswer, Target, menu, pick, refusals
from jamboree.core.chance import Seeded
from jamboree.games import find
from tests.contract.toy import AtSomebody

game = find("bebop")

NAMES = ["Ella", "Duke", "Chet", "Dizzy"]


def target(name: str, own: int = 0) -> Target:
    return Target(name, f"do {name}", (own, 0), own)


CLAIM = Group("Claim", [target("d5"), target("d10"), target("e1")])
BOOT = Group("Boot", [target("d5"), target("f7")])
PASS = Group("Pass", [target("")])
GROUPS = [CLAIM, BOOT, PASS]


@pytest.mark.parametrize(
    ("text", "inside", "expected"),
    [
        ("1", None, CLAIM),
        ("3", None, PASS.targets[0]),
        ("1 d5", None, CLAIM.targets[0]),
        ("2 D5", None, BOOT.targets[0]),
        ("2 2", None, BOOT.targets[1]),
        ("f7", None, BOOT.targets[1]),
        ("2", CLAIM, CLAIM.targets[1]),
        ("d10", CLAIM, CLAIM.targets[1]),
    ],
)
def test_valid_answers(text: str, inside: Group | None, expected: Target | Group) -> None:
    assert pick(GROUPS, text, inside) == expected


@pytest.mark.parametrize(
    ("text", "inside", "key"),
    [
        ("0", None, "no-number"),
        ("4", None, "no-number"),
        ("4 d5", None, "no-number"),
        ("d5", None, "ambiguous"),
        ("d", None, "no-target"),
        ("1 f7", None, "no-target"),
        ("f7", CLAIM, "no-target"),
        ("9", CLAIM, "no-target"),
        ("9" * 5000, None, "no-target"),
        ("²", None, "no-target"),
    ],
)
def test_invalid_answers(text: str, inside: Group | None, key: str) -> None:
    with pytest.raises(InvalidAnswer) as misread:
        pick(GROUPS, text, inside)
    assert misread.value.key == key


def opening() -> tuple[Any, list[Group]]:
    state = game.setup(2, game.info.options(), Seeded(1))
    (seat,) = game.to_act(state)
    assert isinstance(seat, int)
    view = game.view(state, seat)
    return view, menu(game, view, seat, game.legal(state, seat), "en", NAMES)


def test_many_offers_are_grouped() -> None:
    _, groups = opening()
    titles = [group.title for group in groups]
    assert titles[0] == "Claim: basic seat"
    assert len(titles) == len(set(titles))
    assert len(groups[0].targets) == 34


def test_few_offers_are_listed_one_by_one() -> None:
    state = game.setup(3, game.info.options(), Seeded(1))
    (seat,) = game.to_act(state)
    assert isinstance(seat, int)
    game.apply(state, seat, game.legal(state, seat)[0].action, Seeded(1))
    groups = menu(game, game.view(state, seat), seat, game.legal(state, seat), "en", NAMES)
    assert len(groups) <= UNGROUPED
    assert all(len(group.targets) == 1 for group in groups)


def test_an_illegal_target_is_explained() -> None:
    view, groups = opening()
    stage = view.stages[0].spaces[0]
    (refused,) = refusals(game, view, groups[:1], f"1 {stage}")
    assert refused.key == "stage-space"
    nowhere, *_ = refusals(game, view, groups, "zz9")
    assert nowhere.key == "no-such-hex"
    assert refusals(game, view, groups, "\x1b[A") == []
    assert refusals(game, view, groups, "") == []


def test_a_target_may_be_a_player() -> None:
    at_somebody: Any = AtSomebody()
    state = at_somebody.setup(2, at_somebody.info.samples[0], Seeded(1))
    groups = menu(at_somebody, at_somebody.view(state, 0), 0, at_somebody.legal(state, 0), "en", NAMES[:2])
    assert [target.name for group in groups for target in group.targets] == ["Ella", "Duke"]
    assert pick(groups, "duke") == groups[1].targets[0]
