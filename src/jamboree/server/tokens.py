"""Unpredictable values: tokens, table codes, ids and seeds."""

import base64
import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager

CODE_LETTERS = "abcdefghjkmnpqrstvwxyz"  # without letters that look alike
CODE_LENGTH = 6  # 113 million codes; old tables have ten letters and digits
ID_LENGTH = 10
LONGEST_CODE = 32
TOKEN_BYTES = 24
SEED_BYTES = 32

_source: random.Random = random.SystemRandom()


def source() -> random.Random:
    """The source of randomness: the operating system's, except in tests."""
    return _source


@contextmanager
def drawing_from(other: random.Random) -> Iterator[None]:
    """Use another source for a while, for reproducible tests."""
    global _source
    before, _source = _source, other
    try:
        yield
    finally:
        _source = before


def new_token() -> str:
    """A bearer token for a seat."""
    return base64.urlsafe_b64encode(_source.randbytes(TOKEN_BYTES)).decode()


def hashed(token: str) -> str:
    """The stored hash of a token. Tokens are long and random, so that they need neither salt nor a slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_code(length: int = CODE_LENGTH) -> str:
    """A table code: short enough to say aloud; rate limits prevent guessing."""
    return "".join(_source.choice(CODE_LETTERS) for _ in range(length))


def new_id() -> str:
    return new_code(ID_LENGTH)


def normalized_code(text: str) -> str:
    """Normalize a code as people type it: ignore case, spaces and dashes."""
    return "".join(text.split()).replace("-", "").lower()


def is_code(text: str) -> bool:
    """Whether a text is well-formed as a table code, so that nothing else reaches the database."""
    return 0 < len(text) <= LONGEST_CODE and text.isascii() and text.isalnum()


def new_seed() -> str:
    """The server's seed of a game."""
    return _source.randbytes(SEED_BYTES).hex()
