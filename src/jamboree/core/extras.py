"""Optional dependencies, the extras of the distribution, and how to install one that is missing."""

import json
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit
from urllib.request import url2pathname

from jamboree import DISTRIBUTION, __version__

from .errors import JamboreeError

Extra = Literal["terminal", "server", "client", "fast", "telemetry", "rate", "ray"]


class MissingExtra(JamboreeError):
    """Something needs a package that is not installed."""

    def __init__(self, what: str, extra: Extra) -> None:
        super().__init__(f"{what}: {how_to_install(extra)}.")


def how_to_install(extra: Extra) -> str:
    """Return the command that installs an extra where this program runs."""
    if _origin().get("dir_info", {}).get("editable", False):  # a checkout, whose dependencies the Makefile installs
        return "make fast" if extra == "fast" else "make setup"
    return f"pip install '{requirement(extra)}'"


def requirement(extra: Extra) -> str:
    """Name this very build with an extra, by the file or repository that it was installed from.

    If the file is gone, it is named by its version.
    """
    origin = _origin()
    if "url" not in origin or _is_gone(origin["url"]):
        return f"{DISTRIBUTION}[{extra}]=={__version__}"
    vcs = origin.get("vcs_info", {})
    url = f"{vcs['vcs']}+{origin['url']}@{vcs['commit_id']}" if vcs else origin["url"]
    return f"{DISTRIBUTION}[{extra}] @ {url}"


def _is_gone(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "file" and not Path(url2pathname(parts.path)).exists()


def _origin() -> dict[str, Any]:
    """The file, folder or repository of the installation, as pip recorded it; empty for a package index."""
    recorded: dict[str, Any] = json.loads(distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    return recorded
