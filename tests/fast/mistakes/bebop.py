"""Twelve plausible programming errors in Bebop's rules."""

import random
from typing import Any

from jamboree.core.chance import Seeded
from jamboree.core.geometry import groups
from jamboree.core.kit.events import NO_EVENTS
from jamboree.fast import sources
from jamboree.games import find
from jamboree.games.bebop.box.board import load
from jamboree.games.bebop.rules import booking, endgame, stages
from jamboree.games.bebop.rules.setup import Options

from ..lockstep import agree

OWN = load("vanillaville").source.replace("id: vanillaville", "id: my-own-festival")
MORE = (Options(board=load("point-city").source, star=True, hidden_hands=True), Options(board=OWN, star=True))

MISTAKES = (
    ("setup.py", "seat = (s[at.TURN_OF] + turn) % players", "seat = turn"),  # deals from seat 0
    ("setup.py", "if not laid >> 3 * (token % at.FACES) & 1", "if not laid >> 3 * token & 1"),  # stars beside their own
    ("legal.py", "opened & ~boots & t[", "opened & t["),  # a Boot boots Boots
    ("legal.py", "if specials >> at.VIP & 1:", "if supply_of(s, seat) & 1:"),  # VIP hexes for basic seats
    ("rules.py", "down == 0 and tile == at.DOUBLE", "tile == at.DOUBLE"),  # face down it still claims twice
    (
        "rules.py",
        "s[at.SPECIALS + owner] |= 1 << tile",
        "s[at.BASICS + owner] += 1",
    ),  # a booted special loses its power
    ("rules.py", "if size >= s[at.BANNER_SIZE", "if size > s[at.BANNER_SIZE"),  # a tie does not move the banner
    ("rules.py", "s[at.PASSED] = 0\n    word", "word"),  # a booking does not wake who passed
    ("stages.py", "elif winners >> seat & 1:", "elif winners:"),  # the active player takes every tied token
    ("stages.py", "value // popc(winners)", "value"),  # tied players do not divide
    ("stages.py", "larger(value - 1, 0)", "value - 1"),  # the marker goes below zero
    ("stages.py", "or printed > count_of(m, ctz(leaders), low, high)", ""),  # printed dice never win
)


def look_closer(twin: Any) -> None:
    """Fill boards with dice of few colours, with low markers, and let all stages perform and the game end in both.

    Random games meet neither markers at zero nor printed dice that have strictly most of a face: on the boards there
    are no two of one colour show the same face. Here all printed dice have one colour and show keys, and few others do.
    """
    game, bridge = find("bebop"), sources.bridge("bebop")
    for number in range(48):
        rng, seats = random.Random(number), 2 + number % 3
        options = game.info.samples[number // 3 % len(game.info.samples)]
        state = game.setup(seats, options, Seeded(number))
        fill(state, rng)
        t, (m, s) = bridge.table(seats, options), bridge.row_of(state)
        for stage in rng.sample(range(len(state.ground.stages)), len(state.ground.stages)):
            seat = rng.randrange(seats)
            stages.perform(state, seat, stage, NO_EVENTS)
            twin.perform(m, s, t, seat, stage)
        endgame.end_game(state, NO_EVENTS)
        twin.end_game(m, s, t)
        agree(f"full board {number}", bridge.row_of(state), (m, s))


def fill(state: Any, rng: random.Random) -> None:
    colours, printed = rng.sample(range(5), 2), state.ground.printed
    state.faces, state.colours, state.families = [printed, 0, 0], [0] * 5, [()] * 5
    state.colours[colours[0]], state.families[colours[0]] = printed, tuple(groups(printed, state.ground.near))
    for place in range(len(state.ground.names)):
        if state.ground.free_normal >> place & 1:
            seat, die, bit = (
                rng.randrange(state.seats),
                rng.choice(colours) * 3 + rng.choice((0, *[1, 2] * 9)),
                1 << place,
            )
            state.open[seat] |= bit
            state.opened |= bit
            state.occupied |= bit
            booking.seat_die(state, seat, die, place)
            family = booking.join_family(state, die // 3, place)
            if family != bit:
                booking.move_banner(state, die // 3, family, place, NO_EVENTS)
    state.rating = [rng.randrange(4) for _ in range(3)]
