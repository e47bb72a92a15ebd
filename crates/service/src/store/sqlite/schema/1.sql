-- The tables of a data folder. One file holds every workspace (tenant). Every table with workspace
-- data has a column `tenant`, with which its keys begin since 7.sql, and every statement
-- compares it (db/one_workspace.rs). This is version 1; 2.sql and later files change it.
--
-- Indexes that only serve queries are in indexes.sql: a large import into an empty folder builds
-- them once at the end.
--
-- `*_key` columns hold the folded text (no case, no accents) for sorting and searching. Times are
-- ISO 8601 UTC text with milliseconds, so text order is time order.

CREATE TABLE tenants (
  tenant     INTEGER PRIMARY KEY,
  tenant_id  TEXT NOT NULL UNIQUE,
  name       TEXT NOT NULL,
  -- Rules of the ICP score as JSON; NULL means the defaults.
  scoring    TEXT,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE api_keys (
  key_id      TEXT PRIMARY KEY,
  -- SHA-256 of the secret. The secret itself is shown once and never stored here.
  secret_hash BLOB NOT NULL,
  name        TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  revoked_at  TEXT
) STRICT, WITHOUT ROWID;

-- The workspaces of a key. Without an x-tenant-id header, the first by position is used.
CREATE TABLE key_tenants (
  key_id   TEXT NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  tenant   INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  position INTEGER NOT NULL,
  PRIMARY KEY (key_id, tenant)
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  id                INTEGER PRIMARY KEY,
  tenant            INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  account_id        TEXT NOT NULL,
  network_id        TEXT,
  name              TEXT,
  name_key          TEXT,
  network_username  TEXT,
  network_url       TEXT,
  logo_url          TEXT,
  industry          TEXT,
  industry_key      TEXT,
  staff_count_range TEXT,
  -- The lower bound of the range, so that sizes sort by size.
  staff_rank        INTEGER,
  location          TEXT,
  location_key      TEXT,
  tagline           TEXT,
  description       TEXT,
  founded_year      INTEGER,
  -- An import matches accounts by the normalised network_url (identity), then by the domain of the
  -- website, then by name_key.
  identity          TEXT,
  domain            TEXT,
  lead_count        INTEGER NOT NULL DEFAULT 0,
  icp_tier          TEXT,
  icp_score         REAL,
  icp_reasoning     TEXT,
  -- Whether the team took the account up, e.g. by an import of its own; discovery alone does not
  -- promote.
  is_promoted       INTEGER NOT NULL DEFAULT 1,
  created_at        TEXT NOT NULL,
  UNIQUE (tenant, account_id)
) STRICT;

CREATE TABLE leads (
  id                     INTEGER PRIMARY KEY,
  tenant                 INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  lead_id                TEXT NOT NULL,
  provider_id            TEXT,
  name                   TEXT,
  name_key               TEXT,
  headline               TEXT,
  headline_key           TEXT,
  profile_url            TEXT,
  profile_picture_url    TEXT,
  background_image_url   TEXT,
  is_premium             INTEGER,
  title                  TEXT,
  title_key              TEXT,
  location               TEXT,
  location_key           TEXT,
  connections_count      INTEGER,
  follower_count         INTEGER,
  -- JSON objects, in the form in which they are returned.
  profile_data           TEXT,
  custom_data            TEXT,
  resolved_timezone      TEXT,
  timezone_label         TEXT,
  approval_status        TEXT NOT NULL DEFAULT 'pending_approval',
  import_job_id          TEXT,
  chat_id                TEXT,
  created_at             TEXT NOT NULL,
  -- An import matches leads by the normalised profile URL (identity) and the lower-case e-mail
  -- address.
  identity               TEXT,
  email                  TEXT,
  account                INTEGER REFERENCES accounts,
  -- Copies of the account columns that leads are sorted and filtered by.
  company                TEXT,
  company_key            TEXT,
  industry               TEXT,
  industry_key           TEXT,
  company_size           TEXT,
  company_size_rank      INTEGER,
  company_location       TEXT,
  company_location_key   TEXT,
  company_tagline        TEXT,
  company_tagline_key    TEXT,
  company_founded_year   INTEGER,
  -- The best of the lead's scores.
  icp_score              REAL,
  icp_tier               TEXT,
  -- Copies from the lead's latest campaign membership and from its conversation.
  campaign_lead_status   TEXT,
  connection             TEXT,
  reply                  TEXT,
  sender                 TEXT,
  sender_key             TEXT,
  current_node           TEXT,
  rate_limited_by        TEXT,
  has_pending_approval   INTEGER,
  intent_type            TEXT,
  chat_label             TEXT,
  reply_classification   TEXT,
  network_account        TEXT,
  -- Folded name, headline, title and company, one per line.
  search_key             TEXT NOT NULL DEFAULT '',
  UNIQUE (tenant, lead_id)
) STRICT;

CREATE VIRTUAL TABLE leads_search USING fts5(
  search_key, content = '', contentless_delete = 1, tokenize = 'trigram'
);

-- Leads per status and workspace, maintained by the triggers below. Tabs and unfiltered totals read
-- it.
CREATE TABLE status_counts (
  tenant          INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  approval_status TEXT NOT NULL,
  leads           INTEGER NOT NULL,
  PRIMARY KEY (tenant, approval_status)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER leads_inserted AFTER INSERT ON leads BEGIN
  INSERT INTO status_counts VALUES (new.tenant, new.approval_status, 1)
    ON CONFLICT DO UPDATE SET leads = leads + 1;
  UPDATE accounts SET lead_count = lead_count + 1 WHERE id = new.account;
  INSERT INTO leads_search (rowid, search_key) VALUES (new.id, new.search_key);
END;

CREATE TRIGGER leads_deleted AFTER DELETE ON leads BEGIN
  UPDATE status_counts SET leads = leads - 1
    WHERE tenant = old.tenant AND approval_status = old.approval_status;
  UPDATE accounts SET lead_count = lead_count - 1 WHERE id = old.account;
  DELETE FROM leads_search WHERE rowid = old.id;
END;

CREATE TRIGGER leads_decided AFTER UPDATE OF approval_status ON leads
WHEN old.approval_status IS NOT new.approval_status BEGIN
  UPDATE status_counts SET leads = leads - 1
    WHERE tenant = old.tenant AND approval_status = old.approval_status;
  INSERT INTO status_counts VALUES (new.tenant, new.approval_status, 1)
    ON CONFLICT DO UPDATE SET leads = leads + 1;
END;

CREATE TRIGGER leads_moved AFTER UPDATE OF account ON leads
WHEN old.account IS NOT new.account BEGIN
  UPDATE accounts SET lead_count = lead_count - 1 WHERE id = old.account;
  UPDATE accounts SET lead_count = lead_count + 1 WHERE id = new.account;
END;

CREATE TRIGGER leads_reworded AFTER UPDATE OF search_key ON leads
WHEN old.search_key IS NOT new.search_key BEGIN
  DELETE FROM leads_search WHERE rowid = old.id;
  INSERT INTO leads_search (rowid, search_key) VALUES (new.id, new.search_key);
END;

CREATE TABLE lists (
  tenant       INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  list_id      TEXT NOT NULL,
  name         TEXT NOT NULL,
  -- Filled by discovery, not by a user or an import.
  is_discovery INTEGER NOT NULL DEFAULT 0,
  created_at   TEXT NOT NULL,
  PRIMARY KEY (tenant, list_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE list_items (
  lead     INTEGER NOT NULL REFERENCES leads ON DELETE CASCADE,
  tenant   INTEGER NOT NULL,
  list_id  TEXT NOT NULL,
  item_id  TEXT NOT NULL,
  added_at TEXT NOT NULL,
  PRIMARY KEY (lead, list_id),
  FOREIGN KEY (tenant, list_id) REFERENCES lists ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- One score per lead and list; the empty list_id is a score outside any list.
CREATE TABLE lead_scores (
  lead          INTEGER NOT NULL REFERENCES leads ON DELETE CASCADE,
  tenant        INTEGER NOT NULL,
  list_id       TEXT NOT NULL DEFAULT '',
  icp_score     REAL NOT NULL,
  icp_tier      TEXT NOT NULL,
  icp_reasoning TEXT NOT NULL,
  scored_at     TEXT NOT NULL,
  -- The job that wrote the score, so that a job scores each lead only once.
  job_id        TEXT,
  PRIMARY KEY (lead, list_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE account_list_items (
  account  INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
  tenant   INTEGER NOT NULL,
  list_id  TEXT NOT NULL,
  item_id  TEXT NOT NULL,
  added_at TEXT NOT NULL,
  PRIMARY KEY (account, list_id),
  FOREIGN KEY (tenant, list_id) REFERENCES lists ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE account_scores (
  account       INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
  tenant        INTEGER NOT NULL,
  list_id       TEXT NOT NULL DEFAULT '',
  icp_score     REAL NOT NULL,
  icp_tier      TEXT NOT NULL,
  icp_reasoning TEXT NOT NULL,
  scored_at     TEXT NOT NULL,
  job_id        TEXT,
  PRIMARY KEY (account, list_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE campaigns (
  tenant      INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  campaign_id TEXT NOT NULL,
  name        TEXT NOT NULL,
  status      TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  PRIMARY KEY (tenant, campaign_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE campaign_leads (
  lead                 INTEGER NOT NULL REFERENCES leads ON DELETE CASCADE,
  tenant               INTEGER NOT NULL,
  campaign_id          TEXT NOT NULL,
  campaign_lead_id     TEXT NOT NULL,
  lead_status          TEXT NOT NULL,
  connection_accepted  INTEGER NOT NULL DEFAULT 0,
  message_replied      INTEGER NOT NULL DEFAULT 0,
  assigned_sender_name TEXT,
  created_at           TEXT NOT NULL,
  PRIMARY KEY (lead, campaign_id),
  FOREIGN KEY (tenant, campaign_id) REFERENCES campaigns ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE signals (
  tenant    INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  signal_id TEXT NOT NULL,
  name      TEXT NOT NULL,
  PRIMARY KEY (tenant, signal_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE signal_runs (
  tenant        INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  signal_run_id TEXT NOT NULL,
  signal_id     TEXT NOT NULL,
  name          TEXT NOT NULL,
  created_at    TEXT NOT NULL,
  PRIMARY KEY (tenant, signal_run_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE feed_posts (
  tenant       INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  feed_post_id TEXT NOT NULL,
  label        TEXT NOT NULL,
  PRIMARY KEY (tenant, feed_post_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE intents (
  id            INTEGER PRIMARY KEY,
  lead          INTEGER NOT NULL REFERENCES leads ON DELETE CASCADE,
  tenant        INTEGER NOT NULL,
  intent_id     TEXT NOT NULL,
  event_type    TEXT NOT NULL,
  event_data    TEXT,
  signal_run_id TEXT,
  lead_list_id  TEXT,
  signal_id     TEXT,
  feed_post_id  TEXT,
  created_at    TEXT NOT NULL
) STRICT;

CREATE TABLE chats (
  id              INTEGER PRIMARY KEY,
  lead            INTEGER NOT NULL REFERENCES leads ON DELETE CASCADE,
  tenant          INTEGER NOT NULL,
  chat_id         TEXT NOT NULL,
  classification  TEXT,
  label           TEXT,
  campaign_id     TEXT,
  network_account TEXT,
  replied         INTEGER NOT NULL DEFAULT 0,
  last_message_at TEXT NOT NULL,
  UNIQUE (tenant, chat_id)
) STRICT;

CREATE TABLE network_accounts (
  tenant          INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  network_account TEXT NOT NULL,
  name            TEXT NOT NULL,
  PRIMARY KEY (tenant, network_account)
) STRICT, WITHOUT ROWID;

CREATE TABLE nurtures (
  lead               INTEGER PRIMARY KEY REFERENCES leads ON DELETE CASCADE,
  tenant             INTEGER NOT NULL,
  tracker_profile_id TEXT NOT NULL,
  like_mode          TEXT NOT NULL,
  is_active          INTEGER NOT NULL,
  created_at         TEXT NOT NULL
) STRICT;

CREATE TABLE import_jobs (
  tenant        INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  import_job_id TEXT NOT NULL,
  file_name     TEXT NOT NULL,
  created_at    TEXT NOT NULL,
  finished_at   TEXT,
  -- Numbers of lines that created a lead, changed one, changed nothing, or were unusable.
  inserted      INTEGER NOT NULL DEFAULT 0,
  updated       INTEGER NOT NULL DEFAULT 0,
  unchanged     INTEGER NOT NULL DEFAULT 0,
  failed        INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, import_job_id)
) STRICT, WITHOUT ROWID;

-- Durable jobs. A worker holds a job by its lease and writes only while its fence matches the
-- job's. Effects, cursor and progress commit together, so each lead is scored once even if the
-- process is killed.
CREATE TABLE jobs (
  id          INTEGER PRIMARY KEY,
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
  UNIQUE (tenant, job_id)
) STRICT;

-- The targets of a job with explicit ids, so that a job of 100,000 ids has a cursor too.
CREATE TABLE job_targets (
  job    INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
  target INTEGER NOT NULL,
  PRIMARY KEY (job, target)
) STRICT, WITHOUT ROWID;
