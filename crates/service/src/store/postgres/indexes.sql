-- Indexes that only serve queries. Each is built without stopping writers.
--
-- There are no columns in memory here, so the most frequent orders and searches have an index.

-- The default list, whole and by status, and the orders that people choose most. Those with the status are enough for the
-- pages of a tab: other rows are not read where the table is vacuumed.
CREATE INDEX leads_by_icp_score ON leads (tenant, icp_score DESC NULLS LAST, id DESC);
CREATE INDEX leads_by_status_score ON leads (tenant, approval_status, icp_score DESC NULLS LAST, id DESC);
CREATE INDEX leads_by_created_at_with_status ON leads (tenant, created_at DESC NULLS LAST, id DESC) INCLUDE (approval_status);
CREATE INDEX leads_by_name_with_status ON leads (tenant, name_key, id) INCLUDE (approval_status);
CREATE INDEX leads_by_name_desc ON leads (tenant, name_key DESC NULLS LAST, id DESC) INCLUDE (approval_status);
CREATE INDEX leads_by_company ON leads (tenant, company_key, id);
CREATE INDEX accounts_by_icp_score ON accounts (tenant, icp_score DESC NULLS LAST, id DESC);
CREATE INDEX accounts_by_lead_count ON accounts (tenant, lead_count DESC NULLS LAST, id DESC);

-- Facets: a tenth of the size of the table, which would be read otherwise.
CREATE INDEX leads_facets ON leads (tenant) INCLUDE (approval_status, icp_tier, company_size, intent_type, campaign_lead_status, connection, reply, current_node, rate_limited_by, reply_classification, chat_label, network_account, import_job_id);

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
CREATE INDEX intents_by_signal ON intents (tenant, signal_id);
CREATE INDEX chats_by_lead ON chats (tenant, lead, last_message_at);
CREATE INDEX key_tenants_by_tenant ON key_tenants (tenant);

-- The queues, and the pages of the audit log.
CREATE INDEX jobs_open ON jobs (id) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_collecting ON jobs (tenant, id) WHERE status = 'collecting';
CREATE INDEX import_jobs_open ON import_jobs (tenant) WHERE finished_at IS NULL;
CREATE INDEX audit_log_by_id ON audit_log (id);
