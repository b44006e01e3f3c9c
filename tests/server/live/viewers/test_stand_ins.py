"""The note that a bot chose for a player, for the viewers who witnessed the step."""

from typing import Any

import msgspec
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.words import LANGUAGES, Language
from jamboree.games import find
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.rules.actions import PlayCard, PromiseTo, SayReady
from jamboree.server.live.records import Acted, Because, read, written
from jamboree.server.live.registry import Registry
from jamboree.server.live.rendering import CATALOGUE, Sentences
from jamboree.server.live.roster import Person, Roster
from jamboree.server.live.state import TableState
from jamboree.server.live.visibility import is_noted, witnessed
from jamboree.server.protocol.terms import Status
from jamboree.server.store import Record
from jamboree.server.store.store import Store

from ...bench import folding
from ...bench.fake_time import FakeTime
from ...bench.folding import begin
from ...bench.local import EVERY, Client, a_registry
from ...bench.logs import log_steps
from .test_language import spoken, updates

TIME = {"en": "Time was up: a bot chose for {}.", "nl": "De tijd was om: een bot koos voor {}."}
TIME_YOU = {"en": "Time was up: a bot chose for you.", "nl": "De tijd was om: een bot koos voor jou."}
AWAY = {"en": "{} is away: a bot plays for now.", "nl": "{} is er even niet: een bot speelt zolang."}
NAMES = ("Ada", "Bob", "Cleo")


def notes(client: Client) -> list[str]:
    return [update["note"]["sentence"] for update in updates(client) if update["note"]]


def name(client: Client) -> str:
    person = next(each for each in client.table["people"] if each["person"] == client.session.person)
    return str(person["name"])


async def log_of(store: Store, game: str, client: Client, language: Language) -> list[list[str]]:
    history = await store.history(client.session.code)
    seat = client.position["view"]["viewer"]
    return [step.sentences for step in log_steps(history, EVERY[game], seat, language, seat)]


def sentences_of(client: Client) -> list[list[str]]:
    """Return the sentences that a client received, step by step."""
    first = [[update["note"]["sentence"]] if update["note"] else [] for update in updates(client)]
    return [[*note, *update["sentences"]] for note, update in zip(first, updates(client), strict=True)]


async def watching(registry: Registry, client: Client, language: Language) -> Client:
    subscriber = Client(registry, client.session.code, None, language)
    await subscriber.hello()
    return subscriber


