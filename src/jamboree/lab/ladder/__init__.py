"""The ladder: how the levels of bots fare against each other, measured."""
