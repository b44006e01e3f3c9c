"""Several versions of a game's rules side by side, so that games survive an upgrade or a rollback."""

from collections.abc import Iterable, Iterator, Mapping

from .game import AnyGame


class Rulesets(Mapping[str, AnyGame]):
    """The current games by key, plus the earlier rules versions that running games still use."""

    def __init__(self, current: Mapping[str, AnyGame], earlier: Iterable[AnyGame] = ()) -> None:
        self._current = dict(current)
        self._all = {(game.info.key, game.info.rules_version): game for game in earlier}
        self._all |= {(key, game.info.rules_version): game for key, game in current.items()}

    @classmethod
    def of(cls, games: Mapping[str, AnyGame]) -> "Rulesets":
        return games if isinstance(games, cls) else cls(games)

    def version(self, key: str, rules: int) -> AnyGame | None:
        """Return the rules with which a game was started; None if they are not installed."""
        return self._all.get((key, rules))

    def __getitem__(self, key: str) -> AnyGame:
        return self._current[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._current)

    def __len__(self) -> int:
        return len(self._current)
