"""Joining, leaving, seats, and the host."""

import re
import sys
import time
import unicodedata

import pytest

from jamboree.server.errors import Refused
from jamboree.server.live.commands.host import NAMES, RefuseName, SeatBot
from jamboree.server.live.commands.joining import Join, Leave, TakeSeat
from jamboree.server.names import LOOK_ALIKES, alike, clean, own_name
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store.store import Store

from ...bench.local import Client, a_registry, gathered, started


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("  Ada  ", "Ada"),
        ("A\u202eda\u200b", "Ada"),
        ("Ada\nLovelace", "Ada Lovelace"),
        ("Zoë \U0001f3b7", "Zoë \U0001f3b7"),
        ("x" * 99, "x" * 20),
        ("\uff21da", "Ada"),
        ("BOB", "BOB 2"),
        ("b" * 19 + "ob", "b" * 19 + "o"),
    ],
)
def test_names_are_cleaned_and_made_distinct(wanted: str, shown: str) -> None:
    assert own_name(wanted, ["bob"]) == shown


def test_equal_names_are_numbered_within_the_length_limit() -> None:
    taken: list[str] = []
    for _ in range(12):
        taken.append(own_name("x" * 20, taken))
    assert len(set(taken)) == 12
    assert max(map(len, taken)) == 20


@pytest.mark.parametrize("wanted", ["", "   ", "\u200b", "\u202e\n", "...", "\U0001f3b7", "\u3164", "\u2800\u034f"])
def test_a_name_contains_a_letter_or_digit(wanted: str) -> None:
    with pytest.raises(Refused, match="name"):
        own_name(wanted, [])


@pytest.mark.parametrize("twin", ["Ada\u3164", "A\u034fda", "ada\ufe0f", "\uff21DA"])
def test_confusable_names_are_made_distinct(twin: str) -> None:
    assert own_name(twin, ["Ada"]).endswith(" 2")


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("Ada", "\N{CYRILLIC CAPITAL LETTER A}da"),
        ("Ada", "\N{GREEK CAPITAL LETTER ALPHA}da"),
        ("Ada", "A\N{COMBINING SHORT STROKE OVERLAY}d\N{COMBINING LONG SOLIDUS OVERLAY}a"),
        ("Ada", "A\N{COMBINING ENCLOSING CIRCLE}da"),
        ("Ada", "\N{CYRILLIC CAPITAL LETTER A}\N{CYRILLIC SMALL LETTER KOMI DE}\N{CYRILLIC SMALL LETTER A}"),
        ("Ada", "\N{FULLWIDTH LATIN CAPITAL LETTER A}da"),
        ("Ada", "A\N{ZERO WIDTH SPACE}d\N{WORD JOINER}a"),
        ("Ada", "\N{MATHEMATICAL BOLD CAPITAL A}da"),
        ("Ada", "\N{NEGATIVE SQUARED LATIN CAPITAL LETTER A}da"),
        ("Ada", "Ad\N{LATIN SMALL LETTER ALPHA}"),
        ("Ada", "\N{LISU LETTER A}da"),
        ("Ada", "\N{CHEROKEE LETTER GO}da"),
        ("Ada", "Adá"),
        ("Zoe", "Zoë"),
        ("Zoë", "zoe"),
        ("Bob", "B0b"),
        ("Alice", "AIice"),
        ("Alice", "A1ice"),
        ("Anna", "\N{GREEK CAPITAL LETTER ALPHA}nna"),
        ("Erna", "Ema"),
        ("Søren", "Soren"),
        ("\N{CYRILLIC CAPITAL LETTER O}\N{CYRILLIC SMALL LETTER EL}\N{CYRILLIC SMALL LETTER YA}", "Oля"),
        ("ВАНЯ", "ваня"),
        ("Δήμητρα", "ΔΉΜΗΤΡΑ"),
    ],
)
def test_homoglyphs_are_made_distinct(name: str, twin: str) -> None:
    """The skeletons of UTS #39: a player could imitate another name with letters of other scripts."""
    assert own_name(twin, [name]).endswith(" 2")
    assert own_name(name, [own_name(twin, [])]) in (
        f"{name} 2",
        f"{name} 3",
    )  # a twin of mixed scripts has the 2 already


