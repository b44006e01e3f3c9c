"""The fast twin of BPMs Per Minute: its rules on rows of integers. Where it differs, the reference is right
(docs/fast.md)."""
