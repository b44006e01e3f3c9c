"""What a player can conclude from the backs of the cards that lie on the situation."""

from ..box.components import CHARACTERS
from ..box.jumps import Jump
from .evaluation import Situation

COMPLETE, CROWDED, LACKING = 0.8, 0.3, 0.15  # chances of a formation by who stands on it with me


class Sky(Situation):
    """A view during the jump: who stands where counts for more than what was said."""

    def standing(self, jump: Jump) -> set[int]:
        """Give the others who laid a character card on a jump; whether they mean it nobody sees."""
        return {laid.seat for laid in self.view.plays if laid.character and laid.jump == jump} - {self.me}

    def comes_about(self, number: int) -> float:
        others = self.standing(Jump(number))
        if not any(laid.character and laid.seat != self.me for laid in self.view.plays):
            return super().comes_about(number)
        if len(others) == number - 1:
            return COMPLETE
        if len(others) >= number:
            return CROWDED
        missing = number - 1 - len(others)
        coming = self.pledged(number) - others - {self.me, *self.view.ready}
        return super().comes_about(number) if len(coming) == missing else LACKING

    def own(self) -> dict[Jump, list[str]]:
        """Give the jumpcards this player laid, by jump, for all jumps it stands on and means."""
        own = [laid for laid in self.view.plays if laid.seat == self.me and laid.card]
        inside = {laid.jump: list[str]() for laid in own if laid.card in CHARACTERS and laid.card != "bluff"}
        for laid in own:
            if laid.card not in CHARACTERS and laid.jump in inside:
                inside[laid.jump].append(str(laid.card))
        return inside
