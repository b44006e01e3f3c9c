"""Board games as pure rules, to play, to simulate and to learn from."""

from importlib.metadata import version

__version__ = version("jamboree")