LOOK_LIKE = {
    "Anna": "Anпa ᗅnna Ann⍺ Anna֑ Annaְ Annaً Anna҈ Anna҇ Anna़ Anna᳐ Anna〪 Anna꙯ Anna፝ Anna. Anna· Annaʼ ᎪNNA ꭺnna",
    "Bob": "B๐b B໐b B०b B೦b B၀b B٥b B〇b Bסb BⲞb Bⲟb Bⵔb Bഠb Bہb Bჿb B𐐬b ßob ꞴOB Boᖯ 𐊂ob B○b B\u3147b",
    "Ilse": "اlse ١lse ۱lse וlse ןlse ∣lse │lse ￨lse ⵏlse 𐌉lse ᛁlse ꞁlse ߊlse 丨lse",
    "Max": "Mа× Ma× Ma⨯ Maᕁ rnax Maҳ ɱax Ϻax ᗰax",
    "Vera": "٧era ۷era ᐯera V℮ra Vєra Veⲅa \\/era",
    "Gus": "Ԍus ᏻus Ꮆus Guꮪ Guƽ Gꭒs Gцs",
    "Kim": "Ⲕim қim Kꙇm Kꭵm ᛕim K¡m",
    "Ann-Marie": "Ann‐Marie Ann‑Marie Ann‒Marie Ann–Marie Ann—Marie Ann−Marie Ann־Marie Ann⁃Marie Ann˗Marie",
    "O'Neil": "O’Neil O‘Neil O′Neil OʼNeil Oʻ\u2060Neil O`Neil O＇Neil Oꞌneil O׳Neil",
    "A.B": "A·B A․B A‧B A∙B A⋅B A・B",
    "Tom": "ⲧom Ⲧom ⊤om †om 𐊗om",
}


@pytest.mark.parametrize(
    ("name", "twin"), [(name, twin) for name, twins in LOOK_LIKE.items() for twin in twins.split()]
)
def test_letters_marks_and_digits_of_any_script_are_folded(name: str, twin: str) -> None:
    assert re.search(r" 2$", own_name(twin, [name]))
    assert re.search(r" [23]$", own_name(name, [own_name(twin, [])]))


def test_combining_marks_do_not_make_a_name_distinct() -> None:
    marks = [each for each in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(each) in ("Mn", "Me")]
    assert len(marks) > 1_900
    for mark in marks:
        assert own_name(f"Ann{mark}a", ["Anna"]) == clean(f"Ann{mark}a", 20) + " 2", hex(ord(mark))


def test_digits_are_compared_by_value() -> None:
    digits = [each for each in map(chr, range(sys.maxunicode + 1)) if unicodedata.decimal(each, None) is not None]
    assert len(digits) > 600
    for digit in digits:
        same = f"Bot {unicodedata.decimal(digit)}"
        assert re.search(r" 2$", own_name(f"Bot {digit}", [same])), hex(ord(digit))


@pytest.mark.parametrize("name", ["Anпa", "Bסb", "Ωmega", "Иvan", "Zoë Мaria", "αнна"])
def test_mixed_script_names_are_numbered(name: str) -> None:
    assert own_name(name, []) == f"{name} 2"
    assert own_name(f"{name} 2", []) == f"{name} 2", "it has one already"


