-- From version 7 to version 8.

-- Until when an import that is not finished belongs to the process that runs it.
ALTER TABLE import_jobs ADD COLUMN lease_until TEXT;

-- Now with the running jobs (indexes.sql).
DROP INDEX IF EXISTS jobs_queued;
