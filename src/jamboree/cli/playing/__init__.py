"""A person at a terminal: at a game in this program, or at a live table elsewhere."""
