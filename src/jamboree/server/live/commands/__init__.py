"""Commands that a table carries out."""
