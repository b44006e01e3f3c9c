"""What is measured of a game of Bebop."""

import msgspec

from jamboree.core.kit.reporting import FinishedGame

from ..visibility.views import View


class Facts(msgspec.Struct, frozen=True):
    """One game: who began, which stages performed, and what the players made of it."""

    first: int
    performed: dict[str, bool]
    stuck: int  # players left with seats in their supply
    sources: tuple[int, int, int]  # points of families, stages and majorities
    vips: int  # players whose VIP seat lies on a VIP hex
    passes: int  # players whose Backstage Pass lies backstage


def measure(played: FinishedGame) -> Facts:
    end: View = played.end
    face_up = [tile.tile for tile in end.tiles if not tile.face_down]
    points = end.points
    return Facts(
        first=played.opening.turn,
        performed={stage.stage: not stage.tokens for stage in end.stages},
        stuck=sum(bool(supply.basic or supply.specials) for supply in end.supplies),
        sources=(
            sum(each.families for each in points),
            sum(each.stages for each in points),
            sum(each.majorities for each in points),
        ),
        vips=face_up.count("vip"),
        passes=face_up.count("backstage"),
    )
