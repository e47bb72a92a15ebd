-- Indexes that only serve queries. Each is built without stopping writers.
-- There is none for a filter, a sort or a facet: columns in memory answer these (columns.rs).

-- The leads of an account, and how many of them are approved.
CREATE INDEX leads_by_account_status ON leads (tenant, account, approval_status);

-- An import matches leads and accounts by these columns.
CREATE INDEX leads_by_identity ON leads (tenant, identity);
CREATE INDEX leads_by_email ON leads (tenant, email);
CREATE INDEX accounts_by_identity ON accounts (tenant, identity);
CREATE INDEX accounts_by_domain ON accounts (tenant, domain);
CREATE INDEX accounts_by_name ON accounts (tenant, name_key, id);

CREATE INDEX list_items_by_list ON list_items (tenant, list_id);
CREATE INDEX account_list_items_by_list ON account_list_items (tenant, list_id);
CREATE INDEX campaign_leads_by_campaign ON campaign_leads (tenant, campaign_id);
CREATE INDEX intents_by_lead ON intents (tenant, lead, created_at);
CREATE INDEX chats_by_lead ON chats (tenant, lead, last_message_at);
CREATE INDEX key_tenants_by_tenant ON key_tenants (tenant);

-- The queues, and the pages of the audit log.
CREATE INDEX jobs_open ON jobs (id) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_collecting ON jobs (tenant, id) WHERE status = 'collecting';
CREATE INDEX import_jobs_open ON import_jobs (tenant) WHERE finished_at IS NULL;
CREATE INDEX audit_log_by_id ON audit_log (id);
