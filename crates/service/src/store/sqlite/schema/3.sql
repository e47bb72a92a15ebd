-- Rights, expiry and last use of keys; the audit log.

-- 'read', 'decide' or 'admin' (scope.rs). Keys of earlier versions could do everything, and still can.
ALTER TABLE api_keys ADD COLUMN scope TEXT NOT NULL DEFAULT 'admin';
ALTER TABLE api_keys ADD COLUMN expires_at TEXT;
-- Written about once a minute, so it may be that much too early.
ALTER TABLE api_keys ADD COLUMN last_used_at TEXT;

-- Who changed what, in the order of the changes. No index: it is written far more often than read,
-- and read from one end.
CREATE TABLE audit_log (
  id          INTEGER PRIMARY KEY,
  tenant      INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  at          TEXT NOT NULL,
  key_id      TEXT NOT NULL,
  request_id  TEXT NOT NULL,
  -- 'decide', 'delete', 'score_leads' or 'score_accounts'.
  action      TEXT NOT NULL,
  -- The lead outlives its row here: a deleted lead keeps its entries.
  lead_id     TEXT,
  from_status TEXT,
  to_status   TEXT,
  -- The job of a scoring.
  job_id      TEXT
) STRICT;
