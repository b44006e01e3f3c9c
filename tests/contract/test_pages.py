"""Texts and rules pages of every game: translations agree, and every ruling has a test named after it."""

import ast
import re
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from jamboree.core.learning.course import course_of
from jamboree.core.learning.pictures import pictures_of
from jamboree.core.words import LANGUAGES, Catalogue
from jamboree.games import all_games, package

GAMES = all_games()
CATALOGUES = {key: Catalogue(f"{package(key)}.words") for key in GAMES} | {"cli": Catalogue("jamboree.cli")}
TESTS = Path(__file__).parents[1] / "games"
HEADING = re.compile(r"^(#{2,3}) .+ \{#([a-z0-9-]+)\}$", re.M)

OWN = [key for key in GAMES if package(key).startswith("jamboree.games.")]  # only these need every language

of_every_game = pytest.mark.parametrize("key", GAMES)
of_our_games = pytest.mark.parametrize("key", OWN)
of_every_catalogue = pytest.mark.parametrize("key", CATALOGUES)
in_every_language = pytest.mark.parametrize("lang", LANGUAGES)


def forms(text: Any) -> dict[str, str]:
    return text if isinstance(text, dict) else {"": text}


def blanks(text: Any) -> set[str]:
    fields = {field for form in forms(text).values() for _, field, _, _ in Formatter().parse(form) if field}
    return {field.removeprefix("to_") for field in fields}  # one language may need an object where another does not


@of_every_catalogue
@in_every_language
def test_every_language_has_the_same_texts(key: str, lang: str) -> None:
    texts, english = CATALOGUES[key].texts(lang), CATALOGUES[key].texts("en")
    assert texts.keys() == english.keys() if key in (*OWN, "cli") else texts.keys() <= english.keys()
    for name, text in texts.items():
        assert forms(text).keys() == forms(english[name]).keys(), name
        assert forms(text).keys() in ({""}, {"one", "other"}), name
        assert blanks(text) == blanks(english[name]), name
        assert all(form.strip() for form in forms(text).values()), name


@of_our_games
@in_every_language
def test_our_games_are_translated_completely(key: str, lang: str) -> None:
    """Elsewhere English stands in for a missing translation, so no other test would notice one."""
    assert CATALOGUES[key].texts(lang)
    pages = files(f"{package(key)}.words") / "rules"
    course = course_of(GAMES[key])
    pictures = pictures_of(GAMES[key])
    for page in (f"{lang}.md", f"quick-{lang}.md"):
        assert (pages / page).is_file(), page
    assert course
    for translatable in (course.common, *course.lessons, *pictures.pieces, *pictures.examples):
        assert getattr(translatable, lang), translatable


def anchors(key: str, lang: str, depth: int) -> list[str]:
    return [anchor for marks, anchor in HEADING.findall(GAMES[key].words.rules(lang)) if len(marks) == depth]


def rulings_with_a_test(key: str) -> set[str]:
    """List the rulings that have a test named after them."""
    modules = [ast.parse(path.read_text("utf-8")) for path in (TESTS / key).rglob("test_*.py")]
    names = [node.name for module in modules for node in module.body if isinstance(node, ast.FunctionDef)]
    return {name.removeprefix("test_ruling_").replace("_", "-") for name in names if name.startswith("test_ruling_")}


def refused_by(key: str) -> set[str]:
    """List the rules that a game's code refuses actions by."""
    return {rule for path in _sources(key) for rule in refused_in(path.read_text("utf-8"))}


def refused_in(source: str) -> set[str]:
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and node.args]
    named = [call.args[0] for call in calls if ast.unparse(call.func).split(".")[-1] == "refuse"]
    return {str(rule.value) for rule in named if isinstance(rule, ast.Constant)}


def test_the_catalogue_may_render_a_refusal() -> None:
    assert refused_in("raise refuse('turn', 'late')\nraise TEXTS.refuse('end', 'over')") == {"turn", "end"}


def _sources(key: str) -> list[Path]:
    return sorted(Path(str(import_module(package(key)).__file__)).parent.rglob("*.py"))


@of_every_game
@in_every_language
def test_anchors_are_unique(key: str, lang: str) -> None:
    found = anchors(key, lang, 2) + anchors(key, lang, 3)
    assert len(found) == len(set(found)) == len(re.findall(r"^##", GAMES[key].words.rules(lang), re.M))


@of_every_game
@in_every_language
def test_the_pages_have_the_same_headings_in_every_language(key: str, lang: str) -> None:
    for depth in (2, 3):
        assert anchors(key, lang, depth) == anchors(key, "en", depth)


@of_every_game
@in_every_language
def test_every_rule_of_a_refusal_is_on_the_page(key: str, lang: str) -> None:
    assert refused_by(key)
    assert refused_by(key) <= {*anchors(key, lang, 2), *anchors(key, lang, 3)}


@of_our_games
@in_every_language
def test_rulings_are_in_their_own_section(key: str, lang: str) -> None:
    before, _, after = GAMES[key].words.rules(lang).partition("{#rulings}")
    _, _, rest = after.partition("\n## ")
    assert "\n### " not in before + rest


@of_our_games
def test_every_ruling_has_a_test_of_its_name(key: str) -> None:
    assert set(anchors(key, "en", 3)) == rulings_with_a_test(key)
