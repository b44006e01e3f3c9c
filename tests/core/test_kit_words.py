"""Sentences from a table of field formatters, and the texts of a game."""

from collections.abc import Mapping
from typing import Any

import msgspec

from jamboree.core.kit.words import (
    EventSentences,
    FieldText,
    GameWords,
    counts_by_player,
    plain,
    player_name,
    player_names,
)
from jamboree.core.words import Catalogue, Choice
from jamboree.games.bebop.box.texts import CATALOGUE

NAMES = ("Ada", "Bob")


class Texts(Catalogue):
    """A catalogue that has every text: its key and parameters."""

    def language(self, key: str, lang: str) -> str:
        return lang

    def say(self, lang: str, key: str, **params: object) -> str:
        return f"{key} {sorted(params.items())}"


class Scored(msgspec.Struct):
    seat: int
    other: int | None
    winners: list[int]
    points: list[int]
    hexes: list[str]


SCORED = Scored(1, None, [0, 1], [3, 4], ["a1", "b2"])
FIELDS: Mapping[str, FieldText] = {
    "seat": player_name,
    "other": player_name,
    "winners": player_names,
    "points": counts_by_player,
}


def test_an_event_is_rendered_with_its_fields() -> None:
    sentence: EventSentences[Any] = EventSentences(
        catalogue=Texts(""),
        fields=FIELDS,
        variant=lambda event: "shared" if len(event.winners) > 1 else "",
        count=lambda event: sum(event.points),
        more=lambda context: {"all": len(context.players.names)},
    )
    values = {
        "all": 2,
        "count": 7,
        "hexes": "a1 and b2",
        "other": "",
        "points": "3 for Ada and 4 for Bob",
        "seat": "Bob",
        "winners": "Ada and Bob",
    }
    assert sentence(SCORED, NAMES, "en") == f"event.Scored.shared {sorted(values.items())}"
    alone = msgspec.structs.replace(SCORED, winners=[0])
    assert sentence(alone, NAMES, "en").startswith("event.Scored [")


def test_a_games_words_include_its_catalogue_and_pages() -> None:
    words: GameWords[Any, Any, Any] = GameWords(
        catalogue=CATALOGUE,
        draw=str,
        parse=str,
        paint=lambda view, names, lang: [],
        question=lambda view, lang: "",
        choice=lambda action, view, names, lang: plain(CATALOGUE, "choice.pass")(action, view, lang),
        sentence=lambda event, names, lang: "",
    )
    assert words.rules("en").startswith("#")
    assert words.remarks(None, "nl") == []
    assert words.choice(None, None, (), "en") == Choice(CATALOGUE.say("en", "choice.pass"), "")
    refusal = CATALOGUE.refuse("end", "over")
    assert words.reason(refusal, "en") == refusal.why
    assert (refusal.rule, refusal.key) == ("end", "over")
