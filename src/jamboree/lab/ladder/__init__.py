"""The ladder: ratings of bot levels from games against each other."""
