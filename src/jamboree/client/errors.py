"""What a client is told when something can't be."""

from typing import Any

from jamboree.core.errors import JamboreeError


class Declined(JamboreeError):
    """The server refused, and nothing has changed: a code for programs, a sentence for people."""

    def __init__(self, code: str, sentence: str, detail: dict[str, Any] | None = None) -> None:
        super().__init__(sentence)
        self.code, self.sentence, self.detail = code, sentence, detail


def other_version(error: Exception) -> Declined:
    """What to raise for an answer that can't be read."""
    return Declined("version", f"The server speaks another version of the protocol: {error}.")


class Lost(JamboreeError):
    """The connection broke, and nobody knows whether what was asked has been done."""
