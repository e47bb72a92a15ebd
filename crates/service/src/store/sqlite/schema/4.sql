-- From version 3 to version 4: the number of a deleted workspace or job is never used again. Otherwise
-- whatever still holds it, such as an import that is running, could write into a new one. Only a new
-- table can have AUTOINCREMENT, so both are replaced.

CREATE TABLE new_tenants (
  tenant     INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id  TEXT NOT NULL UNIQUE,
  name       TEXT NOT NULL,
  -- Rules of the ICP score as JSON; NULL means the defaults.
  scoring    TEXT,
  created_at TEXT NOT NULL,
  -- When its deletion began. From then on, nothing is written to it.
  deleted_at TEXT
) STRICT;
INSERT INTO new_tenants (tenant, tenant_id, name, scoring, created_at)
SELECT tenant, tenant_id, name, scoring, created_at FROM tenants;
DROP TABLE tenants;
ALTER TABLE new_tenants RENAME TO tenants;

CREATE TABLE new_jobs (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant      INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  job_id      TEXT NOT NULL,
  workflow_id TEXT NOT NULL,
  kind        TEXT NOT NULL,
  -- Parameters of the job, as JSON.
  payload     TEXT NOT NULL,
  status      TEXT NOT NULL DEFAULT 'queued',
  -- The last row number that was processed.
  cursor      INTEGER NOT NULL DEFAULT 0,
  done        INTEGER NOT NULL DEFAULT 0,
  total       INTEGER NOT NULL DEFAULT 0,
  fence       INTEGER NOT NULL DEFAULT 0,
  lease_until TEXT,
  result      TEXT,
  error       TEXT,
  created_at  TEXT NOT NULL,
  updated_at  TEXT NOT NULL,
  -- Number of times the job was taken since its last finished step.
  attempts    INTEGER NOT NULL DEFAULT 0,
  UNIQUE (tenant, job_id)
) STRICT;
INSERT INTO new_jobs (id, tenant, job_id, workflow_id, kind, payload, status, cursor, done, total, fence,
  lease_until, result, error, created_at, updated_at, attempts)
SELECT id, tenant, job_id, workflow_id, kind, payload, status, cursor, done, total, fence,
  lease_until, result, error, created_at, updated_at, attempts FROM jobs;
DROP TABLE jobs;
ALTER TABLE new_jobs RENAME TO jobs;