async def test_an_expired_timer_is_announced_and_logged(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await spoken(registry, "bebop", 2, ["en", "nl"], seconds=30)
        silent, subscriber = Client(registry, clients[0].session.code), await watching(registry, clients[0], "nl")
        await silent.hello()
        late = next(client for client in clients if client.legal())
        seat = late.position["view"]["viewer"]
        await now.goes_by(registry, 31.0)
        for client, lang in ((clients[0], "en"), (clients[1], "nl"), (subscriber, "nl")):
            assert notes(client) == [TIME_YOU[lang] if client is late else TIME[lang].format(name(late))]
            assert updates(client)[0]["note"]["seat"] == seat
            assert await log_of(store, "bebop", client, "nl" if lang == "nl" else "en") == sentences_of(client)
        assert notes(silent) == []
        back = Client(registry, late.session.code, late.token, "en")
        (missed,) = (await back.hello(late.seq - 1))["missed"]
        assert missed["note"] == {"seat": seat, "sentence": TIME_YOU["en"]}


async def test_an_absent_player_is_named_once_per_turn(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await spoken(registry, "bebop", 2, ["en", "en"])
        away = next(client for client in clients if client.legal())
        there = next(client for client in clients if client is not away)
        await away.session.end()
        await now.goes_by(registry, 121.0)
        assert notes(there) == [AWAY["en"].format(name(away))]
        assert len(updates(there)) > 1, "a claim and a reroll are two steps of one turn"
        while there.legal():
            await there.act(there.legal()[0], f"{there.seq}")
        await now.goes_by(registry, 1.0)
        assert notes(there) == [AWAY["en"].format(name(away))] * 2
        assert await log_of(store, "bebop", there, "en") == sentences_of(there)
        await away.hello()
        while there.legal():
            await there.act(there.legal()[0], f"{there.seq}")
        await away.act(away.legal()[0], "myself")
        assert len(notes(there)) == 2


async def test_a_stand_ins_sealed_choice_is_announced_without_its_content(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await spoken(registry, "bpm", 3, ["en", "en", "en"], seconds=20)
        await clients[0].act(clients[0].legal()[0], "mine")
        await now.goes_by(registry, 21.0)
        sealed = [update for update in updates(clients[0]) if update["events"][:1] and update["note"]]
        assert {update["note"]["sentence"] for update in sealed[:2]} == {TIME["en"].format(each) for each in NAMES[1:]}
        assert all(update["events"][0]["discarded"] is None for update in sealed[:2])
        for client in clients:
            assert await log_of(store, "bpm", client, "en") == sentences_of(client)


def at_the_table(game: str = "boogie") -> TableState:
    rules = find(game)
    roster = Roster(game, rules.info.rules_version, seats=len(NAMES), options={}, listed=True, status=Status.PLAYING)
    roster.people = {f"p{seat}": Person(name, seat, []) for seat, name in enumerate(NAMES)}
    state = TableState(rules, roster)
    begin(state, Seeded(1))
    return state


def act(state: TableState, seat: int, action: Any, because: Because | None = None) -> list[bool]:
    """Act, and return which of three seats and a spectator get the note that a bot did."""
    folding.act(state, seat, action, Seeded(2), because)
    assert state.last_step
    return [is_noted(state, state.last_step, viewer) for viewer in (0, 1, 2, None)]


def test_private_actions_of_a_stand_in_stay_private() -> None:
    state = at_the_table()
    for seat in range(len(NAMES)):
        act(state, seat, SayReady())
    assert act(state, 0, PromiseTo(1), "away") == [True, False, False, False]
    assert act(state, 0, SayReady(), "away") == [False, True, True, True], "they had seen nothing of it before"
    assert act(state, 1, SayReady(), "time") == [True] * 4
    assert act(state, 2, SayReady()) == [False] * 4


def test_cards_of_a_stand_in_are_hidden() -> None:
    state = at_the_table()
    for _ in range(2):
        for seat in range(len(NAMES)):
            act(state, seat, SayReady())
    assert act(state, 1, PlayCard("sure", Jump(2)), "away") == [True] * 4
    laid = state.last_step
    assert laid
    for viewer in (0, 2, None):
        (event,) = witnessed(state.game, laid.events, viewer)
        assert event.card is None
        assert Sentences(state, "en").note(laid) == "Bob is away: a bot plays for now."
    assert act(state, 1, PlayCard("bluff", Jump(2)), "away") == [False] * 4, "it was said already"


def test_records_of_earlier_formats_are_rendered() -> None:
    acted = written(Acted(0, {"type": "SayReady"}, [], "", stood_in=True))
    fields = msgspec.json.decode(acted.body)
    del fields["because"]
    record = read(Record(msgspec.json.encode(fields).decode()))
    assert isinstance(record, Acted)
    assert (record.because, record.stand_in) == (None, "unsaid")
    assert CATALOGUE.say("en", f"stood-in.{record.stand_in}", name="Ada") == "A bot chose for Ada."


@pytest.mark.parametrize("lang", LANGUAGES)
def test_stand_ins_are_announced_in_every_language(lang: Language) -> None:
    keys = {"stood-in.time", "stood-in.away", "stood-in.unsaid"}
    assert set(CATALOGUE.texts(lang)) == keys | {f"{key}.you" for key in keys}
    assert CATALOGUE.say(lang, "stood-in.time", name="Ada") == TIME[lang].format("Ada")
    assert CATALOGUE.say(lang, "stood-in.away", name="Ada") == AWAY[lang].format("Ada")
