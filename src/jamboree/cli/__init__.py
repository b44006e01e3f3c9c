"""The command line: play, replay and review games, and operate a server."""

from .app import app, main

__all__ = ["app", "main"]
