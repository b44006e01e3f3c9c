"""What viewers of a table are sent."""
