"""The ledger: every ruling has a test that carries its name."""

import re

import pytest

from jamboree.core.words import LANGUAGES

from . import test_promises, test_rulings
from .table import BOOGIE


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_ruling_of_the_ledger_has_a_test(lang: str) -> None:
    ledger = BOOGIE.words.rules(lang).partition("{#rulings}")[2].partition("{#reconstruction}")[0]
    named = {f"test_ruling_{anchor.replace('-', '_')}" for anchor in re.findall(r"^### .*\{#([\w-]+)\}", ledger, re.M)}
    tests = {*vars(test_promises), *vars(test_rulings)}
    assert named == {name for name in tests if name.startswith("test_ruling_")}


def test_both_languages_have_the_same_passages() -> None:
    english, dutch = (re.findall(r"\{#([\w-]+)\}", BOOGIE.words.rules(lang)) for lang in ("en", "nl"))
    assert english == dutch
    assert len(set(english)) == len(english)
