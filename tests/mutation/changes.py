"""Mutation operators: the small changes that are made to a program, one at a time."""

import ast
from collections.abc import Iterator
from typing import Any

Change = tuple[ast.AST, str, Any]
"""A node, one of its fields, and what the field becomes."""

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
REPLACED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
REMOVED = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Raise, ast.Continue, ast.Break)
NEVER = (ast.Import, ast.ImportFrom, ast.Assert, ast.JoinedStr)  # whose parts no rule stands in
UNREAD = {"annotation", "returns", "decorator_list", "type_params"}


def changes(node: ast.AST, inside: bool) -> Iterator[Change]:
    """List the possible changes below a node; statements are removed inside functions only."""
    for name, value in ast.iter_fields(node):
        if name in UNREAD:
            continue
        children = value if isinstance(value, list) else [value]
        for at, child in enumerate(children):
            if not isinstance(child, ast.AST) or isinstance(child, NEVER) or is_no_rule(child):
                continue
            if inside and isinstance(child, REMOVED) and isinstance(value, list) and not is_last_none(node, child):
                yield node, name, [*value[:at], ast.copy_location(ast.Pass(), child), *value[at + 1 :]]
            yield from of_one(child)
            yield from changes(child, inside or isinstance(child, ast.FunctionDef))


def is_no_rule(node: ast.AST) -> bool:
    """Pass over docstrings, and over `strict=True`, which only guards against mistakes of ours."""
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_last_none(around: ast.AST, node: ast.AST) -> bool:
    """Pass over a function's last `return None`, without which it gives None too."""
    is_none = isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and node.value.value is None
    return is_none and isinstance(around, ast.FunctionDef) and around.body[-1] is node


def is_negated(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def of_one(node: ast.AST) -> Iterator[Change]:
    """List the changes of one node itself."""
    match node:
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                for other in COMPARED[type(op)]:
                    yield node, "ops", [*ops[:at], other(), *ops[at + 1 :]]
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in REPLACED:
            yield node, "op", REPLACED[type(op)]()
        case ast.BoolOp(op=op):
            yield node, "op", ast.Or() if isinstance(op, ast.And) else ast.And()
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) if not is_negated(test):
            yield node, "test", ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, "operand", ast.copy_location(ast.UnaryOp(ast.Not(), operand), operand)
        case ast.UnaryOp(op=ast.Invert() | ast.USub()):
            yield node, "op", ast.UAdd()
        case ast.Constant(value=bool(value)):
            yield node, "value", not value
        case ast.Constant(value=int(value) | float(value)):
            yield node, "value", value + 1
        case ast.Constant(value=str(value)):
            yield node, "value", value + "?"
