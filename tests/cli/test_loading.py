"""An interruption while the command line is loading prints no traceback."""

import subprocess
import sys

import pytest

from jamboree.__main__ import main


class Slow:
    """A module that loads slowly."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "jamboree.cli":
            raise KeyboardInterrupt


def test_ctrl_c_during_imports_exits_cleanly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "jamboree.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Slow(), *sys.meta_path])
    with pytest.raises(SystemExit) as leaving:
        main()
    assert leaving.value.code == 130


def test_playing_does_not_import_the_server() -> None:
    program = "import sys, jamboree.cli.app; print(*({'litestar', 'numba', 'psycopg', 'uvicorn'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
