"""Attacks on a whole server, with a bystander who only wants to play: `python -m tests.siege [NAME…]`."""
