"""Bot factories by name, including custom classes as module:Class."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jamboree.bots import LEVELS, Budget, bot_factory
from jamboree.cli import app
from jamboree.cli.commands.games import _characters
from jamboree.core.chance import Seeded
from jamboree.core.errors import JamboreeError
from jamboree.core.journal import read
from jamboree.core.kit.reporting import Series
from jamboree.games import find
from jamboree.lab.ladder.schedule import ladder_games, parse_levels
from jamboree.lab.simulate import play_one
from tests.contract.toy import HighCard

HERE = f"{__name__}:"
GAME = find("bpm")


class First:
    def __init__(self, seed: int | None) -> None:
        self.seed = seed

    def choose(self, view: Any, offers: Sequence[Any]) -> Any:
        return offers[0].action


class Thinker:
    def decide(self, view: Any, offers: Sequence[Any], budget: Budget) -> Any:
        return random.Random(1).choice(offers).action


class Idler:
    pass


def test_a_bot_class_receives_a_seed_if_it_accepts_one() -> None:
    made = bot_factory(GAME, f"{HERE}First")(7)
    assert isinstance(made, First)
    assert made.seed == 7
    state = GAME.setup(2, GAME.info.options(), Seeded(1))
    offers = GAME.legal(state, 0)
    assert bot_factory(GAME, f"{HERE}Thinker")(7).choose(GAME.view(state, 0), offers) in [
        offer.action for offer in offers
    ]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("sleepy", "BPMs Per Minute has no bot called 'sleepy'; it has: rookie, regular"),
        ("nowhere.at.all:Bot", "can't be loaded: No module named 'nowhere'"),
        (f"{HERE}Nobody", "there is no class 'Nobody'"),
        (f"{HERE}Idler", "neither `choose` nor `decide`"),
    ],
)
def test_invalid_bot_classes_are_reported_in_a_sentence(name: str, complaint: str) -> None:
    with pytest.raises(JamboreeError, match=complaint.replace("(", r"\(")):
        bot_factory(GAME, name)(1)


def test_custom_bots_play_in_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module lies in the current folder, where a shell's command does not look by itself."""
    (tmp_path / "mybots.py").write_text("from tests.bots.test_factories import First as Swing\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    journal = tmp_path / "game.json"
    line = ["play", "bpm", "--auto", "--seats", "2", "--bots", "mybots:Swing,regular", "--journal", str(journal)]
    result = CliRunner().invoke(app, [*line, "--lang", "nl"])
    assert result.exit_code == 0, result.output
    assert read(journal.read_bytes()).header.names == ["Swing 1", "Vaste gast 2"]


def test_custom_bots_play_in_the_lab() -> None:
    name = f"{HERE}First"
    chosen = parse_levels(GAME, f"{name},rookie")
    assert chosen == ["rookie", name]
    (game,) = ladder_games(GAME, chosen, 2, 1)
    assert (game.one, game.others) == (name, "rookie")
    record = play_one(game.series("bpm", GAME.info.options()), game.seed)
    assert record.failure is None
    assert play_one(Series("bpm", GAME.info.options(), (name, name)), 1).failure is None


def test_built_in_bots_have_the_names_of_the_levels(tmp_path: Path) -> None:
    journal = tmp_path / "game.json"
    CliRunner().invoke(app, ["play", "bpm", "--auto", "--seats", "2", "--journal", str(journal), "--lang", "en"])
    assert read(journal.read_bytes()).header.names == ["Regular 1", "Regular 2"]
    listed = CliRunner().invoke(app, ["games"]).stdout
    assert f"bots     {', '.join(LEVELS)}" in listed


def test_a_game_without_bots_reports_that_its_bots_play_at_random() -> None:
    listing = "\n".join(_characters(HighCard()))
    assert "all play at random" in listing
    assert "Mabel" not in listing
    assert "Mabel" in "\n".join(_characters(find("bebop")))
