"""The rules pages name what they should, in every language."""

import pytest

from jamboree.core.words import LANGUAGES
from jamboree.games.bebop.box.board import festivals, load
from jamboree.games.bebop.words.prompts import WORDS

in_every_language = pytest.mark.parametrize("lang", LANGUAGES)


@in_every_language
def test_credits_are_given(lang: str) -> None:
    text = " ".join(WORDS.rules(lang).split())
    for fact in ("Robert Hovakimyan", "Bitewing Games"):
        assert fact in text
    for festival in festivals():
        album, _, _ = load(festival).album.partition(" - ")
        assert load(festival).name in text
        assert album in text
