"""What dice would score where, read off the masks of a position: nothing is played out."""

from collections.abc import Iterable
from functools import cached_property, lru_cache

from jamboree.core.geometry import bits

from ..box.board import Ground
from ..box.components import FACES
from ..box.dice import colour_of, die_of, face_of
from ..rules.claim import bootable
from ..rules.stages import listening
from ..rules.state import State

NO_FACE = -1
RIVAL_SHARE = 0.5  # of what the best rival gets from a stage, taken off the own points


@lru_cache(maxsize=1 << 14)
def places_beside(ground: Ground, mask: int) -> tuple[int, ...]:
    """List the hexes next to those of a mask; dice stay where they are, so the same masks come back all game."""
    return tuple(bits(ground.beside(mask)))


@lru_cache(maxsize=64)
def stages_beside(ground: Ground) -> tuple[tuple[int, ...], ...]:
    """Give each hex the indices of the stages next to it."""
    numbered = tuple(enumerate(ground.stages))
    return tuple(
        tuple(number for number, stage in numbered if stage.beside >> place & 1) for place in range(len(ground.names))
    )


class Prospects:
    """The position as the player whose turn it is knows it, asked what would pay."""

    def __init__(self, state: State) -> None:
        self.state, self.seat = state, state.turn
        self.ground, self.hand = state.ground, state.hands[state.turn]

    @property
    def open_seats(self) -> int:
        return self.state.open[self.seat]

    @property
    def specials(self) -> int:
        return self.state.specials[self.seat]

    @property
    def free_normal(self) -> int:
        return self.ground.normal & ~self.state.occupied

    @property
    def free_vip(self) -> int:
        return self.ground.vip & ~self.state.occupied

    @property
    def free_backstage(self) -> int:
        return self.state.backstage & ~self.state.occupied

    @property
    def bootable(self) -> int:
        return bootable(self.state, self.seat)

    def points(self, die: int, place: int) -> float:
        """Count what is certain to follow from a die on a hex: its family, and the stages it completes."""
        family, near = 0, self.ground.near[place]
        for group in self.state.families[colour_of(die)]:
            if group & near:
                family |= group
        score = (family & self.state.faces[face_of(die)]).bit_count() + 1 if family else 0
        stages = self.closing.get(place)
        return score + self._lead(stages, family, face_of(die)) if stages else score

    @cached_property
    def closing(self) -> dict[int, list[int]]:
        """Give each hex that is the last to be filled around stages the indices of these."""
        found: dict[int, list[int]] = {}
        booked, stages = self.state.booked, self.ground.stages
        for number, tokens in enumerate(self.state.tokens):
            missing = stages[number].ring & ~booked
            if tokens and missing and not missing & (missing - 1):
                found.setdefault(missing.bit_length() - 1, []).append(number)
        return found

    def performance(self, number: int) -> float:
        """Count what a stage that is complete would bring."""
        return self._lead([number], 0, NO_FACE)

    def _lead(self, stages: list[int], family: int, new_face: int) -> float:
        """Score stages with one more die joined to a family: own points less a share of the best rival's."""
        rating, gains = self.state.rating[:], [0] * self.state.seats
        for number in stages:
            heard = listening(self.state, number) | family
            for token in self.state.tokens[number]:
                self._share_out(token % len(FACES), heard, new_face, rating, gains)
        own = gains.pop(self.seat)
        return own - RIVAL_SHARE * max(gains)

    def _share_out(self, feature: int, heard: int, new_face: int, rating: list[int], gains: list[int]) -> None:
        matching = heard & self.state.faces[feature]
        counts = [(matching & owned).bit_count() for owned in self.state.owned]
        counts[self.seat] += feature == new_face
        most = max(counts)
        if most:
            points = rating[feature] // counts.count(most)
            for seat, count in enumerate(counts):
                gains[seat] += points if count == most else 0
            rating[feature] = max(rating[feature] - 1, 0)

    def best_in_hand(self) -> dict[int, float]:
        """Give each hex where a die in hand would score the most that one would."""
        best: dict[int, float] = {}
        for die in self.hand:
            matching = self.state.faces[face_of(die)]
            for place, family in self._joined(colour_of(die)).items():
                score = (family & matching).bit_count() + 1
                if score > best.get(place, 0):
                    best[place] = score
        for place in self.closing:
            best[place] = self.best_points(place)
        return best

    def best_points(self, place: int) -> float:
        return max((self.points(die, place) for die in self.hand), default=0.0)

    def best_elsewhere(self, colour: int) -> list[int]:
        """Give each face the most that a die of a colour would score in a family on an empty normal hex."""
        free = self.free_normal
        families = {family for place, family in self._joined(colour).items() if free >> place & 1}
        return [max([(family & mask).bit_count() for family in families], default=-1) + 1 for mask in self.state.faces]

    def _joined(self, colour: int) -> dict[int, int]:
        """Give each hex next to dice of a colour the dice that one more there would join."""
        found: dict[int, int] = {}
        for group in self.state.families[colour]:
            for place in places_beside(self.ground, group):
                found[place] = found.get(place, 0) | group
        return found

    def pulls(self) -> list[float]:
        """Give each hex the rating left on the stages beside it, each the more the fewer hexes are unfilled."""
        pulls = [0.0] * len(self.ground.names)
        rating, booked = self.state.rating, self.state.booked
        for stage, tokens in zip(self.ground.stages, self.state.tokens, strict=True):
            left = sum([rating[token % len(FACES)] for token in tokens])
            if left:
                pull = left / (1 + (stage.ring & ~booked).bit_count())
                for place in places_beside(self.ground, stage.mask):
                    pulls[place] += pull
        return pulls

    def matches(self, place: int) -> list[float]:
        """Give each face the rating of the tokens it matches on the stages beside a hex, weighed as a pull."""
        found = [0.0] * len(FACES)
        for number in stages_beside(self.ground)[place]:
            unfilled = (self.ground.stages[number].ring & ~self.state.booked).bit_count()
            for token in self.state.tokens[number]:
                found[token % len(FACES)] += self.state.rating[token % len(FACES)] / (1 + unfilled)
        return found

    def bag_odds(self) -> Iterable[tuple[int, float]]:
        """List the dice a draw from the bag can give, and how likely each is, as far as this player knows."""
        bag = self.state.bag
        for colour, count in enumerate(bag.counts):
            for face in range(len(FACES)):
                yield die_of(colour, face), count / max(bag.total, 1) / len(FACES)
