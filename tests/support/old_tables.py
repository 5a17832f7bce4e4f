"""A database of the program's first version that contains one table with players."""

OLD_TABLES = """
CREATE TABLE meta (key VARCHAR(20) NOT NULL, value VARCHAR(100) NOT NULL, PRIMARY KEY (key));
CREATE TABLE variants (digest VARCHAR(64) NOT NULL, content TEXT NOT NULL, PRIMARY KEY (digest));
CREATE TABLE tables (code VARCHAR(6) NOT NULL, variant VARCHAR(64) NOT NULL,
    created BIGINT NOT NULL, PRIMARY KEY (code));
CREATE TABLE events (code VARCHAR(6) NOT NULL, version BIGINT NOT NULL, at BIGINT NOT NULL,
    body TEXT NOT NULL, PRIMARY KEY (code, version)) WITHOUT ROWID;
CREATE TABLE answers (code VARCHAR(6) NOT NULL, id VARCHAR(36) NOT NULL,
    fingerprint VARCHAR(32) NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (code, id)) WITHOUT ROWID;
CREATE TABLE tokens (hash VARCHAR(64) NOT NULL, code VARCHAR(6) NOT NULL, seat VARCHAR(40) NOT NULL,
    PRIMARY KEY (hash));
CREATE INDEX tokens_of_seat ON tokens (code, seat);
CREATE TABLE claims (hash VARCHAR(64) NOT NULL, code VARCHAR(6) NOT NULL, seat VARCHAR(40) NOT NULL,
    expires BIGINT NOT NULL, PRIMARY KEY (hash));
INSERT INTO meta VALUES ('epoch', 'an-old-epoch');
INSERT INTO variants VALUES ('digest', '{"id": "one"}');
INSERT INTO tables VALUES ('KXQF7H', 'digest', 1);
INSERT INTO events VALUES ('KXQF7H', 1, 1, 'one'), ('KXQF7H', 2, 1, 'two');
INSERT INTO tokens VALUES ('hash', 'KXQF7H', 's1');
"""


def list_statements(dialect: str) -> list[str]:
    """Return the SQL statements that create the database, in order."""
    text = OLD_TABLES if dialect == "sqlite" else OLD_TABLES.replace(" WITHOUT ROWID", "")
    return [statement for statement in text.split(";") if statement.strip()]
