"""Everything that must not be guessed."""

import base64
import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager

CODE_LETTERS = "abcdefghjkmnpqrstvwxyz"  # none that are taken for another
CODE_LENGTH = 6  # 113 million codes; tables of former times have ten letters and digits
ID_LENGTH = 10
LONGEST_CODE = 32
TOKEN_BYTES = 24
SEED_BYTES = 32

_source: random.Random = random.SystemRandom()


def source() -> random.Random:
    """Give what chance is drawn from: the system's own, which nobody can foretell."""
    return _source


@contextmanager
def drawn_from(other: random.Random) -> Iterator[None]:
    """Draw from something else for a while, so that a test can repeat what happened."""
    global _source
    before, _source = _source, other
    try:
        yield
    finally:
        _source = before


def new_token() -> str:
    """Make a secret that gives somebody a seat."""
    return base64.urlsafe_b64encode(_source.randbytes(TOKEN_BYTES)).decode()


def hashed(token: str) -> str:
    """Give what is kept of a token. It is random and long, so a plain hash can't be turned back."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_code(length: int = CODE_LENGTH) -> str:
    """Make the code of a table: short enough to say aloud, and nobody may try out many of them."""
    return "".join(_source.choice(CODE_LETTERS) for _ in range(length))


def new_id() -> str:
    return new_code(ID_LENGTH)


def meant_code(text: str) -> str:
    """Read a code as people write it: case, spaces and dashes do not matter."""
    return "".join(text.split()).replace("-", "").lower()


def is_code(text: str) -> bool:
    """Tell whether a text can be the code of a table; what else is in an address is nothing for a database."""
    return 0 < len(text) <= LONGEST_CODE and text.isascii() and text.isalnum()


def new_seed() -> str:
    """Make the server's part of a game's luck."""
    return _source.randbytes(SEED_BYTES).hex()
