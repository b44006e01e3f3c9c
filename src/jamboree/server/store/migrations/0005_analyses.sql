CREATE TABLE analyses (
    table_id TEXT PRIMARY KEY REFERENCES tables (id),
    body BLOB NOT NULL
);
