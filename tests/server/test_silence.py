"""What is not seen is not heard."""

from pathlib import Path

import pytest

from .silence import PLOTS, differences
from .twins import disguised


@pytest.mark.parametrize("name", PLOTS)
async def test_a_secret_step_is_told_to_nobody_else(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert await differences(tmp_path, name, monkeypatch, disguised) == []
