"""Golden playthroughs are reproduced; a missing or superfluous one fails."""

from pathlib import Path
from typing import Any

import pytest

from jamboree.core.game import AnyGame

from .make import FOLDER, playthrough, scenarios

SCENARIOS = [pytest.param(*scenario, id=f"{scenario[0].parent.name}-{scenario[0].stem}") for scenario in scenarios()]


@pytest.mark.parametrize(("path", "game", "seats", "options"), SCENARIOS)
def test_playthrough(path: Path, game: AnyGame, seats: int, options: Any) -> None:
    assert path.exists(), f"{path.name} is missing; `make golden` writes it"
    assert playthrough(game, seats, options).splitlines() == path.read_text(encoding="utf-8").splitlines()


def test_no_golden_file_is_unused() -> None:
    assert set(FOLDER.glob("*/*.txt")) == {path for path, *_ in scenarios()}
