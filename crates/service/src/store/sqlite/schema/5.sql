-- A smaller file: columns in memory answer filters, sorts, searches and facets (columns.rs), so their
-- indexes, the search index and its text go. A search reads the folded columns that the text was made of.

DROP TRIGGER leads_inserted;
DROP TRIGGER leads_deleted;
DROP TRIGGER leads_reworded;
DROP TABLE leads_search;

DROP INDEX IF EXISTS leads_by_name;
DROP INDEX IF EXISTS leads_by_headline;
DROP INDEX IF EXISTS leads_by_approval_status;
DROP INDEX IF EXISTS leads_by_location;
DROP INDEX IF EXISTS leads_by_connections_count;
DROP INDEX IF EXISTS leads_by_follower_count;
DROP INDEX IF EXISTS leads_by_is_premium;
DROP INDEX IF EXISTS leads_by_title;
DROP INDEX IF EXISTS leads_by_company;
DROP INDEX IF EXISTS leads_by_industry;
DROP INDEX IF EXISTS leads_by_company_size_rank;
DROP INDEX IF EXISTS leads_by_company_location;
DROP INDEX IF EXISTS leads_by_company_tagline;
DROP INDEX IF EXISTS leads_by_company_founded_year;
DROP INDEX IF EXISTS leads_by_created_at;
DROP INDEX IF EXISTS leads_by_icp_tier;
DROP INDEX IF EXISTS leads_by_campaign_lead_status;
DROP INDEX IF EXISTS leads_by_connection;
DROP INDEX IF EXISTS leads_by_reply;
DROP INDEX IF EXISTS leads_by_sender;
DROP INDEX IF EXISTS leads_by_current_node;
DROP INDEX IF EXISTS leads_by_rate_limited_by;
DROP INDEX IF EXISTS leads_by_has_pending_approval;
DROP INDEX IF EXISTS leads_by_status_score;
DROP INDEX IF EXISTS leads_by_status_created;
DROP INDEX IF EXISTS leads_by_status_name;
DROP INDEX IF EXISTS leads_by_search;
DROP INDEX IF EXISTS leads_by_company_size;
DROP INDEX IF EXISTS leads_by_intent_type;
DROP INDEX IF EXISTS leads_by_import_job_id;
DROP INDEX IF EXISTS leads_by_chat_label;
DROP INDEX IF EXISTS leads_by_reply_classification;
DROP INDEX IF EXISTS leads_by_network_account;
DROP INDEX IF EXISTS intents_by_signal;
DROP INDEX IF EXISTS intents_by_signal_run;
DROP INDEX IF EXISTS intents_by_feed_post;
DROP INDEX IF EXISTS accounts_by_industry;
DROP INDEX IF EXISTS accounts_by_staff_rank;
DROP INDEX IF EXISTS accounts_by_location;
DROP INDEX IF EXISTS accounts_by_lead_count;
DROP INDEX IF EXISTS accounts_by_icp_score;
DROP INDEX IF EXISTS accounts_by_created_at;
-- These were dropped by each start of version 3.
DROP INDEX IF EXISTS leads_by_account;
DROP INDEX IF EXISTS lead_scores_by_list;

ALTER TABLE leads DROP COLUMN search_key;

CREATE TRIGGER leads_inserted AFTER INSERT ON leads BEGIN
  INSERT INTO status_counts VALUES (new.tenant, new.approval_status, 1)
    ON CONFLICT DO UPDATE SET leads = leads + 1;
  UPDATE accounts SET lead_count = lead_count + 1 WHERE id = new.account;
END;

CREATE TRIGGER leads_deleted AFTER DELETE ON leads BEGIN
  UPDATE status_counts SET leads = leads - 1
    WHERE tenant = old.tenant AND approval_status = old.approval_status;
  UPDATE accounts SET lead_count = lead_count - 1 WHERE id = old.account;
END;

-- The reasoning of an account's score is in account_scores.
ALTER TABLE accounts DROP COLUMN icp_reasoning;
