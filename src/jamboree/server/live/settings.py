"""The settings of a table: what its host chooses when it is opened, and may change until the game begins."""

from typing import Any

import msgspec

from ..protocol.terms import Consent, HouseRules


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seats: int
    options: dict[str, Any]  # of the game
    listed: bool  # whether others find the table
    seconds: int | None = None  # per decision
    consent: Consent = Consent.EVERYBODY  # to taking moves back
    house_rules: HouseRules = msgspec.field(default=HouseRules(), name="house")
