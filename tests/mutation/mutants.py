"""Mutants of a module: what is changed, in which function, and the changed code."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

from .changes import changes

CONTEXT = 40  # characters of a long line around what was changed


@dataclass(frozen=True)
class Mutant:
    """A changed module. Its name describes the change, and is stable while surrounding lines move."""

    module: str
    function: str  # its qualified name; empty for what is done when the module is loaded
    before: str
    after: str
    again: int  # how many changes before it look the same
    code: CodeType

    @property
    def name(self) -> str:
        times = f" ({self.again + 1})" if self.again else ""
        return f"{self.module.rpartition('.')[2]}.{self.function or '-'}: {self.before} → {self.after}{times}"


def mutants(module: str, path: Path) -> Iterator[Mutant]:
    """Change a module in every way there is, one at a time."""
    tree, seen = ast.parse(path.read_text(encoding="utf-8")), dict[tuple[str, str, str], int]()
    for top, function in parts(tree):
        for node, field, value in changes(top, bool(function)):
            old = getattr(node, field)
            before = shown(top, node, old, value)
            setattr(node, field, value)
            key = function, *difference(before, shown(top, node, value, value))
            code = compile(tree, str(path), "exec")
            setattr(node, field, old)
            seen[key] = seen.get(key, -1) + 1
            yield Mutant(module, *key, seen[key], code)


def parts(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Give every function with its name, and what stands around them with no name."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            yield statement, statement.name
        elif isinstance(statement, ast.ClassDef):
            for part in statement.body:
                named = f"{statement.name}.{part.name}" if isinstance(part, ast.FunctionDef) else ""
                yield (part if named else ast.Module([part], [])), named
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and not is_union(statement.value):
            yield ast.Module([statement], []), ""


def is_union(value: ast.expr | None) -> bool:
    """Return whether a node is a union type, which is not a rule."""
    return isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr) and isinstance(value.right, ast.Name)


def shown(top: ast.AST, node: ast.AST, now: Any, changed: Any) -> str:
    """Show the statement a change is in; of one that has a body, its first line."""
    if isinstance(changed, list) and isinstance(changed[0], ast.stmt):  # a statement that was left out
        at = next(number for number, statement in enumerate(changed) if isinstance(statement, ast.Pass))
        return headline(now[at])
    return headline(statement_of(top, node))


def statement_of(top: ast.AST, wanted: ast.AST) -> ast.AST:
    """Find the innermost statement that a node is in."""
    found = top
    for each in ast.walk(top):
        if isinstance(each, ast.stmt) and any(part is wanted for part in ast.walk(each)):
            found = each  # walked from the outside in
    return found


def headline(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0]


def difference(before: str, after: str) -> tuple[str, str]:
    """Cut off what two long lines have in common, but for some of it."""
    first, last = shared(before, after), shared(before[::-1], after[::-1])
    last = min(last, min(len(before), len(after)) - first)
    start, end = cut(first), cut(last)
    one, other = (f"{'…' * (start > 0)}{text[start : len(text) - end]}{'…' * (end > 0)}" for text in (before, after))
    return one, other


def shared(one: str, other: str) -> int:
    """Count the characters that two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def cut(alike: int) -> int:
    """Say how many of so many characters go: none, if that would spare little."""
    return alike - CONTEXT if alike >= 2 * CONTEXT else 0
