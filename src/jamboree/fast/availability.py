"""Whether numba can be used, also if it was installed after this process began."""

from importlib import invalidate_caches
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec

PACKAGES = ("llvmlite", "numpy", "numba")
_found = False


def has_numba() -> bool:
    """Return whether numba is installed completely. Once it is, this is not checked again."""
    global _found
    if not _found:
        invalidate_caches()
        _found = all(_is_importable(name) and _is_complete(name) for name in PACKAGES)
    return _found


def _is_importable(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):  # an import hook refuses it, or it was put out of use in sys.modules
        return False


def _is_complete(name: str) -> bool:
    """Return whether an installer has written all files of a package: pip and uv write INSTALLER last."""
    try:
        installed = distribution(name)
    except PackageNotFoundError:  # importable without metadata, so no installer is at work on it
        return True
    return installed.read_text("RECORD") is None or installed.read_text("INSTALLER") is not None
