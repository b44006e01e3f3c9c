"""Several servers on one database: each table belongs to one of them, and the others lead there."""
