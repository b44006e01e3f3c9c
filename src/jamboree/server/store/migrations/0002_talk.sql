CREATE TABLE talk (
    table_id TEXT NOT NULL REFERENCES tables (id),
    number BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
);

ALTER TABLE tables ADD COLUMN erased BIGINT NOT NULL DEFAULT 0;
