"""How the game speaks and draws."""
