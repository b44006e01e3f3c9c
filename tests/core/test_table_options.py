"""Reading options; packaged texts, such as boards, can be given by name."""

from typing import Any

import pytest

from jamboree.core.chance import Recorded, Seeded
from jamboree.core.errors import BadJournal, BadOptions
from jamboree.core.journal import Header, check
from jamboree.core.play import Match
from jamboree.core.table_options import packaged, read_options
from jamboree.games import find
from jamboree.games.bebop.box.board import festivals, load

BEBOP = find("bebop")
NAMED: dict[str, Any] = {"board": "longchain"}
TEXT = load("longchain").source


def test_every_packaged_board_has_a_name() -> None:
    assert list(packaged(BEBOP, "board")) == sorted(festivals())
    assert packaged(BEBOP, "star") == packaged(find("bpm"), "songs") == {}


@pytest.mark.parametrize("given", [NAMED, {"board": TEXT}, BEBOP.info.options(**NAMED)])
def test_matches_and_set_ups_accept_board_names(given: Any) -> None:
    state = BEBOP.setup(2, given, Seeded(3))
    assert state == BEBOP.setup(2, BEBOP.info.options(board=TEXT), Seeded(3))
    match = Match(BEBOP, 2, given, Seeded(3))
    assert match.state == state
    assert match.journal().header.options["board"] == TEXT, "a journal holds the text"
    check(match.journal(), BEBOP)


def test_an_unknown_name_is_refused_in_both_languages() -> None:
    for read in (read_options, lambda game, given: Match(game, 2, given, Seeded(3))):
        with pytest.raises(
            BadOptions, match="no board called 'nowhere'; there are: cramped-valley, longchain"
        ) as output:
            read(BEBOP, {"board": "nowhere"})
        assert output.value.say("nl").startswith("'nowhere' is niet bekend; er zijn: cramped-valley, longchain")
        assert output.value.listed("nl")[0].sentence == output.value.say("nl")


def test_an_empty_text_is_not_a_name() -> None:
    """An empty board file is refused as a board, not as an unknown name."""
    with pytest.raises(BadOptions, match="the board can't be read: the header has no line 'id:'"):
        BEBOP.setup(2, {"board": ""}, Seeded(3))


def test_a_journal_contains_the_text_of_the_board() -> None:
    chance = Recorded(Seeded(3))
    BEBOP.setup(2, NAMED, chance)
    journal = Match(BEBOP, 2, NAMED, Seeded(3)).journal()
    head = journal.header
    journal.header = Header(head.format, head.version, head.game, head.rules, head.seats, head.names, dict(NAMED))
    journal.seal = journal.expected_seal()
    with pytest.raises(BadJournal, match="set-up is not sound: it has the name of a text"):
        check(journal, BEBOP)
