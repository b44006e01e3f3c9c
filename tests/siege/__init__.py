"""Attacks on a whole server, and their effect on a bystander: `python -m tests.siege [NAME…]`."""
