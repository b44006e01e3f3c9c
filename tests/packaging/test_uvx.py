"""A program that uvx runs from the bare package restarts itself with the extras that its command needs."""

import os
import sys
from typing import Any

import pytest

from jamboree import __main__ as program
from jamboree.core.extras import requirement

UV = "/somewhere/uv"


class Replaced(BaseException):
    """`exec` ends the program."""


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The commands that replaced this process."""
    commands: list[Any] = []

    def execv(path: str, command: list[str]) -> None:
        commands.append((path, command))
        raise Replaced

    monkeypatch.setattr(os, "execv", execv)
    monkeypatch.setattr(sys, "argv", ["/env/bin/jamboree", "serve", "--port", "0"])
    for name in ("UV", "VIRTUAL_ENV", program.AGAIN):
        monkeypatch.setenv(name, "")  # restored after the test, whatever it sets
        monkeypatch.delenv(name)
    return commands


def test_missing_packages_are_installed_with_uvx_and_the_same_arguments(
    executed: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV", UV)
    with pytest.raises(Replaced):
        program.run_again_under_uvx()
    ((path, command),) = executed
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    start = [UV, "tool", "run", "--python", version, "--from", requirement("client"), "jamboree"]
    assert (path, command) == (UV, [*start, "serve", "--port", "0"])
    program.run_again_under_uvx()
    assert len(executed) == 1, "once: what is missing then is said"


@pytest.mark.parametrize("environment", [{}, {"UV": UV, "VIRTUAL_ENV": "/env"}, {"VIRTUAL_ENV": "/env"}])
def test_a_users_own_environment_is_not_changed(
    environment: dict[str, str], executed: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    program.run_again_under_uvx()
    assert executed == []


def test_a_missing_package_is_reported_if_uvx_cannot_run(executed: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jamboree.cli", None)  # importing it raises ModuleNotFoundError of this name
    with pytest.raises(ModuleNotFoundError):
        program.main()
    error = ModuleNotFoundError("No module named 'typer'", name="typer")
    monkeypatch.setattr("builtins.__import__", _importing(error))
    with pytest.raises(SystemExit) as left:
        program.main()
    assert str(left.value).startswith("This needs typer, which is not installed: ")
    monkeypatch.setenv("UV", UV)
    with pytest.raises(Replaced):
        program.main()


def _importing(error: ModuleNotFoundError) -> Any:
    usual = __import__

    def importing(name: str, *rest: Any) -> Any:
        if name == "jamboree.cli":
            raise error
        return usual(name, *rest)

    return importing
