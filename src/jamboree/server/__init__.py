"""Live tables for every game: kept on disk before anybody hears of it, shown to each viewer as far as allowed."""
