"""Faults to plant into twins, by game: `MISTAKES` lists a file, its text, and the replacement.

`MORE`, where a game has it, lists options to play with beside its samples. `look_closer(twin)`, where a game has it,
compares positions that random games do not reach.
"""
