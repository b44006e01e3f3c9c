"""The mutants themselves: what is changed, that a change takes effect, and that excused code still exists."""

from pathlib import Path

import pytest

from jamboree.games.boogie.rules import judging

from . import loading, swapping
from .__main__ import EQUIVALENT, GAMES, equivalent, of_game
from .coverage import called
from .mutants import Mutant, mutants

SOURCE = '''
"""Says what counts."""

MOST = 3


def fits(cards: int = 2) -> bool:
    """Tell whether there are few enough."""
    assert cards >= 0
    if not cards:
        return False
    cards -= 1
    return cards < MOST and cards != 5
'''


def names(source: str, tmp_path: Path) -> list[str]:
    path = tmp_path / "counting.py"
    path.write_text(source)
    return [mutant.name.removeprefix("counting.") for mutant in mutants("counting", path)]


def test_every_mutation_operator_is_applied(tmp_path: Path) -> None:
    assert set(names(SOURCE, tmp_path)) == {
        "-: MOST = 3 → MOST = 4",
        "fits: def fits(cards: int=2) -> bool: → def fits(cards: int=3) -> bool:",
        "fits: if not cards: → if not not cards:",
        "fits: return False → return True",
        "fits: return False → pass",
        "fits: cards -= 1 → cards += 1",
        "fits: cards -= 1 → cards -= 2",
        "fits: cards -= 1 → pass",
        "fits: return cards < MOST and cards != 5 → return cards <= MOST and cards != 5",
        "fits: return cards < MOST and cards != 5 → return cards > MOST and cards != 5",
        "fits: return cards < MOST and cards != 5 → return cards < MOST and cards == 5",
        "fits: return cards < MOST and cards != 5 → return cards < MOST or cards != 5",
        "fits: return cards < MOST and cards != 5 → return cards < MOST and cards != 6",
        "fits: return cards < MOST and cards != 5 → pass",
    }


def test_similar_mutants_have_distinct_names() -> None:
    every = [mutant.name for mutant in of_game("boogie")]
    assert len(every) == len(set(every)) > 900


def test_diffs_of_long_lines_are_shortened(tmp_path: Path) -> None:
    listed = ", ".join(f"name_{number}" for number in range(40))
    (name,) = [each for each in names(f"ALL = ({listed}, 7, {listed})\n", tmp_path) if "8" in each.partition("→")[2]]
    assert "7" in name and len(name) < 220


def too_many() -> Mutant:
    path = Path(judging.__file__)
    wanted = "jumpers: if sure.bit_count() > required: → if sure.bit_count() >= required:"
    return next(each for each in mutants(judging.__name__, path) if each.name == f"judging.{wanted}")


def test_a_mutant_replaces_the_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant, real = too_many(), judging.jumpers
    assert real(2, 0b11, 0)
    monkeypatch.setattr(real, "__code__", real.__code__)  # puts it back
    swapping.swap(mutant)
    assert real(2, 0b11, 0) is None


def test_a_mutant_replaces_the_module() -> None:
    mutant = too_many()
    finder = loading.Finder(mutant)
    spec = finder.find_spec(mutant.module, [str(Path(judging.__file__).parent)])
    assert spec is not None and isinstance(spec.loader, loading.Changed)
    assert spec.loader.get_code(mutant.module) is mutant.code
    assert finder.find_spec("jamboree.games.boogie.rules.jury", None) is None


def test_coverage_of_tests_is_recorded() -> None:
    with called(GAMES / "boogie" / "rules") as found:
        judging.jumpers(2, 0b11, 0)
    assert ("judging", "jumpers") in found


@pytest.mark.parametrize("key", sorted(path.stem for path in EQUIVALENT.glob("*.json")))
def test_every_excused_mutant_exists_and_has_a_reason(key: str) -> None:
    excused = equivalent(key)
    assert not excused.keys() - {mutant.name for mutant in of_game(key)}
    assert all(len(why) > 20 for why in excused.values())
