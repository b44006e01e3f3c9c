"""Components and boards as data, with their parsers and checks."""
