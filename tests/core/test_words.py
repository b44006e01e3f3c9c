"""Texts are formatted with values, in the plural form for the count."""

import json
import sys
from pathlib import Path

import msgspec
import pytest

from jamboree.core.kit.words import EventSentences, FieldText, player_name, player_names
from jamboree.core.words import (
    COMMON,
    LANGUAGES,
    Catalogue,
    _texts,
    capitalise_you,
    format_date,
    join_words,
    list_counts,
)


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    _texts.cache_clear()
    monkeypatch.delitem(sys.modules, "a_game_with_words", raising=False)
    package = tmp_path / "a_game_with_words"
    (package / "locale").mkdir(parents=True)
    (package / "__init__.py").touch()
    texts = {"plain": "Hello {name}.", "dice": {"one": "{count} die", "other": "{count} dice"}}
    (package / "locale" / "en.json").write_text(json.dumps(texts))
    monkeypatch.syspath_prepend(tmp_path)
    return Catalogue("a_game_with_words")


def test_values_are_filled_in(catalogue: Catalogue) -> None:
    assert catalogue.say("en", "plain", name="Ella") == "Hello Ella."


def test_the_count_selects_the_plural_form(catalogue: Catalogue) -> None:
    assert catalogue.say("en", "dice", count=1) == "1 die"
    assert catalogue.say("en", "dice", count=0) == "0 dice"


@pytest.mark.parametrize(
    ("text", "lang", "capitalised"),
    [
        ("you win.", "en", "You win."),
        ("you, Ada and Bob tie.", "en", "You, Ada and Bob tie."),
        ("jij, Ada en Bob staan gelijk.", "nl", "Jij, Ada en Bob staan gelijk."),
        ("youri wins.", "en", "youri wins."),
    ],
)
def test_a_sentence_that_begins_with_you_is_capitalised(text: str, lang: str, capitalised: str) -> None:
    assert capitalise_you(text, lang) == capitalised


def test_a_missing_text_is_an_error(catalogue: Catalogue) -> None:
    with pytest.raises(KeyError):
        catalogue.say("en", "nothing")


def test_a_missing_translation_falls_back_to_english(catalogue: Catalogue, tmp_path: Path) -> None:
    assert catalogue.say("nl", "plain", name="Ella") == "Hello Ella."
    _texts.cache_clear()
    (tmp_path / "a_game_with_words" / "locale" / "nl.json").write_text(json.dumps({"plain": "Hallo {name}."}))
    assert catalogue.say("nl", "plain", name="Ella") == "Hallo Ella."
    assert catalogue.say("nl", "dice", count=2) == "2 dice"
    assert catalogue.language("plain", "nl") == "nl"
    assert catalogue.language("dice", "nl") == "en"
    with pytest.raises(KeyError, match=r"there is no text 'nothing' in a_game_with_words/locale/en\.json"):
        catalogue.say("nl", "nothing")


class Waved(msgspec.Struct):
    seat: int
    winners: list[int]


def test_a_sentence_falls_back_as_a_whole(catalogue: Catalogue, tmp_path: Path) -> None:
    texts = {"event.Waved": "{seat} waves at {winners}.", "event.Waved.you": "{seat} wave at {winners}."}
    (tmp_path / "a_game_with_words" / "locale" / "en.json").write_text(json.dumps(texts))
    fields: dict[str, FieldText] = {"seat": player_name, "winners": player_names}
    sentence: EventSentences[Waved] = EventSentences(catalogue=catalogue, fields=fields)
    assert sentence(Waved(0, [1, 2]), ["Ada", "Bob", "Cleo"], "nl") == "Ada waves at Bob and Cleo."
    assert sentence(Waved(0, [1, 2]), ["Ada", "Bob", "Cleo"], "nl", 0) == "You wave at Bob and Cleo."


@pytest.mark.parametrize(
    ("names", "english", "dutch"),
    [
        ([], "", ""),
        (["Ada"], "Ada", "Ada"),
        (["Ada", "Bob"], "Ada and Bob", "Ada en Bob"),
        (["Ada", "Bob", "Cleo"], "Ada, Bob and Cleo", "Ada, Bob en Cleo"),
    ],
)
def test_lists_of_words_are_joined_idiomatically(names: list[str], english: str, dutch: str) -> None:
    assert (join_words(names, "en"), join_words(names, "nl")) == (english, dutch)


def test_counts_are_distinguishable_from_numbers_in_names() -> None:
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
def test_dates_are_formatted_idiomatically(written: str, english: str, dutch: str) -> None:
    assert (format_date(written, "en"), format_date(written, "nl")) == (english, dutch)


def test_every_language_has_every_text() -> None:
    assert {frozenset(COMMON.texts(lang)) for lang in LANGUAGES} == {frozenset(COMMON.texts("en"))}
