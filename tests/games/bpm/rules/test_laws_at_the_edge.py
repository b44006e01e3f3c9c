"""The laws of the contract in rare positions: in extra rounds, and with gaps on the floor."""

from collections.abc import Callable

import pytest

from jamboree.games.bpm.box.components import BOX
from jamboree.games.bpm.rules import endgame
from jamboree.games.bpm.rules.state import State
from tests.contract.laws import LAWS
from tests.contract.record import Recorded, play_at_random

from ..table import BPM
from .special import SCARCE

every_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
with_every_option = pytest.mark.parametrize("sample", range(3))
EXTRA = 7


def nobody_leads(points: list[int]) -> list[int]:
    return list(range(len(points)))


@every_law
@with_every_option
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_law_with_gaps(law: Callable[[Recorded], None], seats: int, sample: int) -> None:
    law(play_at_random(SCARCE, seats, BPM.info.samples[sample], seed=5))


def test_scarce_tables_have_gaps() -> None:
    states: list[State] = play_at_random(SCARCE, 3, BPM.info.samples[0], seed=5).states
    assert any(state.present != state.room.all for state in states)


@every_law
@with_every_option
@pytest.mark.parametrize("seats", [3, 4])
def test_law_in_extra_rounds(
    law: Callable[[Recorded], None], seats: int, sample: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody ever leads, so extra rounds go on; with the fewest songs the deck runs out, with three in mid-deal."""
    monkeypatch.setattr(endgame, "leaders", nobody_leads)
    monkeypatch.setattr(endgame, "MOST_ROUNDS", BOX.rounds + EXTRA)
    record = play_at_random(BPM, seats, BPM.info.samples[sample], seed=3)
    assert record.states[-1].round == BOX.rounds + EXTRA
    law(record)


def test_decks_run_out_in_mid_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endgame, "leaders", nobody_leads)
    states: list[State] = play_at_random(BPM, 3, BPM.info.samples[2], seed=3).states
    assert any(state.early for state in states)
    assert states[-1].round == BOX.rounds + BOX.most_extra_rounds
