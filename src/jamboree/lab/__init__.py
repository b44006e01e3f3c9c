"""Experiments: many games between bots, and reports on what came out."""
