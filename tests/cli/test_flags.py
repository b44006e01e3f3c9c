"""The flags of a game, derived from the fields of its options."""

from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import msgspec
import pytest
from typer.main import get_command
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.cli.game_flags import RESERVED, flags_of, params_of, table_options
from jamboree.core.errors import JamboreeError
from jamboree.core.journal import read
from jamboree.core.options import Flag
from jamboree.games import find


class Weather(Enum):
    SUN = "sun"
    RAIN = "rain"


class Options(msgspec.Struct, frozen=True):
    weather: Weather = Weather.SUN
    length: Literal["short", "long"] = "short"
    speed: Annotated[float, msgspec.Meta(ge=0.5, le=2)] = 1.0
    limit: Annotated[int, msgspec.Meta(ge=1, le=9)] | None = None
    teams: list[list[int]] = []
    friendly: bool = True
    seats: bool = False  # a name that the command has for itself


def made_up(options: type[msgspec.Struct] = Options, **flags: Flag) -> Any:
    """A game with made-up options."""
    info = SimpleNamespace(key="kite", title="Kite", options=options, flags=flags, designs={})
    return SimpleNamespace(info=info, words=SimpleNamespace(help=lambda option, lang: f"About {option}."))


def play(*args: object) -> Any:
    return CliRunner().invoke(app, ["play", *map(str, args)], env={"COLUMNS": "200"})


def completed(line: str, start: str) -> list[str]:
    command: Any = get_command(app)
    command = command.commands["play"]
    context = command.make_context("play", line.split(), resilient_parsing=True)
    return [item.value for item in command.shell_complete(context, start)]


def test_every_field_is_a_flag_of_its_type() -> None:
    by_name = {flag.field: param for flag, param in zip(flags_of(made_up()), params_of(made_up()), strict=True)}
    assert by_name["friendly"].opts == ["--friendly"]
    assert by_name["friendly"].secondary_opts == ["--no-friendly"]
    assert by_name["seats"].opts == ["--kite-seats"]
    assert by_name["limit"].help == "About limit."
    assert by_name["teams"].metavar == "JSON"


def test_flag_values_become_options() -> None:
    given = ["rain", "long", 2.0, 3, "[[0, 1], [2]]", False, None]
    assert table_options(made_up(), given) == Options(Weather.RAIN, "long", 2.0, 3, [[0, 1], [2]], False, False)
    assert table_options(made_up(), [None] * 7) == Options()


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({4: "[[0"}, "--teams takes JSON: "),
        ({4: "[" * 5_000}, "--teams takes JSON: "),
        ({4: '"x"'}, "Kite can't be played with these options: "),
        ({3: 10}, "with these options: "),
    ],
)
def test_invalid_values_are_reported(given: dict[int, Any], complaint: str) -> None:
    with pytest.raises(JamboreeError, match=complaint):
        table_options(made_up(), [given.get(number) for number in range(7)])


def test_a_flag_can_be_an_alias_for_a_value_and_an_option_can_imply_another() -> None:
    game = made_up(length=Flag(values={"marathon": "long"}), limit=Flag(implies={"length": "long"}))
    names = [flag.names[0] for flag in flags_of(game)]
    assert names[1:3] == ["--length", "--marathon"]

    def given(**flags: Any) -> list[Any]:
        return [flags.get(name.removeprefix("--")) for name in names]

    assert table_options(game, given(marathon=True)).length == "long"
    assert table_options(game, given(limit=2)).length == "long"
    assert table_options(game, given(limit=2, length="short")).length == "short"
    with pytest.raises(JamboreeError, match="--marathon can't be combined with another flag for the length"):
        table_options(game, given(length="long", marathon=True))


def test_games_cannot_use_the_flags_of_the_commands() -> None:
    command: Any = get_command(app)
    params = [param for name in ("play", "rate") for param in command.commands[name].params]
    own = {name for param in params for name in param.opts if name.startswith("--")}
    assert own | {"--help"} == {f"--{name}" for name in RESERVED}


@pytest.mark.parametrize(
    ("key", "flags"),
    [
        ("bebop", ["--board", "NAME|FILE", "vanillaville", "[default:", "--star", "--hidden-hands,--hidden "]),
        ("bpm", ["--songs", "FILE", "--hypemaster"]),
        ("boogie", ["--pace", "relaxed", "--timed", "--plane-seconds", "5<=x<=3600", "--promises", "--no-promises"]),
    ],
)
def test_help_shows_the_flags_of_the_game_and_of_no_other(key: str, flags: list[str]) -> None:
    shown = play(key, "--help").output
    assert [flag for flag in flags if flag not in shown] == []
    assert f"Options of {find(key).info.title}" in shown
    others = {"bebop", "bpm", "boogie"} - {key}
    assert [flag.names[0] for other in others for flag in flags_of(find(other)) if flag.names[0] in shown] == []
    assert shown == play("--help", key).output


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (
            "bebop --stars",
            "Bebop has no flag --stars. Did you mean --star? Its own flags are: --board, --star, --hidden-",
        ),
        ("--hypemaster bebop", "Bebop has no flag --hypemaster. Its own flags are: --board, --star, --hidden-hands."),
        ("--juggle=3", "There is no flag --juggle. `jamboree play GAME --help` shows the flags of a game."),
        ("bebop bpm", "Unexpected argument 'bpm' after 'bebop'."),
    ],
)
def test_an_unknown_flag_is_answered_with_the_known_ones(line: str, answer: str) -> None:
    result = play(*line.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(answer)
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("--board longchain bebop --hidden", {"hidden_hands": True}),
        ("bebop --hidden-hands --star", {"hidden_hands": True, "star": True}),
        ("boogie --timed", {"pace": "standard"}),
        ("boogie --no-promises --jump-seconds 30", {"pace": "own", "jump_seconds": 30, "promises": False}),
        ("boogie --promises --pace relaxed --jump-seconds 30", {"pace": "relaxed", "jump_seconds": 30}),
    ],
)
def test_flags_reach_the_table(line: str, options: dict[str, Any], tmp_path: Path) -> None:
    journal = tmp_path / "game.json"
    result = play(*line.split(), "--auto", "--bots", "random", "--seed", 1, "--journal", journal)
    assert result.exit_code == 0, result.stderr
    stored = msgspec.to_builtins(read(journal.read_bytes()).header.options)
    assert {name: stored[name] for name in options} == options


def test_a_shell_completes_the_flags_of_the_game() -> None:
    assert completed("bebop", "--sta") == ["--star"]
    assert completed("boogie", "--no") == ["--no-promises"]
    assert "--star" not in completed("boogie", "--s")
    assert completed("", "--se") == ["--seats", "--seat", "--seed"]


def test_markup_in_texts_of_a_game_is_printed_literally(monkeypatch: pytest.MonkeyPatch) -> None:
    game = made_up()
    game.info.title = "[red]A[/wrong] \x1b[2J"
    game.words = SimpleNamespace(help=lambda option, lang: "[bold]so[/nope]")
    monkeypatch.setattr("jamboree.cli.game_flags.find", lambda key: game)
    shown = CliRunner().invoke(app, ["play", "bebop", "--help"], env={"COLUMNS": "200"})
    assert shown.exit_code == 0, shown.exception
    assert "Options of [red]A[/wrong] ?[2J" in shown.output
    assert "[bold]so[/nope]" in shown.output
