"""What happens at a table without a command: the clock, absence, and bots."""
