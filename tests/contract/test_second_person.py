"""A sentence about its reader says “you”; other players are named."""

from typing import Any

import pytest

from jamboree.core.words import LANGUAGES, Catalogue
from jamboree.games import find
from jamboree.games.bebop.rules import events as bebop
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.rules import events as boogie
from jamboree.games.boogie.rules.actions import Term
from jamboree.games.bpm.rules import events as bpm

NAMES = ["Ada", "Bob", "Cleo"]
SOLO, THREE = Jump(1, solo=0), Jump(3)
CASES: list[tuple[str, Any, int, str, str]] = [
    (
        "bebop",
        bebop.SeatClaimed(0, "vip", "g5", False),
        0,
        "You claim g5 with a VIP seat.",
        "Jij zet een VIP-stoel op g5.",
    ),
    (
        "bebop",
        bebop.SeatClaimed(0, "vip", "g5", False),
        1,
        "Ada claims g5 with a VIP seat.",
        "Ada zet een VIP-stoel op g5.",
    ),
    (
        "bebop",
        bebop.SeatBooted(0, 1, "insta", "g5"),
        1,
        "Ada clears g5 with the Boot: an Insta-Book goes back to you.",
        "Ada maakt g5 vrij met de Laars: een stoel met Direct Boeken gaat terug naar jou.",
    ),
    (
        "bebop",
        bebop.GameEnded([0, 2], [9, 3, 9]),
        2,
        "The festival is over, and Ada and you share the victory!"
        " The final score is 9 for Ada, 3 for Bob and 9 for you.",
        "Het festival is voorbij, en Ada en jij delen de overwinning!"
        " De eindstand is 9 voor Ada, 3 voor Bob en 9 voor jou.",
    ),
    ("bpm", bpm.SongFinished(1), 1, "You are done with the song.", "Jij bent klaar met het nummer."),
    (
        "bpm",
        bpm.OrderFound([2, 0, 1]),
        0,
        "They play in this order: Cleo, you, Bob.",
        "Ze spelen in deze volgorde: Cleo, jij, Bob.",
    ),
    ("boogie", boogie.SaidReady(0), 0, "You are ready.", "Jij bent klaar."),
    (
        "boogie",
        boogie.JumpersCounted(SOLO, [], [], "nobody", []),
        0,
        "Nobody jumps on your solo.",
        "Niemand springt op jouw solo.",
    ),
    (
        "boogie",
        boogie.CharactersRemoved(SOLO, 0, late=False),
        0,
        "You laid more than one character card on your own solo and are disqualified there.",
        "Jij hebt meer dan één karakterkaart op je eigen solo gelegd en bent daar gediskwalificeerd.",
    ),
    (
        "boogie",
        boogie.PromiseMade(1, 0, Term("out", THREE), None),
        0,
        "In private, Bob (Dog) promises you to stay out of the 3.",
        "Onder vier ogen belooft Bob (Hond) aan jou niet mee te doen aan de 3.",
    ),
    (
        "boogie",
        boogie.JumpScored(THREE, "failure", [0, 1], 0),
        0,
        "",
        "Het gaat mis, en er zijn geen punten voor jou en",
    ),
]


@pytest.mark.parametrize(("game", "event", "reader", "english", "dutch"), CASES)
def test_the_viewer_is_addressed_as_you(game: str, event: Any, reader: int, english: str, dutch: str) -> None:
    words = find(game).words
    assert words.sentence(event, NAMES, "en", reader).startswith(english)
    assert words.sentence(event, NAMES, "nl", reader).startswith(dutch)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", ["bebop", "bpm", "boogie"])
def test_second_person_texts_do_not_name_the_viewer(key: str, lang: str) -> None:
    catalogue = Catalogue(f"jamboree.games.{key}.words")
    own = {name: text for name, text in catalogue.texts(lang).items() if name.endswith(".you")}
    assert len(own) > 15
    assert [name for name, text in own.items() if "{seat}" in str(text)] == []


def test_a_name_is_never_replaced_as_a_word() -> None:
    """Names that are words, numbers or patterns are inserted as they are."""
    words = find("bebop").words
    event = bebop.SeatBooted(0, 1, "insta", "g5")
    for name in ("red", "12", "A", "Mr. X+", "{hex}", "you"):
        assert f"goes back to {name}." in words.sentence(event, ["Ada", name], "en", 0)
        assert words.sentence(event, [name, "Bob"], "en", 0).startswith("You clear g5")


def test_a_lowercase_name_is_not_capitalised_at_the_start() -> None:
    assert find("boogie").words.sentence(boogie.SaidReady(1), ["Ada", "bob"], "en", 0).startswith("bob (")


def test_the_winner_is_addressed_in_the_verdict() -> None:
    from jamboree.core.game import Outcome

    class Winner:
        points = (bpm_points(4, 1), bpm_points(1, 0))
        superfans = (["a"] * 4, ["b"])
        quests = ("row", "row")
        round = rounds = 6

    rendered = find("bpm").words.decided(Winner(), Outcome([0], [5, 1]), NAMES[:2], "nl", 0)
    assert rendered == "De superfans gaven de doorslag: 4 voor jou, 1 voor Bob."
    rendered = find("bpm").words.decided(Winner(), Outcome([0], [5, 1]), NAMES[:2], "en", 1)
    assert rendered == "Superfans decided it: Ada won 4 of them, you 1."


def bpm_points(superfans: int, quest: int) -> Any:
    from jamboree.games.bpm.visibility.views import Points

    return Points(superfans, quest)
