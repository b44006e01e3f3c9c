-- How many commits an SQLite file has, and whether its server closed it. One row; none in PostgreSQL.
CREATE TABLE session (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    database_id TEXT NOT NULL,
    commits BIGINT NOT NULL,
    committed_at BIGINT NOT NULL,
    is_open BIGINT NOT NULL,
    loss TEXT NOT NULL
);
