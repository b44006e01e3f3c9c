"""The errors that a client raises."""

from typing import Any

from jamboree.core.errors import JamboreeError


class Declined(JamboreeError):
    """The server refused a request and nothing has changed: a code for programs, a sentence for people."""

    def __init__(self, code: str, sentence: str, detail: dict[str, Any] | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.detail = detail


class ConnectionLost(JamboreeError):
    """The connection broke before the answer came, so it is unknown whether the request was carried out."""


def version_mismatch(error: Exception) -> Declined:
    """Return the error to raise for an answer that can't be decoded."""
    return Declined("version", f"The server speaks another version of the protocol: {error}.")
