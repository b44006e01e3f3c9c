from pathlib import Path

import pytest

from .installing import install
from .tutorial import write_out


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the fourth game as the tutorial alone has it."""
    return install(tmp_path_factory.mktemp("fourth"), write_out(tmp_path_factory.mktemp("typed")))
