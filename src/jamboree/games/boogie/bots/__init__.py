"""This game's own players."""
