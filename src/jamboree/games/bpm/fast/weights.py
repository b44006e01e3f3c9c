"""Evaluation weights: chosen by hand (`greedy`) and tuned by playing (`learnt`, see docs/bots.md)."""

from pathlib import Path

import msgspec


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In hundredths of a point unless noted otherwise; integers, so that sums do not depend on their order."""

    superfan: int  # in sight, a little for quests included
    pair_open: int  # two fans of a possible line whose third place is free
    pair_shut: int  # the same where it is not
    single: int  # a fan on a possible line
    bonus_sight: int  # a fan in the bonus area
    ball_sight: int  # a fan at the ball
    rivalry: int  # of what a position is worth to the others
    quest_tie: int  # a token on a dancer that the own quest asks for
    break_cost: int  # a setlist's bathroom break against its movements
    same_cost: int  # for a song like another of the setlist
    colour_use: int  # of a song of the setlist, for each dancer of its colour
    card_use: int  # of a Hype card, for each placement and movement
    last_round: int  # of what begun lines are worth otherwise
    last_but_one: int
    last_but_two: int


WEIGHTS = msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes(), type=dict[str, Weights])
GREEDY = WEIGHTS["greedy"]
