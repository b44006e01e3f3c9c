-- A digest of all bodies up to the record digest_seq; NULL if it is not known.
ALTER TABLE tables ADD COLUMN digest BIGINT;
ALTER TABLE tables ADD COLUMN digest_seq BIGINT NOT NULL DEFAULT 0;

-- Every table there ever was, so that one that is missing can be named; 1: the loss of its records was accepted.
CREATE TABLE table_ids (
    table_id TEXT PRIMARY KEY,
    loss_accepted BIGINT NOT NULL DEFAULT 0
);

INSERT INTO table_ids (table_id) SELECT id FROM tables UNION SELECT table_id FROM records;
