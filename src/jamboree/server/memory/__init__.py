"""What a table is: its records, and all that follows from them."""
