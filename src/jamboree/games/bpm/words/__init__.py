"""Texts, drawn positions and paintings of the game."""
