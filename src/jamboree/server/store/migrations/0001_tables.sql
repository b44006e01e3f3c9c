CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    epoch BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    game TEXT NOT NULL,
    status TEXT NOT NULL,
    touched BIGINT NOT NULL,
    card TEXT NOT NULL
);

CREATE INDEX tables_by_status ON tables (status, touched);

CREATE TABLE records (
    table_id TEXT NOT NULL REFERENCES tables (id),
    seq BIGINT NOT NULL,
    body TEXT NOT NULL,
    personal TEXT,
    PRIMARY KEY (table_id, seq)
);

CREATE TABLE snapshots (
    table_id TEXT PRIMARY KEY REFERENCES tables (id),
    seq BIGINT NOT NULL,
    body TEXT NOT NULL
);

CREATE TABLE films (
    table_id TEXT PRIMARY KEY REFERENCES tables (id),
    body BLOB NOT NULL
);
