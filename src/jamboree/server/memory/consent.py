"""Whose say it is when a move is to be taken back, and what their answers come to. Silence is no answer."""

from collections.abc import Collection

import msgspec

from ..protocol.terms import Consent, UndoFailed, UndoFailure


class UndoRequest(msgspec.Struct, frozen=True):
    """Somebody asks the others whether a move may be taken back."""

    person: str
    id: str  # the person's own name for this request
    agreed: list[str] = []
    refused: list[str] = []

    def answered(self, person: str, agrees: bool) -> "UndoRequest":
        """Take in an answer. A second answer is a change of mind."""
        agreed, refused = ([each for each in said if each != person] for said in (self.agreed, self.refused))
        (agreed if agrees else refused).append(person)
        return msgspec.structs.replace(self, agreed=agreed, refused=refused)

    def failed(self, why: UndoFailure) -> UndoFailed:
        """Say what came of it."""
        return UndoFailed(self.person, why, self.refused)

    def verdict(self, voters: Collection[str], consent: Consent) -> bool | None:
        """Say whether it is granted; None while that depends on answers to come."""
        agreed, refused = (sum(each in voters for each in said) for said in (self.agreed, self.refused))
        if consent == Consent.EVERYBODY:
            return False if refused else True if agreed == len(voters) else None
        if 2 * agreed > len(voters) or not voters:
            return True
        return False if 2 * (len(voters) - refused) <= len(voters) else None
