"""The rules pages: every rule that can be broken and every Hype card is covered, in every language."""

import re

import pytest

from jamboree.core.words import LANGUAGES
from jamboree.games.bpm.box.cards import CARDS
from jamboree.games.bpm.words.phrases import say_card
from jamboree.games.bpm.words.prompts import WORDS

from ..refusals import refusals

in_every_language = pytest.mark.parametrize("lang", LANGUAGES)


@in_every_language
def test_every_rule_that_can_be_broken_is_explained(lang: str) -> None:
    """Also where a check is given the rule to name."""
    assert {rule for rule, _ in refusals()} <= set(re.findall(r"^## .+ \{#([a-z-]+)\}$", WORDS.rules(lang), re.M))


@in_every_language
def test_every_hype_card_is_explained(lang: str) -> None:
    text = " ".join(WORDS.rules(lang).split()).casefold()
    for card in CARDS:
        assert say_card(card, lang).rpartition(": ")[2].casefold() in text
