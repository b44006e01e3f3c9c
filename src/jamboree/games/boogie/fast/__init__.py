"""The fast twin of Boogie Beasts: its rules on rows of integers. Where it differs, the reference is right
(docs/fast.md)."""
