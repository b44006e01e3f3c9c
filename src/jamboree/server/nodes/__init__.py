"""Several servers on one database: each table is owned by one, and the others relay requests to it."""
