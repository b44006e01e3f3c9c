"""Bots at live tables."""
