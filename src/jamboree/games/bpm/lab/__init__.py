"""Statistics of simulated games, and the report made of them."""
