ALTER TABLE tables ADD COLUMN listed BIGINT NOT NULL DEFAULT 0;

UPDATE tables SET listed = 1 WHERE card LIKE '%"listed":true%';

CREATE INDEX tables_listed ON tables (status, listed, touched);
