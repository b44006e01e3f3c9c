"""Texts are filled with values, in the form the count asks for."""

import json
from pathlib import Path

import pytest

from jamboree.core.words import Catalogue


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    package = tmp_path / "a_game_with_words"
    (package / "locale").mkdir(parents=True)
    (package / "__init__.py").touch()
    texts = {"plain": "Hello {name}.", "dice": {"one": "{count} die", "other": "{count} dice"}}
    (package / "locale" / "en.json").write_text(json.dumps(texts))
    monkeypatch.syspath_prepend(tmp_path)
    return Catalogue("a_game_with_words")


def test_values_are_filled_in(catalogue: Catalogue) -> None:
    assert catalogue.say("en", "plain", name="Ella") == "Hello Ella."


def test_the_count_chooses_the_form(catalogue: Catalogue) -> None:
    assert catalogue.say("en", "dice", count=1) == "1 die"
    assert catalogue.say("en", "dice", count=0) == "0 dice"


def test_a_missing_text_is_an_error(catalogue: Catalogue) -> None:
    with pytest.raises(KeyError):
        catalogue.say("en", "nothing")
