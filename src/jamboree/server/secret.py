"""Everything that must not be guessed."""

import hashlib
import secrets

from jamboree.core.chance import Audience, Chance

CODE_LETTERS = "abcdefghjkmnpqrstvwxyz23456789"  # none that are taken for another
CODE_LENGTH = 10
TOKEN_BYTES = 24


def new_token() -> str:
    """Make a secret that gives somebody a seat."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hashed(token: str) -> str:
    """Give what is kept of a token. It is random and long, so a plain hash can't be turned back."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_code() -> str:
    """Make the code of a table: short enough to say aloud, too many of them to try out."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class Luck(Chance):
    """Picks by the operating system's generator, which nobody can foresee."""

    def index(self, n: int, seen_by: Audience) -> int:
        return secrets.randbelow(n)
