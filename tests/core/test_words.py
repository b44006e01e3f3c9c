"""Texts are filled with values, in the form the count asks for."""

import json
from pathlib import Path

import pytest

from jamboree.core.words import COMMON, LANGUAGES, Catalogue, format_date, join_words, list_counts


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


@pytest.mark.parametrize(
    ("names", "english", "dutch"),
    [
        ([], "", ""),
        (["Ada"], "Ada", "Ada"),
        (["Ada", "Bob"], "Ada and Bob", "Ada en Bob"),
        (["Ada", "Bob", "Cleo"], "Ada, Bob and Cleo", "Ada, Bob en Cleo"),
    ],
)
def test_words_stand_in_a_row_as_people_put_them(names: list[str], english: str, dutch: str) -> None:
    assert (join_words(names, "en"), join_words(names, "nl")) == (english, dutch)


def test_counts_keep_clear_of_numbers_in_names() -> None:
    assert list_counts(["Player 1", "Bob"], [3, 5], "en") == "3 for Player 1 and 5 for Bob"
    assert list_counts(["Speler 1", "Bob"], [3, 5], "nl") == "3 voor Speler 1 en 5 voor Bob"


@pytest.mark.parametrize(
    ("written", "english", "dutch"),
    [
        ("1999-04-01", "1 April 1999", "1 april 1999"),
        ("1987-10", "October 1987", "oktober 1987"),
        ("1987", "1987", "1987"),
    ],
)
def test_dates_are_said_as_people_say_them(written: str, english: str, dutch: str) -> None:
    assert (format_date(written, "en"), format_date(written, "nl")) == (english, dutch)


def test_every_language_has_the_texts_of_all() -> None:
    assert {frozenset(COMMON.texts(lang)) for lang in LANGUAGES} == {frozenset(COMMON.texts("en"))}
