-- For searches, where the database has the extension pg_trgm. Without it they read all leads of the workspace.
CREATE INDEX leads_by_search ON leads USING gin (name gin_trgm_ops, name_folded gin_trgm_ops, headline gin_trgm_ops, headline_folded gin_trgm_ops, title gin_trgm_ops, title_folded gin_trgm_ops, company gin_trgm_ops, company_folded gin_trgm_ops);
CREATE INDEX accounts_by_search ON accounts USING gin (name gin_trgm_ops, name_folded gin_trgm_ops, industry gin_trgm_ops, industry_folded gin_trgm_ops, location gin_trgm_ops, location_folded gin_trgm_ops);
