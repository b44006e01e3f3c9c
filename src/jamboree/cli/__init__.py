"""The command line: play, look back, read the rules, check boards, measure."""

from .app import app, main

__all__ = ["app", "main"]
