"""GPU baseline for benchmarks: random games of Hex in pgx, if it is installed."""

import os
from importlib.util import find_spec
from time import perf_counter
from typing import Any

CELLS = 121
MOVES = CELLS + 1  # an upper bound of a game's length, including the swap
BOARDS = (1 << 12, 1 << 15, 1 << 17)
ROUNDS = 4


def pgx_moves_per_second() -> float | None:
    """Return the best throughput of several batch sizes, without compilation; None if pgx is not installed."""
    if find_spec("pgx") is None:
        return None
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # our own rows share the GPU
    return max(_measure(boards) for boards in BOARDS)


def _measure(boards: int) -> float:
    import jax

    play, best = jax.jit(_random_games(boards)), 0.0
    play(jax.random.PRNGKey(0)).block_until_ready()
    for seed in range(1, ROUNDS + 1):
        began = perf_counter()
        moves = int(play(jax.random.PRNGKey(seed)))
        best = max(best, moves / (perf_counter() - began))
    return best


def _random_games(boards: int) -> Any:
    """Return a function that plays games side by side with uniformly random moves and returns the number of moves."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make("hex")
    begin, step = jax.vmap(env.init), jax.vmap(env.step)

    def move(carry: Any, _: None) -> tuple[Any, None]:
        state, key, moves = carry
        key, own = jax.random.split(key)
        action = jax.random.categorical(own, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=-1)
        return (step(state, action), key, moves + jnp.sum(~state.terminated)), None

    def play(key: Any) -> Any:
        start = begin(jax.random.split(key, boards)), key, jnp.zeros((), jnp.int32)
        return jax.lax.scan(move, start, None, length=MOVES)[0][2]

    return play
