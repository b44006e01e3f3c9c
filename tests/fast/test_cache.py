"""Compiled code is kept safely: one process compiles, nobody reads half of it, a change anywhere makes it anew."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jamboree.fast import cache, sources
from jamboree.fast.compiling import Compiled

USE = """
import sys
from jamboree.fast import load
load("bebop").rank
"""


def use(folder: Path) -> Any:
    """Start a program that needs one small loop, with a cache of its own."""
    environment = {"JAMBOREE_CACHE": str(folder), "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    command = [sys.executable, "-c", USE]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)


def test_one_process_compiles_while_others_wait(tmp_path: Path) -> None:
    together = [use(tmp_path) for _ in range(3)]
    said = [program.communicate(timeout=280)[1] for program in together]
    assert [program.returncode for program in together] == [0, 0, 0], said
    assert sum("Compiling" in each for each in said) == 1
    later = use(tmp_path)
    assert "Compiling" not in later.communicate(timeout=280)[1]


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    first = use(tmp_path)
    first.communicate(timeout=280)
    data = list(tmp_path.rglob("*.nbc")) + list(tmp_path.rglob("*.nbi"))
    assert data
    for path in data:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    again = use(tmp_path)
    said = again.communicate(timeout=280)[1]
    assert again.returncode == 0, said


def test_a_folder_that_cannot_be_written_works_with_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")  # root may write everywhere, but not into a file
    monkeypatch.setenv(cache.PLACE, str(blocked))
    private = cache.folder("bebop-0")
    assert private.is_dir() and not private.is_relative_to(blocked)
    assert cache.PLACE in capsys.readouterr().err


def test_a_kept_cache_that_cannot_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bebop-1").mkdir()
    (tmp_path / "bebop-1" / "rank.done").touch()
    monkeypatch.setenv(cache.PLACE, str(tmp_path))

    def refuse(**_: Any) -> Any:
        raise PermissionError("read-only")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    private = cache.folder("bebop-1")
    assert private != tmp_path / "bebop-1"
    assert (private / "rank.done").exists()


def test_a_change_in_any_file_is_another_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function that is only called from the one that is kept counts too."""
    before = sources.fingerprint("bebop")
    assert sources.fingerprint("bebop") == before
    assert sources.fingerprint("bebop", "another version") != before
    for name in ("hexes", "layout"):
        module = next(each for each in sources.modules("bebop") if each.__name__.endswith(f".{name}"))
        changed = tmp_path / f"{name}.py"
        changed.write_text(Path(str(module.__file__)).read_text() + "\n# changed\n")
        with monkeypatch.context() as patch:
            patch.setattr(module, "__file__", str(changed))
            assert sources.fingerprint("bebop") != before
    assert sources.fingerprint("bebop") == before


def test_what_a_loop_calls_is_only_linked_into_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To optimise it by itself too, and all below it once more, took most of the time."""
    from numba.core.registry import cpu_target

    monkeypatch.setenv(cache.PLACE, str(tmp_path))
    twin = Compiled("bebop", debug=False)
    assert twin.score_rows.overloads
    functions = [each for each in twin.functions.values() if hasattr(each, "overloads")]
    parts = [made.library for function in functions for made in function.overloads.values()]
    assert parts
    assert not any(part.get_pointer_to_function(name.name) for part in parts for name in part.get_defined_functions())
    assert not {"create_library", "set_env"} & vars(cpu_target.target_context.codegen()).keys(), "numba is as it was"
