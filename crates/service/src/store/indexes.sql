-- Indexes that only serve queries; schema.rs drops and recreates them around a bulk load.
--
-- Every index ends with the row number implicitly, which breaks ties when sorting. Rows without a
-- value are listed last in both directions, by a second scan of the same index, so no sort of leads
-- has to collect and sort its rows.

CREATE INDEX IF NOT EXISTS leads_by_name ON leads (tenant, name_key);
CREATE INDEX IF NOT EXISTS leads_by_headline ON leads (tenant, headline_key);
CREATE INDEX IF NOT EXISTS leads_by_approval_status ON leads (tenant, approval_status);
CREATE INDEX IF NOT EXISTS leads_by_created_at ON leads (tenant, created_at);
CREATE INDEX IF NOT EXISTS leads_by_location ON leads (tenant, location_key);
CREATE INDEX IF NOT EXISTS leads_by_connections_count ON leads (tenant, connections_count);
CREATE INDEX IF NOT EXISTS leads_by_follower_count ON leads (tenant, follower_count);
CREATE INDEX IF NOT EXISTS leads_by_is_premium ON leads (tenant, is_premium);
CREATE INDEX IF NOT EXISTS leads_by_title ON leads (tenant, title_key);
CREATE INDEX IF NOT EXISTS leads_by_company ON leads (tenant, company_key);
CREATE INDEX IF NOT EXISTS leads_by_industry ON leads (tenant, industry_key);
CREATE INDEX IF NOT EXISTS leads_by_company_size_rank ON leads (tenant, company_size_rank);
CREATE INDEX IF NOT EXISTS leads_by_company_location ON leads (tenant, company_location_key);
CREATE INDEX IF NOT EXISTS leads_by_company_tagline ON leads (tenant, company_tagline_key);
CREATE INDEX IF NOT EXISTS leads_by_company_founded_year ON leads (tenant, company_founded_year);
CREATE INDEX IF NOT EXISTS leads_by_icp_score ON leads (tenant, icp_score);
CREATE INDEX IF NOT EXISTS leads_by_icp_tier ON leads (tenant, icp_tier);
CREATE INDEX IF NOT EXISTS leads_by_campaign_lead_status ON leads (tenant, campaign_lead_status);
CREATE INDEX IF NOT EXISTS leads_by_connection ON leads (tenant, connection);
CREATE INDEX IF NOT EXISTS leads_by_reply ON leads (tenant, reply);
CREATE INDEX IF NOT EXISTS leads_by_sender ON leads (tenant, sender_key);
CREATE INDEX IF NOT EXISTS leads_by_current_node ON leads (tenant, current_node);
CREATE INDEX IF NOT EXISTS leads_by_rate_limited_by ON leads (tenant, rate_limited_by);
CREATE INDEX IF NOT EXISTS leads_by_has_pending_approval ON leads (tenant, has_pending_approval);

-- The tabs of the review UI (one status each) in their most common sort orders.
CREATE INDEX IF NOT EXISTS leads_by_status_score ON leads (tenant, approval_status, icp_score);
CREATE INDEX IF NOT EXISTS leads_by_status_created ON leads (tenant, approval_status, created_at);
CREATE INDEX IF NOT EXISTS leads_by_status_name ON leads (tenant, approval_status, name_key);

-- Search for words of one or two letters, which the trigram index does not contain.
CREATE INDEX IF NOT EXISTS leads_by_search ON leads (tenant, search_key);

-- Facets and filters.
CREATE INDEX IF NOT EXISTS leads_by_company_size ON leads (tenant, company_size);
CREATE INDEX IF NOT EXISTS leads_by_intent_type ON leads (tenant, intent_type);
CREATE INDEX IF NOT EXISTS leads_by_import_job_id ON leads (tenant, import_job_id);
CREATE INDEX IF NOT EXISTS leads_by_chat_label ON leads (tenant, chat_label);
CREATE INDEX IF NOT EXISTS leads_by_reply_classification ON leads (tenant, reply_classification);
CREATE INDEX IF NOT EXISTS leads_by_network_account ON leads (tenant, network_account);

-- The leads of an account, and how many of them are approved, without reading them.
CREATE INDEX IF NOT EXISTS leads_by_account_status ON leads (tenant, account, approval_status);

-- A job over a whole workspace scans its rows by row number.
CREATE INDEX IF NOT EXISTS leads_by_tenant ON leads (tenant);
CREATE INDEX IF NOT EXISTS accounts_by_tenant ON accounts (tenant);

-- An import matches leads and accounts by these columns.
CREATE INDEX IF NOT EXISTS leads_by_identity ON leads (tenant, identity);
CREATE INDEX IF NOT EXISTS leads_by_email ON leads (tenant, email);
CREATE INDEX IF NOT EXISTS accounts_by_identity ON accounts (tenant, identity);
CREATE INDEX IF NOT EXISTS accounts_by_domain ON accounts (tenant, domain);

CREATE INDEX IF NOT EXISTS list_items_by_list ON list_items (tenant, list_id);
CREATE INDEX IF NOT EXISTS campaign_leads_by_campaign ON campaign_leads (tenant, campaign_id);
CREATE INDEX IF NOT EXISTS intents_by_lead ON intents (lead, created_at);
CREATE INDEX IF NOT EXISTS intents_by_signal ON intents (tenant, signal_id, lead);
CREATE INDEX IF NOT EXISTS intents_by_signal_run ON intents (tenant, signal_run_id, lead);
CREATE INDEX IF NOT EXISTS intents_by_feed_post ON intents (tenant, feed_post_id, lead);
CREATE INDEX IF NOT EXISTS chats_by_lead ON chats (lead, last_message_at);
CREATE INDEX IF NOT EXISTS account_list_items_by_list ON account_list_items (tenant, list_id);
CREATE INDEX IF NOT EXISTS jobs_queued ON jobs (id) WHERE status = 'queued';
CREATE INDEX IF NOT EXISTS jobs_collecting ON jobs (id) WHERE status = 'collecting';

CREATE INDEX IF NOT EXISTS accounts_by_name ON accounts (tenant, name_key);
CREATE INDEX IF NOT EXISTS accounts_by_industry ON accounts (tenant, industry_key);
CREATE INDEX IF NOT EXISTS accounts_by_staff_rank ON accounts (tenant, staff_rank);
CREATE INDEX IF NOT EXISTS accounts_by_location ON accounts (tenant, location_key);
CREATE INDEX IF NOT EXISTS accounts_by_lead_count ON accounts (tenant, lead_count);
CREATE INDEX IF NOT EXISTS accounts_by_icp_score ON accounts (tenant, icp_score);
CREATE INDEX IF NOT EXISTS accounts_by_created_at ON accounts (tenant, created_at);
