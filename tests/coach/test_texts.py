"""The coach's texts: each is used in the game's `coaching.py`, and none is missing."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from jamboree.core.words import LANGUAGES

SAID = re.compile(r'"(coach\.[\w.-]+)"')


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", ["bebop", "boogie", "bpm"])
def test_the_catalogue_has_exactly_the_texts_that_the_coach_uses(key: str, lang: str) -> None:
    coaching = import_module(f"jamboree.games.{key}.words.coaching")
    rendered = set(SAID.findall(Path(str(coaching.__file__)).read_text("utf-8")))
    texts = {text.removesuffix(".tie") for text in coaching.CATALOGUE.texts(lang) if text.startswith("coach.")}
    assert rendered == texts
