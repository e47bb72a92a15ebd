-- For searches, where the database has the extension pg_trgm. Without it they read all leads of the workspace.
CREATE INDEX leads_by_search ON leads USING gin (name_key gin_trgm_ops, headline_key gin_trgm_ops, title_key gin_trgm_ops, company_key gin_trgm_ops);
CREATE INDEX accounts_by_search ON accounts USING gin (name_key gin_trgm_ops, industry_key gin_trgm_ops, location_key gin_trgm_ops);
