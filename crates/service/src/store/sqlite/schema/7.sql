-- From version 6 to version 7.
--
-- The workspace (tenant) is in every key and reference, so that a reference cannot lead into another workspace,
-- and it is first in the keys of related rows. Only the row numbers of leads, accounts, jobs, intents and chats
-- are those of all workspaces, as SQLite gives them.

-- What the tables below refer to. The row number comes first, because SQLite would otherwise read all rows of a
-- workspace by other indexes than now, in the order of their scores or names.
CREATE UNIQUE INDEX leads_key ON leads (id, tenant);
CREATE UNIQUE INDEX accounts_key ON accounts (id, tenant);
CREATE UNIQUE INDEX jobs_key ON jobs (id, tenant);

-- Now by workspace (indexes.sql).
DROP INDEX IF EXISTS jobs_collecting;

CREATE TABLE new_list_items (
  lead     INTEGER NOT NULL,
  tenant   INTEGER NOT NULL,
  list_id  TEXT NOT NULL,
  item_id  TEXT NOT NULL,
  added_at TEXT NOT NULL,
  PRIMARY KEY (tenant, lead, list_id),
  FOREIGN KEY (tenant, lead) REFERENCES leads (tenant, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant, list_id) REFERENCES lists ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO new_list_items SELECT * FROM list_items;
DROP TABLE list_items;
ALTER TABLE new_list_items RENAME TO list_items;

-- One score per lead and list; the empty list_id is a score outside any list.
CREATE TABLE new_lead_scores (
  lead          INTEGER NOT NULL,
  tenant        INTEGER NOT NULL,
  list_id       TEXT NOT NULL DEFAULT '',
  icp_score     REAL NOT NULL,
  icp_tier      TEXT NOT NULL,
  icp_reasoning TEXT NOT NULL,
  scored_at     TEXT NOT NULL,
  -- The job that wrote the score, so that a job scores each lead only once.
  job_id        TEXT,
  PRIMARY KEY (tenant, lead, list_id),
  FOREIGN KEY (tenant, lead) REFERENCES leads (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO new_lead_scores SELECT * FROM lead_scores;
DROP TABLE lead_scores;
ALTER TABLE new_lead_scores RENAME TO lead_scores;

CREATE TABLE new_account_list_items (
  account  INTEGER NOT NULL,
  tenant   INTEGER NOT NULL,
  list_id  TEXT NOT NULL,
  item_id  TEXT NOT NULL,
  added_at TEXT NOT NULL,
  PRIMARY KEY (tenant, account, list_id),
  FOREIGN KEY (tenant, account) REFERENCES accounts (tenant, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant, list_id) REFERENCES lists ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO new_account_list_items SELECT * FROM account_list_items;
DROP TABLE account_list_items;
ALTER TABLE new_account_list_items RENAME TO account_list_items;

CREATE TABLE new_account_scores (
  account       INTEGER NOT NULL,
  tenant        INTEGER NOT NULL,
  list_id       TEXT NOT NULL DEFAULT '',
  icp_score     REAL NOT NULL,
  icp_tier      TEXT NOT NULL,
  icp_reasoning TEXT NOT NULL,
  scored_at     TEXT NOT NULL,
  job_id        TEXT,
  PRIMARY KEY (tenant, account, list_id),
  FOREIGN KEY (tenant, account) REFERENCES accounts (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO new_account_scores SELECT * FROM account_scores;
DROP TABLE account_scores;
ALTER TABLE new_account_scores RENAME TO account_scores;

CREATE TABLE new_campaign_leads (
  lead                 INTEGER NOT NULL,
  tenant               INTEGER NOT NULL,
  campaign_id          TEXT NOT NULL,
  campaign_lead_id     TEXT NOT NULL,
  lead_status          TEXT NOT NULL,
  connection_accepted  INTEGER NOT NULL DEFAULT 0,
  message_replied      INTEGER NOT NULL DEFAULT 0,
  assigned_sender_name TEXT,
  created_at           TEXT NOT NULL,
  PRIMARY KEY (tenant, lead, campaign_id),
  FOREIGN KEY (tenant, lead) REFERENCES leads (tenant, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant, campaign_id) REFERENCES campaigns ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO new_campaign_leads SELECT * FROM campaign_leads;
DROP TABLE campaign_leads;
ALTER TABLE new_campaign_leads RENAME TO campaign_leads;

CREATE TABLE new_intents (
  id            INTEGER PRIMARY KEY,
  lead          INTEGER NOT NULL,
  tenant        INTEGER NOT NULL,
  intent_id     TEXT NOT NULL,
  event_type    TEXT NOT NULL,
  event_data    TEXT,
  signal_run_id TEXT,
  lead_list_id  TEXT,
  signal_id     TEXT,
  feed_post_id  TEXT,
  created_at    TEXT NOT NULL,
  FOREIGN KEY (tenant, lead) REFERENCES leads (tenant, id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_intents SELECT * FROM intents;
DROP TABLE intents;
ALTER TABLE new_intents RENAME TO intents;

CREATE TABLE new_chats (
  id              INTEGER PRIMARY KEY,
  lead            INTEGER NOT NULL,
  tenant          INTEGER NOT NULL,
  chat_id         TEXT NOT NULL,
  classification  TEXT,
  label           TEXT,
  campaign_id     TEXT,
  network_account TEXT,
  replied         INTEGER NOT NULL DEFAULT 0,
  last_message_at TEXT NOT NULL,
  UNIQUE (tenant, chat_id),
  FOREIGN KEY (tenant, lead) REFERENCES leads (tenant, id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_chats SELECT * FROM chats;
DROP TABLE chats;
ALTER TABLE new_chats RENAME TO chats;

CREATE TABLE new_nurtures (
  lead               INTEGER NOT NULL,
  tenant             INTEGER NOT NULL,
  tracker_profile_id TEXT NOT NULL,
  like_mode          TEXT NOT NULL,
  is_active          INTEGER NOT NULL,
  created_at         TEXT NOT NULL,
  PRIMARY KEY (tenant, lead),
  FOREIGN KEY (tenant, lead) REFERENCES leads (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO new_nurtures SELECT * FROM nurtures;
DROP TABLE nurtures;
ALTER TABLE new_nurtures RENAME TO nurtures;

-- The targets of a job with explicit ids, so that a job of 100,000 ids has a cursor too.
CREATE TABLE new_job_targets (
  tenant INTEGER NOT NULL,
  job    INTEGER NOT NULL,
  target INTEGER NOT NULL,
  PRIMARY KEY (tenant, job, target),
  FOREIGN KEY (tenant, job) REFERENCES jobs (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO new_job_targets SELECT tenant, job, target FROM job_targets JOIN jobs ON jobs.id = job;
DROP TABLE job_targets;
ALTER TABLE new_job_targets RENAME TO job_targets;

-- The program keeps the counts, each once for a change (counts.rs).
DROP TRIGGER leads_inserted;
DROP TRIGGER leads_deleted;
DROP TRIGGER leads_decided;
DROP TRIGGER leads_moved;
