"""Games that are over: shown, written down, taken up again."""
