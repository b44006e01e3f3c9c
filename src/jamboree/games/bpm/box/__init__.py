"""Components, cards and song crates as data, with their parsers, and the floor plan."""
