"""Bots of BPMs Per Minute."""
