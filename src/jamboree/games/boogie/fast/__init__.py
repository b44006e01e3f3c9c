"""Boogie Beasts once more as plain numbers, for playouts by the million; the reference is the law (docs/fast.md)."""
