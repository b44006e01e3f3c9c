"""Optional dependencies, the extras of the distribution, and how to install one that is missing."""

import json
from importlib.metadata import distribution
from typing import Literal

from jamboree import DISTRIBUTION

from .errors import JamboreeError

Extra = Literal["terminal", "server", "client", "fast", "telemetry", "rate", "ray"]


class MissingExtra(JamboreeError):
    """Something needs a package that is not installed."""

    def __init__(self, what: str, extra: Extra) -> None:
        super().__init__(f"{what}: {how_to_install(extra)}.")


def how_to_install(extra: Extra) -> str:
    """Give the command that installs an extra where this program runs."""
    if is_checkout():
        return "make fast" if extra == "fast" else "make setup"
    return f"pip install '{DISTRIBUTION}[{extra}]'"


def is_checkout() -> bool:
    """Tell whether this is an editable installation, whose dependencies the Makefile installs."""
    origin = json.loads(distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    return bool(origin.get("dir_info", {}).get("editable", False))
