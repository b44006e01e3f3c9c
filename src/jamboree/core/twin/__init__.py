"""Shared code of the twins: integers, bit sets, randomness. Plain Python that numba compiles unchanged."""
