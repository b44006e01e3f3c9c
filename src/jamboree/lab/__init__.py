"""Simulations of many games between bots, reports on them, and the ladder of bot levels."""
