-- A data folder as version 12 of the schema was written, with rows in every table.
-- Never change it: tests open it with the newest version.
PRAGMA journal_mode = WAL;
CREATE TABLE "tenants" (
  tenant     INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id  TEXT NOT NULL UNIQUE,
  name       TEXT NOT NULL,
  scoring    TEXT,
  created_at TEXT NOT NULL,
  deleted_at TEXT
) STRICT;
CREATE TABLE api_keys (
  key_id      TEXT PRIMARY KEY,
  secret_hash BLOB NOT NULL,
  name        TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  revoked_at  TEXT
, scope TEXT NOT NULL DEFAULT 'admin', expires_at TEXT, last_used_at TEXT) STRICT, WITHOUT ROWID;
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
  name_folded          TEXT,
  network_username  TEXT,
  network_url       TEXT,
  logo_url          TEXT,
  industry          TEXT,
  industry_folded      TEXT,
  staff_count_range TEXT,
  staff_rank        INTEGER,
  location          TEXT,
  location_folded      TEXT,
  tagline           TEXT,
  description       TEXT,
  founded_year      INTEGER,
  identity          TEXT,
  domain            TEXT,
  icp_tier          TEXT,
  icp_score         REAL,
  is_promoted       INTEGER NOT NULL DEFAULT 1,
  created_at        TEXT NOT NULL, name_key TEXT
  GENERATED ALWAYS AS (coalesce(name_folded, lower(name))) VIRTUAL, industry_key TEXT
  GENERATED ALWAYS AS (coalesce(industry_folded, lower(industry))) VIRTUAL, location_key TEXT
  GENERATED ALWAYS AS (coalesce(location_folded, lower(location))) VIRTUAL,
  UNIQUE (tenant, account_id)
) STRICT;
CREATE TABLE leads (
  id                     INTEGER PRIMARY KEY,
  tenant                 INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  lead_id                TEXT NOT NULL,
  provider_id            TEXT,
  name                   TEXT,
  name_folded               TEXT,
  headline               TEXT,
  headline_folded           TEXT,
  profile_url            TEXT,
  profile_picture_url    TEXT,
  background_image_url   TEXT,
  is_premium             INTEGER,
  title                  TEXT,
  title_folded              TEXT,
  location               TEXT,
  location_folded           TEXT,
  connections_count      INTEGER,
  follower_count         INTEGER,
  profile_data           TEXT,
  custom_data            TEXT,
  resolved_timezone      TEXT,
  timezone_label         TEXT,
  approval_status        TEXT NOT NULL DEFAULT 'pending_approval',
  import_job_id          TEXT,
  chat_id                TEXT,
  created_at             TEXT NOT NULL,
  identity               TEXT,
  email                  TEXT,
  account                INTEGER REFERENCES accounts,
  company                TEXT,
  company_folded            TEXT,
  industry               TEXT,
  industry_folded           TEXT,
  company_size           TEXT,
  company_size_rank      INTEGER,
  company_location       TEXT,
  company_location_folded   TEXT,
  company_tagline        TEXT,
  company_tagline_folded    TEXT,
  company_founded_year   INTEGER,
  icp_score              REAL,
  icp_tier               TEXT,
  campaign_lead_status   TEXT,
  connection             TEXT,
  reply                  TEXT,
  sender                 TEXT,
  sender_folded             TEXT,
  current_node           TEXT,
  rate_limited_by        TEXT,
  has_pending_approval   INTEGER,
  intent_type            TEXT,
  chat_label             TEXT,
  reply_classification   TEXT,
  network_account        TEXT, name_key TEXT
  GENERATED ALWAYS AS (coalesce(name_folded, lower(name))) VIRTUAL, headline_key TEXT
  GENERATED ALWAYS AS (coalesce(headline_folded, lower(headline))) VIRTUAL, title_key TEXT
  GENERATED ALWAYS AS (coalesce(title_folded, lower(title))) VIRTUAL, location_key TEXT
  GENERATED ALWAYS AS (coalesce(location_folded, lower(location))) VIRTUAL, company_key TEXT
  GENERATED ALWAYS AS (coalesce(company_folded, lower(company))) VIRTUAL, industry_key TEXT
  GENERATED ALWAYS AS (coalesce(industry_folded, lower(industry))) VIRTUAL, company_location_key TEXT
  GENERATED ALWAYS AS (coalesce(company_location_folded, lower(company_location))) VIRTUAL, company_tagline_key TEXT
  GENERATED ALWAYS AS (coalesce(company_tagline_folded, lower(company_tagline))) VIRTUAL, sender_key TEXT
  GENERATED ALWAYS AS (coalesce(sender_folded, lower(sender))) VIRTUAL,
  UNIQUE (tenant, lead_id)
) STRICT;
CREATE TABLE lists (
  tenant       INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  list_id      TEXT NOT NULL,
  name         TEXT NOT NULL,
  is_discovery INTEGER NOT NULL DEFAULT 0,
  created_at   TEXT NOT NULL,
  PRIMARY KEY (tenant, list_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE campaigns (
  tenant      INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  campaign_id TEXT NOT NULL,
  name        TEXT NOT NULL,
  status      TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  PRIMARY KEY (tenant, campaign_id)
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
CREATE TABLE network_accounts (
  tenant          INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  network_account TEXT NOT NULL,
  name            TEXT NOT NULL,
  PRIMARY KEY (tenant, network_account)
) STRICT, WITHOUT ROWID;
CREATE TABLE import_jobs (
  tenant        INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  import_job_id TEXT NOT NULL,
  file_name     TEXT NOT NULL,
  created_at    TEXT NOT NULL,
  finished_at   TEXT,
  inserted      INTEGER NOT NULL DEFAULT 0,
  updated       INTEGER NOT NULL DEFAULT 0,
  unchanged     INTEGER NOT NULL DEFAULT 0,
  failed        INTEGER NOT NULL DEFAULT 0, lease_until TEXT,
  PRIMARY KEY (tenant, import_job_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE "jobs" (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant      INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  job_id      TEXT NOT NULL,
  workflow_id TEXT NOT NULL,
  kind        TEXT NOT NULL,
  payload     TEXT NOT NULL,
  status      TEXT NOT NULL DEFAULT 'queued',
  cursor      INTEGER NOT NULL DEFAULT 0,
  done        INTEGER NOT NULL DEFAULT 0,
  total       INTEGER NOT NULL DEFAULT 0,
  fence       INTEGER NOT NULL DEFAULT 0,
  lease_until TEXT,
  result      TEXT,
  error       TEXT,
  created_at  TEXT NOT NULL,
  updated_at  TEXT NOT NULL,
  attempts    INTEGER NOT NULL DEFAULT 0,
  UNIQUE (tenant, job_id)
) STRICT;
CREATE TABLE versions (
  tenant  INTEGER PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
  version INTEGER NOT NULL
) STRICT;
CREATE TABLE changes (
  tenant   INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  version  INTEGER NOT NULL,
  touched  BLOB NOT NULL,
  any_lead INTEGER NOT NULL, at TEXT NOT NULL DEFAULT '', deleted TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (tenant, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE custom_keys (
  tenant INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  number INTEGER NOT NULL,
  key    TEXT NOT NULL,
  PRIMARY KEY (tenant, number),
  UNIQUE (tenant, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE saved_columns (
  number INTEGER PRIMARY KEY,
  token  INTEGER NOT NULL
) STRICT;
CREATE TABLE audit_log (
  id          INTEGER PRIMARY KEY,
  tenant      INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  at          TEXT NOT NULL,
  key_id      TEXT NOT NULL,
  request_id  TEXT NOT NULL,
  action      TEXT NOT NULL,
  lead_id     TEXT,
  from_status TEXT,
  to_status   TEXT,
  job_id      TEXT
) STRICT;
CREATE TABLE "list_items" (
  lead     INTEGER NOT NULL,
  tenant   INTEGER NOT NULL,
  list_id  TEXT NOT NULL,
  item_id  TEXT NOT NULL,
  added_at TEXT NOT NULL,
  PRIMARY KEY (tenant, lead, list_id),
  FOREIGN KEY (tenant, lead) REFERENCES leads (tenant, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant, list_id) REFERENCES lists ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE "lead_scores" (
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
CREATE TABLE "account_list_items" (
  account  INTEGER NOT NULL,
  tenant   INTEGER NOT NULL,
  list_id  TEXT NOT NULL,
  item_id  TEXT NOT NULL,
  added_at TEXT NOT NULL,
  PRIMARY KEY (tenant, account, list_id),
  FOREIGN KEY (tenant, account) REFERENCES accounts (tenant, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant, list_id) REFERENCES lists ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE "account_scores" (
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
CREATE TABLE "campaign_leads" (
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
CREATE TABLE "intents" (
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
CREATE TABLE "chats" (
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
CREATE TABLE "nurtures" (
  lead               INTEGER NOT NULL,
  tenant             INTEGER NOT NULL,
  tracker_profile_id TEXT NOT NULL,
  like_mode          TEXT NOT NULL,
  is_active          INTEGER NOT NULL,
  created_at         TEXT NOT NULL,
  PRIMARY KEY (tenant, lead),
  FOREIGN KEY (tenant, lead) REFERENCES leads (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE "job_targets" (
  tenant INTEGER NOT NULL,
  job    INTEGER NOT NULL,
  target INTEGER NOT NULL,
  PRIMARY KEY (tenant, job, target),
  FOREIGN KEY (tenant, job) REFERENCES jobs (tenant, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX leads_key ON leads (id, tenant);
CREATE UNIQUE INDEX accounts_key ON accounts (id, tenant);
CREATE UNIQUE INDEX jobs_key ON jobs (id, tenant);
INSERT INTO tenants VALUES
  (1, 'default', 'default', NULL, '2026-01-01T00:00:00.000Z', NULL),
  (2, 'other', 'other', '{"tiers":{"a":90}}', '2026-01-01T00:00:00.000Z', NULL);
INSERT INTO api_keys VALUES
  ('0123456789ab', X'00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff', 'laptop', '2026-01-01T00:00:00.000Z', NULL, 'decide', '2099-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z'),
  ('ba9876543210', X'ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100', 'start', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', 'admin', NULL, NULL);
INSERT INTO key_tenants VALUES
  ('0123456789ab', 1, 0),
  ('0123456789ab', 2, 1),
  ('ba9876543210', 1, 0);
INSERT INTO accounts (id, tenant, account_id, name, name_folded, industry, domain, is_promoted, created_at) VALUES
  (1, 1, 'acme', 'ガラス', 'ガラス', 'Software', 'acme.example', 1, '2026-01-01T00:00:00.000Z');
INSERT INTO leads (id, tenant, lead_id, name, name_folded, custom_data, approval_status, import_job_id, created_at, identity, account, company, company_folded, icp_score, icp_tier) VALUES
  (1, 1, 'anna', 'Anna Müller', 'anna muller', '{"a":[1,2],"Deal size":50000}', 'pending_approval', NULL, '2026-01-01T00:00:00.000Z', 'in/anna', NULL, NULL, NULL, 81.5, 'B'),
  (2, 1, 'kiran', 'किरण', NULL, NULL, 'pending_approval', 'import', '2026-01-01T00:00:00.000Z', replace('name:किरण\nガラス', '\n', char(10)), 1, 'ガラス', 'ガラス', NULL, NULL),
  (3, 2, 'anna', 'Anna Other', NULL, NULL, 'pending_approval', NULL, '2026-01-01T00:00:00.000Z', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO lists VALUES (1, 'list', 'List', 0, '2026-01-01T00:00:00.000Z');
INSERT INTO campaigns VALUES (1, 'campaign', 'Campaign', 'active', '2026-01-01T00:00:00.000Z');
INSERT INTO signals VALUES (1, 'signal', 'Signal');
INSERT INTO signal_runs VALUES (1, 'run', 'signal', 'Run', '2026-01-01T00:00:00.000Z');
INSERT INTO feed_posts VALUES (1, 'post', 'Post');
INSERT INTO network_accounts VALUES (1, 'network', 'Network');
INSERT INTO import_jobs VALUES (1, 'import', 'leads.csv', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z', 1, 0, 0, 0, NULL);
INSERT INTO jobs (id, tenant, job_id, workflow_id, kind, payload, status, cursor, done, total, fence, created_at, updated_at, attempts) VALUES
  (1, 1, 'job', 'workflow', 'score_leads', '{"last":2,"not_found":[]}', 'queued', 0, 0, 2, 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 0),
  (2, 1, 'named', 'workflow', 'score_leads', '{"not_found":[]}', 'queued', 0, 0, 1, 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 0);
INSERT INTO versions VALUES (1, 12);
INSERT INTO changes VALUES (1, 12, X'020101', 0, '2026-01-01T00:00:00.000Z', '[[9, "gone"]]');
INSERT INTO custom_keys VALUES (1, 1, 'Deal size'), (1, 2, 'a');
INSERT INTO saved_columns VALUES (1, 42);
INSERT INTO audit_log VALUES
  (1, 1, '2026-01-01T00:00:00.000Z', '0123456789ab', 'request', 'decide', 'anna', 'approved', 'pending_approval', NULL),
  (2, 1, '2026-01-01T00:00:00.000Z', '0123456789ab', 'request', 'score_leads', NULL, NULL, NULL, 'job');
INSERT INTO list_items VALUES (1, 1, 'list', 'item', '2026-01-01T00:00:00.000Z');
INSERT INTO lead_scores VALUES (1, 1, 'list', 81.5, 'B', 'reasons', '2026-01-01T00:00:00.000Z', NULL);
INSERT INTO account_list_items VALUES (1, 1, 'list', 'item', '2026-01-01T00:00:00.000Z');
INSERT INTO account_scores VALUES (1, 1, '', 60.0, 'C', 'reasons', '2026-01-01T00:00:00.000Z', 'job');
INSERT INTO campaign_leads VALUES (1, 1, 'campaign', 'membership', 'active', 1, 0, 'Ada', '2026-01-01T00:00:00.000Z');
INSERT INTO intents VALUES (1, 1, 1, 'intent', 'liked', '{"x":1}', 'run', 'list', 'signal', 'post', '2026-01-01T00:00:00.000Z');
INSERT INTO chats VALUES (1, 1, 1, 'chat', 'positive', 'label', 'campaign', 'network', 1, '2026-01-01T00:00:00.000Z');
INSERT INTO nurtures VALUES (1, 1, 'tracker', 'all', 1, '2026-01-01T00:00:00.000Z');
INSERT INTO job_targets VALUES (1, 2, 1);
CREATE INDEX leads_by_account_status ON leads (tenant, account, approval_status);
CREATE INDEX leads_by_tenant ON leads (tenant);
CREATE INDEX accounts_by_tenant ON accounts (tenant);
CREATE INDEX leads_by_identity ON leads (tenant, identity);
CREATE INDEX leads_by_email ON leads (tenant, email);
CREATE INDEX accounts_by_identity ON accounts (tenant, identity);
CREATE INDEX accounts_by_domain ON accounts (tenant, domain);
CREATE INDEX jobs_open ON jobs (id) WHERE status IN ('queued', 'running');
CREATE INDEX accounts_by_name ON accounts (tenant, name_key);
CREATE INDEX intents_by_tenant ON intents (tenant);
CREATE INDEX list_items_by_list ON list_items (tenant, list_id);
CREATE INDEX campaign_leads_by_campaign ON campaign_leads (tenant, campaign_id);
CREATE INDEX intents_by_lead ON intents (tenant, lead, created_at);
CREATE INDEX chats_by_lead ON chats (tenant, lead, last_message_at);
CREATE INDEX account_list_items_by_list ON account_list_items (tenant, list_id);
CREATE INDEX jobs_collecting ON jobs (tenant) WHERE status = 'collecting';
PRAGMA application_id = 1281644403;
PRAGMA user_version = 12;