@pytest.mark.parametrize(
    "name",
    [
        "Zoë Åström",
        "Nguyễn Ánh",
        "Ọlá",
        "Наталья",
        "Ѳёдоръ",
        "Євген",
        "О'Ніл",
        "Ελένη",
        "Աննա",
        "ნინო",
        "שָׁלוֹם",
        "שרה",
        "مُحَمَّد",
        "فاطمه",
        "राधिका",
        "ज़ीनत",
        "প্রিয়াঙ্কা",
        "தமிழ்ச்செல்வி",
        "സുമിത്ര",
        "สมหญิง",
        "ກຸ້ງ",
        "သီရိ",
        "ព្រះ",
        "བསྟན་འཛིན",
        "ሰላም",
        "さくら",
        "花子ちゃん",
        "ケンKen",
        "이지은",
        "\u738b\u4f1f",
        "Ivan Иванов",
        "Ken-\u5c71",
        "x_Дима_x",
        "Anna \u0665",
    ],
)
def test_displayed_names_keep_their_spelling(name: str) -> None:
    assert own_name(name, ["Anna", "Bob", "Ilse", "Max", "Guest 1"]) == clean(name, 20)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "Ida"),
        ("Ali", "All"),
        ("Eli", "Ell"),
        ("Anna", "Hanna"),
        ("Jan", "Jan-Willem"),
        ("Marie", "Maria"),
        ("Guest 1", "Guest 2"),
        ("Guest 1", "Guest 11"),
        ("Guest 10", "Guest 16"),
        ("Оля", "Коля"),
        ("Анна", "Нина"),
        ("Ελένη", "Μαρία"),
        ("राम", "रामा"),
        ("محمد", "أحمد"),
        ("\u5c71\u7530", "\u5c71\u672c"),
        ("कुमार", "कमार"),
        ("দীপ", "দিপ"),
        ("ดี", "ดู"),
        ("さき", "さぎ"),
        ("이준", "이진"),
        ("שרון", "שרה"),
        ("Лена", "Лина"),
        ("Anna 2", "Anna \u0663"),
    ],
)
def test_distinct_names_are_not_numbered(name: str, other: str) -> None:
    assert own_name(other, [name]) == other
    assert own_name(name, [other]) == name


def test_a_ban_covers_confusable_names_but_not_namesakes() -> None:
    twins = ["zoë", "ZOË", "Z\N{GREEK SMALL LETTER OMICRON}ë", "Z\N{COMBINING LONG STROKE OVERLAY}oë"]
    assert all(alike(twin, "Zoë") for twin in twins)
    assert all(alike(f"Bob{mark}", "Bob") for mark in "\u0488\u0591\u064b\u093c\u1cd0\u302a\u20dd")
    assert alike("Bⲟb", "Bob") and alike("B๐b", "B0b")
    assert not any(alike(namesake, "Zoë") for namesake in ("Zoe", "Zoé", "Zoef"))


def test_every_latin_homoglyph_belongs_to_another_script() -> None:
    for row, drawn in LOOK_ALIKES:
        assert len(row) == len(drawn) and len(set(row)) == len(row)
        assert not any(letter.isascii() for letter in row)


def test_comparing_thousands_of_names_is_fast() -> None:
    names = [f"Watcher {number}" for number in range(4_000)]
    own_name("Ada", names)
    began = time.process_time()
    assert own_name("watcher 77", names) == "watcher 77 2"
    assert time.process_time() - began < 0.1


async def test_a_refused_name_is_replaced_by_a_free_one(store: Store) -> None:
    async with a_registry(store) as registry:
        code, (ada, bob) = await gathered(registry)
        table = await registry.table(code)
        cleo, dirk = [await table.ask(Join(name, watch=True)) for name in ("guest 2", "Guest 2")]
        for rude in (bob, dirk, dirk):
            await table.ask(RefuseName(rude.person), ada.person)
        await table.ask(Join("Guest 4", watch=True))
        names = {key: person.name for key, person in table.state.roster.people.items()}
        assert names == {"p1": "Ada", "p2": "Guest 2 3", "p3": "guest 2", "p4": "Guest 4", "p5": "Guest 4 2"}
        assert cleo.person == "p3"


async def test_bots_get_distinct_names_when_their_usual_ones_are_taken(store: Store) -> None:
    async with a_registry(store) as registry:
        code, (ada, _) = await gathered(registry, "bebop", 4, {1: "rookie", 2: "rookie"})
        table = await registry.table(code)
        for name in NAMES:
            await table.ask(Join(name, watch=True))
        await table.ask(Leave(), "p2")
        await table.ask(SeatBot(3, "rookie"), ada.person)
        names = [name.casefold() for name in table.state.roster.taken_names()]
        assert len(set(names)) == len(names)


