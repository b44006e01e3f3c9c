"""Mistakes to plant into twins, by game: `MISTAKES` lists a file, what stands there, and what is put in its place.

`MORE`, where a game has it, lists options to play with beside its samples. `look_closer(twin)`, where a game has it,
compares positions that random games do not reach.
"""
