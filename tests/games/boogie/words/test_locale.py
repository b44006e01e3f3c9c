"""Text catalogues: complete, without unused keys, and equivalent in all languages."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from jamboree.core.words import LANGUAGES, Catalogue
from jamboree.games import boogie
from jamboree.games.boogie.box.components import BOX, CHARACTERS
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.box.texts import CATALOGUE
from jamboree.games.boogie.rules import actions as a
from jamboree.games.boogie.rules import events as e
from jamboree.games.boogie.rules.state import PHASES, VERDICTS
from jamboree.games.boogie.words.phrases import naming, say_animal, say_card, say_promise

from ..refusals import refusals
from ..table import BOOGIE, finish, lay, play, promise, table, time_up

in_every_language = pytest.mark.parametrize("lang", LANGUAGES)
ON_THE_WEB = "web."
LISTED = ("web.poster.", "web.option.")  # the server gives these with the list of games
WEB = (Path(boogie.__file__).parent / "web", Path(__file__).parents[4] / "web" / "src")
NAMES = ["Ann", "Bob", "Cleo", "Dirk"]
THE_3, SOLO = Jump(3), Jump(1, 1)
TERMS = [a.Term(pledge, THE_3, 5 if pledge == "figures" else 0) for pledge in a.PLEDGES]
TURNED = [e.Turned(0, "sure"), e.Turned(1, "-2")]
LAID = [(True, None), (False, None), (False, "3")]
HONEST = [e.Honesty(3, 1, 0), *[e.Honesty(0, 0, 0)] * 3]

EVENTS: list[e.AnyEvent] = [
    e.DeckReshuffled(30),
    *(e.CardsDealt(0, count, cards) for count, cards in [(0, []), (1, ["3"]), (6, ["3"] * 6), (6, None), (1, None)]),
    e.PlaneBoarded(1, 0),
    e.SaidReady(0),
    e.ReadyWithdrawn(0, 1),
    e.ReadyWithdrawn(0, 0),
    e.PromiseBegun(0, 1, 5),
    e.PromiseBegun(0, None, 1),
    e.ExchangeAsked(0, 1, TERMS[0]),
    *(e.PromiseMade(0, to, term, None) for term in TERMS for to in (None, 1)),
    e.PromiseMade(0, 1, TERMS[0], TERMS[3]),
    *(kind(by_clock) for kind in (e.JumpCalled, e.PullCalled) for by_clock in (True, False)),
    *(e.CardLaid(0, THE_3, character, card, False) for character, card in LAID),
    e.CardLaid(0, SOLO, True, "maybe", False),
    e.CardLaid(1, SOLO, True, "maybe", False),
    e.OddsWeighed(0, THE_3, 1, 3, 67),
    e.OddsWeighed(0, THE_3, 4, 14, 56),
    e.SaidDone(0),
    *(e.CardLate(0, THE_3, character, card) for character, card in LAID),
    e.LateCardTurned(0, "3"),
    e.LateCardTurned(0, None),
    e.CardsTurned(THE_3, TURNED[:1], TURNED[1:]),
    e.CardsTurned(THE_3, TURNED[:1], []),
    e.CardsTurned(THE_3, [], TURNED[1:]),
    e.CharactersRemoved(THE_3, 0, False),
    e.CharactersRemoved(THE_3, 0, True),
    e.FiguresRefused(SOLO, [e.Turned(0, "6")]),
    *(e.JumpersCounted(THE_3, [0], [], verdict, [0]) for verdict in ("exact", "halved", "too many", "nobody")),
    e.JumpersCounted(THE_3, [0, 1], [2], "exact", [0, 1, 2]),
    e.DifficultySet(THE_3, 4, 14, 12, 56),
    e.DifficultySet(THE_3, 1, 4, 2, 50),
    e.DiceRolled(THE_3, [1, 2, 3, 4, 5, 6, 1], 22),
    *(e.JumpScored(THE_3, result, who, 3) for result in ("success", "failure", "no figures") for who in ([0], [0, 1])),
    *(e.PromiseJudged(0, 1, TERMS[0], TERMS[1], verdict) for verdict in VERDICTS),
    e.PromiseJudged(0, None, TERMS[0], None, "kept"),
    e.JumprunScored(1, [3, 0, 0, 0], [3, 0, 0, 0]),
    e.JumpmasterMoved(1),
    e.GameEnded([0], [3, 1, 0, 0], HONEST),
    e.GameEnded([0, 1], [3, 3, 0, 0], [e.Honesty(0, 0, 0)] * 4),
]

ACTIONS: list[a.AnyAction] = [
    a.SayReady(),
    a.WithdrawReady(),
    a.PromiseTo(None),
    a.PromiseTo(1),
    *(kind(term) for kind in (a.Promise, a.AskInExchange) for term in TERMS),
    *(a.PlayCard("sure", jump) for jump in (THE_3, Jump(1, 0), SOLO)),
    a.PlayCard("bluff", THE_3),
    a.PlayCard("-3", THE_3, after_pull=True),
    a.SayDone(),
    a.TimeUp(),
]


def tables() -> Iterator[Any]:
    """Return views of every phase."""
    plane = table(phase="plane", timed=True)
    for to, asked in ((None, None), (1, TERMS[0])):
        plane = table(phase="plane", timed=True)
        promise(plane, "1>all sure@3")
        for action in [a.PromiseTo(to), *([a.AskInExchange(asked)] if asked else [])]:
            BOOGIE.apply(plane, 0, action, None)
        yield BOOGIE.view(plane, 0)
    last = table(phase="plane")
    for _ in range(5):
        promise(last, "1>all sure@3")
    yield BOOGIE.view(last, 0)
    BOOGIE.apply(plane, 0, a.SayReady(), None)
    yield BOOGIE.view(plane, 0)
    air = table(timed=True, p1="3")
    lay(air, "1@3:sure 1@3:1 1@2:sure 2@2:sure 3@2:sure 4@s4:bluff 2@s2:sure 2@s2:1 2@s2:2")
    yield BOOGIE.view(air, 0)
    yield BOOGIE.view(air, 1)
    BOOGIE.apply(air, 0, a.SayDone(), None)
    yield BOOGIE.view(air, 0)
    time_up(air)
    BOOGIE.apply(air, *play("1@3:3", after_pull=True), None)
    yield BOOGIE.view(air, 1)
    landed = table(p1="1")
    lay(landed, "1@3:sure 1@3:1 1@2:sure 2@2:sure 3@2:sure 4@s4:bluff 2@s2:sure 2@s2:1")
    finish(landed, "1 1")
    yield BOOGIE.view(landed, 0)
    landed.phase = PHASES.index("over")
    yield BOOGIE.view(landed, 0)
    for marks, dice in (("1@2:sure 2@2:sure 2@2:1 3@3:sure 4@3:sure 4@3:2", "1 1"), ("1@s1:sure", "")):
        landed = table()
        lay(landed, marks)
        finish(landed, dice)
        yield BOOGIE.view(landed, 0)


def sayings(lang: str) -> Iterator[str]:
    """Render every text of a language."""
    for option in BOOGIE.info.options.__struct_fields__:
        yield BOOGIE.words.help(option, lang)
    views = list(tables())
    for event in EVENTS:
        yield from (BOOGIE.words.sentence(event, NAMES, lang, reader) for reader in (None, *range(len(NAMES))))
    for action in ACTIONS:
        yield BOOGIE.words.choice(action, views[0], NAMES, lang).title
    for view in views:
        yield BOOGIE.words.question(view, lang)
        yield from ("".join(span.text for span in line) for line in BOOGIE.words.paint(view, NAMES, lang))
    yield from (say_promise(term, asked, naming(NAMES, lang), lang) for term in TERMS for asked in (None, TERMS[0]))
    for key in refusals():
        yield CATALOGUE.say(lang, f"illegal.{key}")
    for caution in (a.TWICE, a.TWICE_SOLO, a.SOLO_FIGURE, a.LATE):
        yield CATALOGUE.say(lang, f"caution.{caution.key}")
    yield from (say_animal(seat, lang) for seat in range(len(BOX.animals)))
    yield from (say_card(card, lang) for card in CHARACTERS)


def forms(text: Any) -> dict[str, str]:
    return text if isinstance(text, dict) else {"": text}


@in_every_language
def test_everything_can_be_said(lang: str) -> None:
    assert {type(event) for event in EVENTS} == set(get_args(e.AnyEvent))
    assert {type(action) for action in ACTIONS} == set(get_args(a.AnyAction))
    for saying in sayings(lang):
        assert not re.search(r"[{}]|None|\bSeat\w|\b0 more", saying), saying


@in_every_language
def test_events_are_told_in_whole_sentences(lang: str) -> None:
    for event in EVENTS:
        rendered = BOOGIE.words.sentence(event, NAMES, lang)
        assert rendered[0].isupper(), rendered
        assert rendered[-1] in ".!", rendered


@in_every_language
def test_what_a_player_does_is_told_with_a_verb(lang: str) -> None:
    """No colon or arrow replaces a verb."""
    for event in (event for event in EVENTS if hasattr(event, "seat")):
        rendered = BOOGIE.words.sentence(event, NAMES, lang)
        assert not re.search(r"\b(Ann|Bob) \(\w+\)(:| \+| →)", rendered), rendered


TELLING: list[tuple[e.AnyEvent, str, str]] = [
    (
        e.CardLaid(0, SOLO, False, None, False),
        "Ann (Frog) lays a jumpcard on the solo of Bob (Dog).",
        "Ann (Kikker) legt een springkaart op de solo van Bob (Hond).",
    ),
    (
        e.CardLaid(1, SOLO, True, None, False),
        "Bob (Dog) lays a character card on their own solo.",
        "Bob (Hond) legt een karakterkaart op de eigen solo.",
    ),
    (
        e.PromiseBegun(0, None, 1),
        "Ann (Frog) begins a promise to everybody; 1 promise is left after it.",
        "Ann (Kikker) begint een belofte aan iedereen; er blijft er daarna 1 over.",
    ),
    (
        e.PromiseMade(0, 1, TERMS[2], TERMS[3]),
        "In private, Ann (Frog) promises Bob (Dog) to stay out of the 3, in exchange for a promise to lay "
        "figures worth at least 5 on the 3.",
        "Onder vier ogen belooft Ann (Kikker) aan Bob (Hond) niet mee te doen aan de 3, in ruil voor de belofte "
        "figuren van samen minstens 5 op de 3 te leggen.",
    ),
    (
        e.PromiseJudged(0, None, TERMS[0], None, "broken"),
        "Ann (Frog) has broken the promise to everybody to be in with a ✓ on the 3.",
        "Ann (Kikker) heeft de belofte aan iedereen gebroken om erbij te zijn met een ✓ op de 3.",
    ),
    (
        e.CardsTurned(THE_3, [], [e.Turned(0, "3"), e.Turned(1, "-2")]),
        "The jury turns the cards on the 3: nobody went along, and the jumpcards are 3 from Ann and −2 from Bob.",
        "De jury draait de kaarten op de 3 om: niemand ging mee, en de springkaarten zijn 3 van Ann en −2 van Bob.",
    ),
    (
        e.JumpScored(THE_3, "success", [0, 1, 2], 3),
        "It works: Ann (Frog), Bob (Dog) and Cleo (Giraffe) score 3 each!",
        "Het lukt: Ann (Kikker), Bob (Hond) en Cleo (Giraffe) scoren elk 3!",
    ),
]


@pytest.mark.parametrize(("event", "english", "dutch"), TELLING)
def test_events_are_told_as_people_would(event: e.AnyEvent, english: str, dutch: str) -> None:
    assert BOOGIE.words.sentence(event, NAMES, "en") == english
    assert BOOGIE.words.sentence(event, NAMES, "nl") == dutch


@in_every_language
def test_a_reshuffle_is_told_with_its_number_of_cards(lang: str) -> None:
    assert "(30)" in BOOGIE.words.sentence(e.DeckReshuffled(30), NAMES, lang)


@in_every_language
def test_no_text_is_left_over(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    used = set()
    say = Catalogue.say

    def listening(self: Catalogue, lang: str, key: str, **params: object) -> str:
        text = self.texts(lang)[key]
        used.update({(key, "one" if params.get("count") == 1 else "other")} if isinstance(text, dict) else {(key, "")})
        return say(self, lang, key, **params)

    monkeypatch.setattr(Catalogue, "say", listening)
    list(sayings(lang))
    texts = {
        key: text
        for key, text in CATALOGUE.texts(lang).items()
        if not key.startswith((ON_THE_WEB, "coach.", "decided.", "phrase.", "review."))
    }
    assert {(key, form) for key in texts for form in forms(texts[key])} - used == set()


def test_every_text_for_the_web_is_asked_for_there() -> None:
    """A key is written out in the sources, or made of its beginning and a value: `web.card.${card}`."""
    sources = [path for folder in WEB for path in sorted(folder.rglob("*")) if path.suffix in (".ts", ".svelte")]
    written = "".join(path.read_text("utf-8") for path in sources)
    asked = set(re.findall(r"['`](web\.[\w.-]+?)\.?(?=['`$])", written))
    for key in (key for key in CATALOGUE.texts("en") if key.startswith(ON_THE_WEB) and not key.startswith(LISTED)):
        parts = key.split(".")
        assert any(".".join(parts[:length]) in asked for length in range(2, len(parts) + 1)), key


@in_every_language
def test_seats_on_the_web_are_the_animals_of_the_box(lang: str) -> None:
    listed = re.search(r"ANIMALS = \[(.*)\]", (WEB[0] / "model" / "beasts.ts").read_text("utf-8"))
    assert listed
    drawn = re.findall(r"'(\w+)'", listed[1])
    assert tuple(drawn) == BOX.animals
    for seat, _ in enumerate(BOX.animals):
        assert CATALOGUE.say(lang, f"web.seat.{seat}") == say_animal(seat, lang)
