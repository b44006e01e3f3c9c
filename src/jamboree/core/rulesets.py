"""Rules of several versions side by side, so that an upgrade or a rollback stops no game."""

from collections.abc import Iterable, Iterator, Mapping

from .game import AnyGame


class Rulesets(Mapping[str, AnyGame]):
    """Games by their keys, as new tables play them, beside the earlier rules by which other games were begun."""

    def __init__(self, current: Mapping[str, AnyGame], earlier: Iterable[AnyGame] = ()) -> None:
        self._current = dict(current)
        self._all = {(game.info.key, game.info.rules_version): game for game in earlier}
        self._all |= {(key, game.info.rules_version): game for key, game in current.items()}

    @classmethod
    def of(cls, games: Mapping[str, AnyGame]) -> "Rulesets":
        return games if isinstance(games, cls) else cls(games)

    def version(self, key: str, rules: int) -> AnyGame | None:
        """Find the rules that a game was begun by; None if they are not here."""
        return self._all.get((key, rules))

    def __getitem__(self, key: str) -> AnyGame:
        return self._current[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._current)

    def __len__(self) -> int:
        return len(self._current)
