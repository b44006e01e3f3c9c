"""Typer command classes whose help shows switches without a value."""

from typing import Any

from typer.core import TyperCommand, TyperGroup


def _without_switch_values(params: list[Any]) -> list[Any]:
    for param in params:
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""
    return params


class CliCommand(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:
        return _without_switch_values(super().get_params(ctx))


class CliGroup(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        return _without_switch_values(super().get_params(ctx))
