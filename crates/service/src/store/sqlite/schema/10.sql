-- From version 9 to version 10: the feed of changes (feed.rs).

CREATE TABLE changes (
  tenant   INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  version  INTEGER NOT NULL,
  -- The rows that led to the version.
  touched  BLOB NOT NULL,
  -- 1: lists may show any lead otherwise since.
  any_lead INTEGER NOT NULL,
  PRIMARY KEY (tenant, version)
) STRICT, WITHOUT ROWID;

-- Columns in memory answer the default list, too.
DROP INDEX IF EXISTS leads_by_icp_score;

-- The index counts: leads by status and by account.
DROP TABLE status_counts;
ALTER TABLE accounts DROP COLUMN lead_count;

-- The tokens of the files with columns that were saved last (index_host/saved.rs).
CREATE TABLE saved_columns (
  number INTEGER PRIMARY KEY,
  token  INTEGER NOT NULL
) STRICT;
