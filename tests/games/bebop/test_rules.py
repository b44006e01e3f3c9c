"""The rules pages: every rule that can be broken and every ruling has its place, in every language."""

import ast
import re
from pathlib import Path

import pytest

from jamboree.core.words import LANGUAGES
from jamboree.games.bebop.board import festivals, load
from jamboree.games.bebop.text import rules

from .refusals import refusals

HEADING = re.compile(r"^(#{2,3}) (.+) \{#([a-z-]+)\}$", re.M)
in_every_language = pytest.mark.parametrize("lang", LANGUAGES)


def anchors(lang: str, depth: int) -> list[str]:
    return [anchor for marks, _, anchor in HEADING.findall(rules(lang)) if len(marks) == depth]


def rulings_with_a_test() -> set[str]:
    """List the rulings that have a test named after them."""
    modules = [ast.parse(path.read_text("utf-8")) for path in Path(__file__).parent.glob("test_*.py")]
    names = [node.name for module in modules for node in module.body if isinstance(node, ast.FunctionDef)]
    return {name.removeprefix("test_ruling_").replace("_", "-") for name in names if name.startswith("test_ruling_")}


@in_every_language
def test_every_heading_has_an_anchor_of_its_own(lang: str) -> None:
    found = anchors(lang, 2) + anchors(lang, 3)
    assert len(found) == len(set(found)) == len(re.findall(r"^##", rules(lang), re.M))


@in_every_language
def test_every_rule_that_can_be_broken_is_explained(lang: str) -> None:
    assert {rule for rule, _ in refusals()} <= set(anchors(lang, 2))


def test_every_ruling_has_a_test_that_carries_its_name() -> None:
    assert set(anchors("en", 3)) == rulings_with_a_test()


@in_every_language
def test_the_pages_have_the_same_headings_in_the_same_order(lang: str) -> None:
    for depth in (2, 3):
        assert anchors(lang, depth) == anchors("en", depth)


@in_every_language
def test_rulings_stand_under_their_own_heading(lang: str) -> None:
    before, _, after = rules(lang).partition("{#rulings}")
    rulings, _, rest = after.partition("\n## ")
    assert "\n### " not in before + rest
    assert len(re.findall(r"^### ", rulings, re.M)) == len(anchors("en", 3))


@in_every_language
def test_credits_are_given(lang: str) -> None:
    text = " ".join(rules(lang).split())
    for fact in ("Robert Hovakimyan", "Bitewing Games"):
        assert fact in text
    for festival in festivals():
        album, _, _ = load(festival).album.partition(" - ")
        assert load(festival).name in text
        assert album in text
