"""Bots of Boogie Beasts."""
