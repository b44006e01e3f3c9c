"""What whoever runs a server needs: its settings from flags, variables and a file, and commands that look after it."""
