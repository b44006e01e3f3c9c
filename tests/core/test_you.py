"""What is said of a player is said to that player; the web client has the same cases."""

import re
from pathlib import Path

import msgspec
import pytest

from jamboree.core.kit.you import to_you

CASES = msgspec.json.decode((Path(__file__).parent / "you.json").read_bytes(), type=list[tuple[str, str, str, str]])
GAMES = Path(__file__).parents[2] / "src" / "jamboree" / "games"
WHO = re.compile(r"\{(seat|winners|jumpers|jumpmaster|owner|to|leaders|token_to)\}")
MIXED = {
    "en": re.compile(r"\b[Yy]ou (has|is|[a-z]*[^s]s)\b|\band (gets|puts|wins|scores|is) |Ada"),
    "nl": re.compile(r"\b[Jj]ij (heeft|is)\b|^Jij [^.;]* en (heeft|is)\b|Ada"),
}


@pytest.mark.parametrize(("lang", "name", "told", "expected"), CASES)
def test_it_is_said_to_me(lang: str, name: str, told: str, expected: str) -> None:
    assert to_you(told, name, lang) == expected


@pytest.mark.parametrize("lang", MIXED)
def test_no_sentence_of_any_game_mixes_persons(lang: str) -> None:
    told = [text for file in GAMES.glob(f"*/words/locale/{lang}.json") for text in events(file)]
    assert len(told) > 100
    said = [to_you(WHO.sub("Ada", text), "Ada", lang) for text in told]
    assert [text for text in said if MIXED[lang].search(text)] == []


def events(file: Path) -> list[str]:
    texts = msgspec.json.decode(file.read_bytes())
    found = [text for key, text in texts.items() if key.startswith("event.")]
    return [each for text in found for each in ([text] if isinstance(text, str) else text.values())]
