"""The cache of compiled code: one process compiles, partial files are never read, any change invalidates it."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import pytest

from jamboree.fast import cache, sources
from jamboree.fast.compiling import Compiled
from jamboree.games.bebop.fast import hexes

USE = """
from jamboree.fast import load
load("bebop").rank
"""
NO_ROOM = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"  # as on a disk that is full


def use(folder: Path, first: str = "") -> Any:
    """Start a program that needs one small loop, with a cache of its own."""
    environment = {"JAMBOREE_CACHE": str(folder), "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    command = [sys.executable, "-c", first + USE]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)


def test_one_process_compiles_while_others_wait(tmp_path: Path) -> None:
    together = [use(tmp_path) for _ in range(3)]
    output = [program.communicate(timeout=280)[1] for program in together]
    assert [program.returncode for program in together] == [0, 0, 0], output
    assert sum("Compiling" in each for each in output) == 1
    later = use(tmp_path)
    assert "Compiling" not in later.communicate(timeout=280)[1]


def test_a_killed_compilation_leaves_no_files(tmp_path: Path) -> None:
    with use(tmp_path) as killed:
        assert "Compiling" in killed.stderr.readline()
        killed.kill()
    assert not list(tmp_path.rglob("*.code"))
    output = use(tmp_path).communicate(timeout=280)[1]
    assert "Compiled" in output
    assert len(list(tmp_path.rglob("*.code"))) == 1


@pytest.mark.parametrize(
    "damaged", [lambda code: code[: len(code) // 2], lambda code: code[:-9] + b"\0" * 9, bytes.upper]
)
def test_a_damaged_cache_is_rebuilt(tmp_path: Path, damaged: Callable[[bytes], bytes]) -> None:
    """One wrong byte is enough: it may be in the machine code, and that would be another game."""
    path = tmp_path / "rank.code"
    cache.write(path, b"machine code " * 100)
    assert cache.read(path) == b"machine code " * 100
    path.write_bytes(damaged(path.read_bytes()))
    assert cache.read(path) is None


def test_a_damaged_loop_is_recompiled(tmp_path: Path) -> None:
    use(tmp_path).communicate(timeout=280)
    [path] = tmp_path.rglob("*.code")
    whole = path.read_bytes()
    path.write_bytes(whole[:-500] + bytes(500))
    again = use(tmp_path)
    output = again.communicate(timeout=280)[1]
    assert again.returncode == 0, output
    assert "Compiled" in output
    assert cache.read(path)


@pytest.mark.parametrize("home", ["blocked", "full"])
def test_an_unwritable_cache_is_reported_and_not_fatal(tmp_path: Path, home: str) -> None:
    """A folder that is none stands for one that can't be written, since root may write everywhere."""
    place = tmp_path / "cache"
    if home == "blocked":
        place.write_text("not a folder")
    program = use(place, NO_ROOM if home == "full" else "")
    output = program.communicate(timeout=280)[1]
    assert program.returncode == 0, output
    assert output.count(cache.CACHE_VARIABLE) == 1
    assert "Compiled" in output
    assert not [path for path in tmp_path.rglob("*.code*") if path.stat().st_size]


def test_a_read_only_cache_is_used(tmp_path: Path) -> None:
    cache.write(tmp_path / "rank.code", b"code")
    lock = tmp_path / "rank.lock"
    lock.mkdir()  # even root can't write it
    with cache.locked(lock):
        assert cache.read(tmp_path / "rank.code") == b"code"


def test_without_a_home_directory_nothing_is_cached(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nobody(_: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv(cache.CACHE_VARIABLE, raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "expanduser", nobody)
    cache.report_unwritable.cache_clear()
    assert not cache.folder("bebop-1").exists()
    assert cache.CACHE_VARIABLE in capsys.readouterr().err


def test_concurrent_compilations_do_not_mix_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops have the same names in all games; one that lies in another game's folder would be taken for that game's."""
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path))
    twins = [Compiled(key, debug=False) for key in ("bebop", "bpm", "boogie")]
    wrong = []

    def lay_out(twin: Compiled) -> None:
        for _ in range(100):
            loop = twin._unloaded("step_rows")
            wrong.extend([] if loop._cache.path.parent == twin.folder else [loop])

    before = numba.config.CACHE_DIR
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lay_out, twins))
    assert not wrong
    assert before == numba.config.CACHE_DIR


def test_a_changed_function_or_constant_invalidates_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hash covers functions that a loop calls, not the location or later content of files."""
    before = sources.fingerprint("bebop")
    assert sources.fingerprint("bebop", "another version") != before
    flood, layout = hexes.flood, sources.layout("bebop")
    with monkeypatch.context() as patch:
        patch.setattr(flood, "__code__", flood.__code__.replace(co_filename="elsewhere.py", co_firstlineno=999))
        assert sources.fingerprint("bebop") == before
        patch.setattr(flood, "__code__", flood.__code__.replace(co_consts=(*flood.__code__.co_consts, 1)))
        assert sources.fingerprint("bebop") != before
    with monkeypatch.context() as patch:
        patch.setattr(flood, "__module__", "elsewhere")
        assert sources.fingerprint("bebop") != before
    with monkeypatch.context() as patch:
        patch.setattr(layout, "HAND_SIZE", layout.HAND_SIZE + 1)
        assert sources.fingerprint("bebop") != before
    assert sources.fingerprint("bebop") == before


def test_callees_of_a_loop_are_not_compiled_separately(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To optimise it by itself too, and all below it once more, took most of the time."""
    from numba.core.registry import cpu_target

    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path))
    twin = Compiled("bebop", debug=False)
    assert twin.score_rows.overloads
    functions = [each for each in twin.functions.values() if hasattr(each, "overloads")]
    parts = [made.library for function in functions for made in function.overloads.values()]
    assert parts
    assert not any(part.get_pointer_to_function(name.name) for part in parts for name in part.get_defined_functions())
    assert not {"create_library", "set_env"} & vars(cpu_target.target_context.codegen()).keys(), "numba is as it was"
