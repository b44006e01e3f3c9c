"""Live tables: each a task with an inbox, and the registry that opens them."""
