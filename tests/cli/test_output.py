"""Rendering of paintings and sentences in a terminal."""

import io

import pytest
from rich.console import Console
from rich.text import Text

from jamboree.cli.output import RICH_STYLES, gain_pattern, in_columns, print_painting, print_text, style_of
from jamboree.cli.playing.human import Human, PlayerLeft
from jamboree.core.chance import Seeded
from jamboree.core.game import Eye
from jamboree.core.words import LANGUAGES, STYLES, Line, Span, clean
from jamboree.games import find
from tests.contract.toy import HighCard

game = find("bebop")


def window(columns: int = 40, colour: bool = False) -> Console:
    return Console(file=io.StringIO(), width=columns, force_terminal=True, color_system="truecolor" if colour else None)


def printed(out: Console) -> str:
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def plain(lines: list[Line]) -> list[str]:
    return ["".join(span.text for span in line) for line in lines]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_board_fits_eighty_columns(lang: str, seats: int) -> None:
    for options in game.info.samples:
        view = game.view(game.setup(seats, options, Seeded(1)), Eye.ALL)
        lines = plain(game.words.paint(view, ["A name so long"] * seats, lang))
        assert [line for line in lines if len(line.rstrip()) > 80] == []


def test_every_style_has_a_rendering() -> None:
    assert RICH_STYLES.keys() == STYLES
    assert len({style_of(style) for style in STYLES}) == len(STYLES)


@pytest.mark.parametrize(
    ("key", "lang", "bold"),
    [
        ("bebop", "en", ["2 points"]),
        ("bebop", "nl", []),
        ("bpm", "en", ["2 points", "3 superfans"]),
        ("bpm", "nl", ["3 superfans"]),
    ],
)
def test_gains_use_the_games_unit(key: str, lang: str, bold: list[str]) -> None:
    assert gain_pattern(find(key).words, lang).findall("Ada scores 2 points and 3 superfans, Bob 0 points") == bold


def test_drawn_lines_are_not_truncated() -> None:
    out = window()
    print_painting(out, [[Span("x" * 60, "strong"), Span("   ")]])
    assert printed(out) == "x" * 60 + "\n"


def test_drawn_lines_that_are_too_long_wrap_at_words() -> None:
    out = window(20)
    print_painting(out, [[Span("  seven "), Span("letters a word", "strong"), Span(" make it long")]])
    assert printed(out).splitlines() == ["  seven letters a", "    word make it", "    long"]


def test_sentences_wrap_at_words_and_paths_stay_whole() -> None:
    out, path = window(), "/somewhere/" + "far/" * 12 + "game.json"
    print_text(out, f"The game is kept in {path}.")
    assert printed(out) == f"The game is kept in\n{path}.\n"


def test_columns_are_read_downwards() -> None:
    out = window(20)
    lines = in_columns(out, [Text(f"{number:>2}") for number in range(1, 6)])
    assert [line.plain for line in lines] == ["   1    3    5", "   2    4"]


def test_styles_combine() -> None:
    assert style_of("ground label").bgcolor == style_of("ground").bgcolor
    assert (style_of("ground").bold, style_of("ground label").bold) == (True, False)
    assert style_of("nobody knows this").color is None


def test_control_characters_are_not_printed() -> None:
    assert clean("a\x1b[31m\r\nb★") == "a?[31m??b★"


def test_the_board_command_draws_the_current_position() -> None:
    """Others may have moved since the choices were listed."""
    out, state, chance = window(100), game.setup(3, game.info.options(), Seeded(1)), Seeded(1)
    (seat,) = game.to_act(state)
    assert isinstance(seat, int)
    person, answers = Human(game, seat, ["Ada", "Bob", "Cleo"], "en", out), iter(["b\n", "q\n", ""])
    before = game.view(state, seat), game.legal(state, seat)
    game.apply(state, seat, before[1][0].action, chance)
    person.refresh = lambda: (game.view(state, seat), game.legal(state, seat))
    person.read = lambda prompt: next(answers)
    with pytest.raises(PlayerLeft):
        person.choose(*before)
    listed, _, asked_for = printed(out).partition("Claim: basic seat")
    assert " 1. " not in listed
    assert f" {seat + 1}. " in asked_for


def test_a_game_without_players_gives_no_hints() -> None:
    out = window(80)
    Human(HighCard(), 0, ["Ada", "Bob"], "en", out).hint(None)
    assert printed(out) == "This game has no player that could give you a hint.\n"