async def test_spectators_can_join_a_full_table(store: Store) -> None:
    async with a_registry(store) as registry:
        code, tickets = await gathered(registry)
        table = await registry.table(code)
        assert [ticket.seat for ticket in tickets] == [0, 1]
        with pytest.raises(Refused, match="taken"):
            await table.ask(Join("Cleo"))
        ticket = await table.ask(Join("Cleo", watch=True))
        assert ticket.seat is None


async def test_players_change_seats_freely_and_the_host_swaps_them(store: Store) -> None:
    async with a_registry(store) as registry:
        code, (ada, bob) = await gathered(registry)
        table, subscriber = await registry.table(code), Client(registry, code)
        await subscriber.hello()
        with pytest.raises(Refused, match="host"):
            await table.ask(TakeSeat(0, bob.person), bob.person)
        await table.ask(TakeSeat(0, bob.person), ada.person)
        assert {each["name"]: each["seat"] for each in subscriber.table["people"]} == {"Ada": 1, "Bob": 0}
        await table.ask(TakeSeat(None, bob.person), bob.person)
        await table.ask(TakeSeat(0, ada.person), ada.person)
        with pytest.raises(Refused, match="no such seat"):
            await table.ask(TakeSeat(7, ada.person), ada.person)
        assert {each["name"]: each["seat"] for each in subscriber.table["people"]} == {"Ada": 0, "Bob": None}


async def test_seats_cannot_be_changed_during_a_game(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        with pytest.raises(Refused, match="before the game"):
            await registry.tables[ada.session.code].ask(TakeSeat(1, "p1"), "p1")


async def test_the_host_role_passes_on_and_an_empty_table_closes(store: Store) -> None:
    async with a_registry(store) as registry:
        code, (ada, bob) = await gathered(registry)
        table = await registry.table(code)
        await table.ask(Leave(), ada.person)
        assert table.state.roster.host == bob.person
        with pytest.raises(Refused):
            await table.ask(Leave(), ada.person)
        with pytest.raises(Refused, match="belong"):
            table.authenticate(ada.token)
        assert (await table.ask(Join("Ada"))).seat == 0
        await table.ask(Leave(), "p3")
        await table.ask(Leave(), bob.person)
        assert table.state.roster.status == "closed"


async def test_a_player_who_left_a_game_can_return(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob = await started(registry)
        table = registry.tables[ada.session.code]
        await bob.session.end()
        await table.ask(Leave(), "p2")
        assert table.state.roster.people["p2"].gone
        again = Client(registry, bob.session.code, bob.token)
        assert (await again.hello())["you"]["seat"] == 1
        assert not table.state.roster.people["p2"].gone
        assert (await again.act({"type": "Lay", "slot": 0}, "one"))["type"] == "ack"


async def test_presence_is_visible_to_others(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob = await started(registry)
        assert [each["connected"] for each in ada.table["people"]] == [True, True]
        await bob.session.end()
        assert [each["connected"] for each in ada.table["people"]] == [True, False]


@pytest.mark.parametrize(
    ("game", "seats", "options", "code"),
    [
        ("chess", 2, {}, "unknown-game"),
        ("high-card", 9, {}, "bad-options"),
        ("high-card", 2, {"timed": "very"}, "bad-options"),
        ("bebop", 2, {"board": "no board"}, "bad-options"),
        ("bebop", 2, {"speed": 3}, "bad-options"),
    ],
)
async def test_invalid_settings_open_no_table(
    store: Store, game: str, seats: int, options: dict[str, object], code: str
) -> None:
    async with a_registry(store) as registry:
        with pytest.raises(Refused) as refusal:
            await registry.open(OpenTable(game=game, seats=seats, options=options, name="Ada"))
        assert refusal.value.code == code
        assert await store.listed("gathering") == []


async def test_an_unknown_table_is_refused(store: Store) -> None:
    async with a_registry(store) as registry:
        answer = await Client(registry, "nowhere").hello()
        assert answer["code"] == "unknown-table"
