"""Switches shown as switches in every help: without a value they do not take."""

from typing import Any

from typer.core import TyperCommand, TyperGroup


def bare(params: list[Any]) -> list[Any]:
    """Take the value away that is shown behind a switch."""
    for param in params:
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""
    return params


class PlainCommand(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:
        return bare(super().get_params(ctx))


class PlainGroup(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        return bare(super().get_params(ctx))
