"""Board games as pure rules, to play, to simulate and to learn from."""

from importlib.metadata import version

DISTRIBUTION = "jamboree-games"  # `jamboree` on the package index is another program
__version__ = version(DISTRIBUTION)
