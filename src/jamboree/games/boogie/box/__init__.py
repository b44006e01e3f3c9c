"""Components and cards as data, the jumps of a table, and the odds of rolls."""
