-- Indexes that only serve queries; schema.rs drops and recreates them around a bulk load.
--
-- There is none for a filter, a sort or a facet: columns in memory answer these (columns.rs).

-- The leads of an account, and how many of them are approved, without reading them.
CREATE INDEX IF NOT EXISTS leads_by_account_status ON leads (tenant, account, approval_status);

-- The rows of one workspace, in the order of their numbers. After leads_by_account_status: of indexes that SQLite
-- takes for equally good, it uses the newest.
CREATE INDEX IF NOT EXISTS leads_by_tenant ON leads (tenant);
CREATE INDEX IF NOT EXISTS accounts_by_tenant ON accounts (tenant);
CREATE INDEX IF NOT EXISTS intents_by_tenant ON intents (tenant);

-- An import matches leads and accounts by these columns.
CREATE INDEX IF NOT EXISTS leads_by_identity ON leads (tenant, identity);
CREATE INDEX IF NOT EXISTS leads_by_email ON leads (tenant, email);
CREATE INDEX IF NOT EXISTS accounts_by_identity ON accounts (tenant, identity);
CREATE INDEX IF NOT EXISTS accounts_by_domain ON accounts (tenant, domain);
CREATE INDEX IF NOT EXISTS accounts_by_name ON accounts (tenant, name_key);

CREATE INDEX IF NOT EXISTS list_items_by_list ON list_items (tenant, list_id);
CREATE INDEX IF NOT EXISTS campaign_leads_by_campaign ON campaign_leads (tenant, campaign_id);
CREATE INDEX IF NOT EXISTS intents_by_lead ON intents (tenant, lead, created_at);
CREATE INDEX IF NOT EXISTS chats_by_lead ON chats (tenant, lead, last_message_at);
CREATE INDEX IF NOT EXISTS account_list_items_by_list ON account_list_items (tenant, list_id);
CREATE INDEX IF NOT EXISTS jobs_open ON jobs (id) WHERE status IN ('queued', 'running');
CREATE INDEX IF NOT EXISTS jobs_collecting ON jobs (tenant) WHERE status = 'collecting';
