"""What can be asked of a table, and what each command turns into: records, or a refusal."""
