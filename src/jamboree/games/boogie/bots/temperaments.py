"""Temperaments of players, from temperaments.toml, which explains the fields."""

import tomllib
from pathlib import Path

import msgspec

Span = tuple[float, float]


class Temperament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lies: float
    deserts: float
    teases: float
    falls_silent: float
    bluffs: float
    spite: float
    spoils: float
    talks: Span
    joins: Span
    adds: Span


TEMPERAMENTS = msgspec.convert(
    tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")), dict[str, Temperament]
)
