"""The source of randomness in a lesson: scripted picks, then picks from a fixed seed."""

from collections.abc import Iterable, Sequence

from jamboree.core.chance import EVERYONE, Audience, Bag, Recorded, Seeded


class Guided(Recorded):
    """Returns the values scripted by a lesson, by their labels, and records its picks.

    Picks that an unexpected move needs come from the seed.
    """

    def __init__(self, script: Iterable[str] = (), seed: int = 0) -> None:
        super().__init__(Seeded(seed))
        self.script = list(script)
        self.kept_to_script = True

    def roll(self, faces: Sequence[str], seen_by: Audience = EVERYONE) -> int:
        face = self._scripted(faces)
        index = self.source.roll(faces) if face is None else list(faces).index(face)
        self._record(len(faces), index, faces[index], seen_by)
        return index

    def pick(self, bag: Bag, seen_by: Audience = EVERYONE) -> int:
        here = [kind for kind, count in zip(bag.kinds, bag.counts, strict=True) if count]
        label = self._scripted(here)
        index = self.source.index(bag.total, seen_by) if label is None else bag.span(bag.kinds.index(label))[0]
        kind = bag.kind_at(index)
        self._record(bag.total, index, bag.kinds[kind], seen_by)
        return kind

    def _scripted(self, possible: Sequence[str]) -> str | None:
        """Return the next scripted value if it is possible here; otherwise drop the rest of the script."""
        if self.script and self.script[0] in possible:
            return self.script.pop(0)
        self.script, self.kept_to_script = [], False
        return None
