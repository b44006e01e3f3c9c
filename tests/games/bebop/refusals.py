"""All refusals of the rules, found by parsing the source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import jamboree.games.bebop
from jamboree.games.bebop.rules.state import PHASES

SOURCE = Path(jamboree.games.bebop.__file__).parent


def refusals() -> set[tuple[str, str]]:
    """Return rule and key of every refusal in the source."""
    return {pair for path in SOURCE.rglob("*.py") for pair in _refusals_of(ast.parse(path.read_text("utf-8")))}


def _refusals_of(module: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "refuse":
            rules, keys = (list(_strings(argument)) for argument in node.args[:2])
            yield from ((rule, key) for rule in rules for key in keys)


def _strings(argument: ast.expr) -> Iterator[str]:
    if isinstance(argument, ast.IfExp):
        yield from _strings(argument.body)
        yield from _strings(argument.orelse)
    elif isinstance(argument, ast.Constant):
        yield str(argument.value)
    elif isinstance(argument, ast.JoinedStr) and ast.unparse(argument.values[1]).startswith("{PHASES["):
        yield from (f"{key}{phase}" for key in _strings(argument.values[0]) for phase in PHASES[:-1])
    else:
        raise AssertionError(f"a refusal names its rule and key as they are, not as {ast.unparse(argument)}")
