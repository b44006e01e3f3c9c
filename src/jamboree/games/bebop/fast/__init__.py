"""Bebop once more as plain numbers, for playouts by the million; the reference beside it is the law (docs/fast.md)."""
