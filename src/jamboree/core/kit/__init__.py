"""What games have in common, said once: a game declares its rules, views and words, and the kit does the rest."""
