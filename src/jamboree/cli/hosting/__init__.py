"""Commands for operators of a server, and its settings from flags, variables and a file."""
