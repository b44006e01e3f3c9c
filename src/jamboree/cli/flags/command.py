"""A command whose flags depend on the game it is told."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.games import find, keys

from ..switches import PlainCommand
from .flags import flags_of
from .params import PREFIX, params_of

GAME, OWN, GIVEN = (f"{__name__}.{name}" for name in ("game", "own", "given"))


class GameCommand(PlainCommand):
    """Looks for the game first, then takes that game's flags beside its own; `given` has their values."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.ignore_unknown_options = self.allow_extra_args = True  # they are refused below, in a sentence

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        game = ctx.meta[GAME] = self._game(ctx, args)
        ctx.meta[OWN] = params_of(game) if game else []
        rest = super().parse_args(ctx, args)
        own = [name for name in ctx.params if name.startswith(PREFIX)]
        ctx.meta[GIVEN] = {name: ctx.params.pop(name) for name in own}
        if not ctx.resilient_parsing:
            self._refuse(ctx, [word for word in (ctx.params.get("game"), *rest) if word])
        return rest

    def get_params(self, ctx: Any) -> list[Any]:
        own = ctx.meta.get(OWN, [])
        return [*super().get_params(ctx), *own]

    def _game(self, ctx: Any, args: list[str]) -> AnyGame | None:
        """Find the game among words that may be flags nobody knows yet, and their values."""
        options, rest, _ = self.make_parser(ctx).parse_args(args=list(args))
        return next((find(word) for word in (options.get("game"), *rest) if word in keys()), None)

    def _refuse(self, ctx: Any, words: Sequence[str]) -> None:
        """Say which flag is not known here, or which word is one too many."""
        game: AnyGame | None = ctx.meta[GAME]
        unknown = next((word.partition("=")[0] for word in words if word.startswith("-")), None)
        if unknown is not None:
            known = [name for param in self.get_params(ctx) for name in param.opts if name.startswith("-")]
            raise JamboreeError(no_such_flag(unknown, game, known))
        if len(words) > 1:
            raise JamboreeError(f"{words[1]!r} is one word too many after {words[0]!r}.")


def no_such_flag(unknown: str, game: AnyGame | None, known: Sequence[str]) -> str:
    meant = get_close_matches(unknown, known, 1, 0.7)
    guess = f" Did you mean {meant[0]}?" if meant else ""
    if game is None:
        return f"There is no {unknown} here.{guess} `jamboree play GAME --help` shows the flags of a game."
    has = ", ".join(flag.shown for flag in flags_of(game)) or "none"
    return f"{game.info.title} has no {unknown}.{guess} Its own flags are: {has}."


def given(ctx: Any) -> list[Any]:
    """Give the values of the game's flags, in their order; None for one that was not given."""
    values = ctx.meta[GIVEN]
    return [values[f"{PREFIX}{number}"] for number in range(len(values))]
