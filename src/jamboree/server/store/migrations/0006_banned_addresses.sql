CREATE TABLE banned_addresses (
    network TEXT PRIMARY KEY,
    until BIGINT NOT NULL,
    why TEXT NOT NULL
);
