"""Mistakes to plant into twins, by game: `MISTAKES` lists a file, what stands there, and what is put in its place.

`look_closer(twin)`, where a game has one, compares positions that random games do not reach.
"""
