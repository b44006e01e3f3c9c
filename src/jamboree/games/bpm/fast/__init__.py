"""BPMs Per Minute once more, on rows of whole numbers: for playouts by the million (docs/fast.md)."""
