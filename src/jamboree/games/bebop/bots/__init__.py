"""Bots of Bebop."""
