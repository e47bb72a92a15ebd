-- Version 4: the feed of changes (feed.rs). The index answers queries and counts.
CREATE TABLE changes (
  tenant bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  version bigint NOT NULL,
  -- The rows that led to the version.
  touched bytea NOT NULL,
  -- 1: lists may show any lead otherwise since.
  any_lead bigint NOT NULL,
  PRIMARY KEY (tenant, version)
);

DROP TABLE status_counts;
ALTER TABLE accounts DROP COLUMN lead_count;
DROP INDEX IF EXISTS leads_by_created_at, leads_by_name, leads_by_icp_score,
  leads_by_status_score, leads_by_created_at_with_status, leads_by_name_with_status,
  leads_by_name_desc, leads_by_company, accounts_by_icp_score,
  accounts_by_lead_count, leads_facets, intents_by_signal,
  leads_by_search, accounts_by_search;
DROP FUNCTION IF EXISTS fold(text), holding(text), decimal_of(bigint), decimal_of(double precision), has_bit(bytea, bigint);
