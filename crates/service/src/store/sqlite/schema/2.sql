-- From version 1 to version 2. fold() and search_terms() are application functions (functions.rs).

-- Counts the changes of a workspace: data read under a version is valid while the version is the
-- same (totals.rs). A workspace without a row has version 0.
CREATE TABLE versions (
  tenant  INTEGER PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
  version INTEGER NOT NULL
) STRICT;

-- Number of times a job was taken since its last finished step. A job with many attempts may be
-- what crashes the process.
ALTER TABLE jobs ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
DROP INDEX IF EXISTS jobs_open;

-- Each term of the search index starts with its workspace, so that a search reads only the entries
-- of its own workspace.
DROP TRIGGER leads_inserted;
DROP TRIGGER leads_deleted;
DROP TRIGGER leads_reworded;
DROP TABLE leads_search;

-- Folding now keeps the marks of scripts in which they are part of the letter. Version 1 dropped
-- them.
UPDATE accounts
SET name_key = fold(name), industry_key = fold(industry), location_key = fold(location)
WHERE name_key IS NOT fold(name) OR industry_key IS NOT fold(industry)
   OR location_key IS NOT fold(location);

UPDATE leads
SET name_key = fold(name), headline_key = fold(headline), title_key = fold(title),
    location_key = fold(location), company_key = fold(company), industry_key = fold(industry),
    company_location_key = fold(company_location), company_tagline_key = fold(company_tagline),
    sender_key = fold(sender),
    search_key = concat_ws(char(10), fold(name), fold(headline), fold(title), fold(company)),
    -- An import matches a lead without profile and e-mail by its name and company.
    identity = iif(identity GLOB 'name:*',
                   'name:' || coalesce(fold(name), '') || char(10) || coalesce(fold(company), ''),
                   identity)
WHERE name_key IS NOT fold(name) OR headline_key IS NOT fold(headline)
   OR title_key IS NOT fold(title) OR location_key IS NOT fold(location)
   OR company_key IS NOT fold(company) OR industry_key IS NOT fold(industry)
   OR company_location_key IS NOT fold(company_location)
   OR company_tagline_key IS NOT fold(company_tagline) OR sender_key IS NOT fold(sender);

CREATE VIRTUAL TABLE leads_search USING fts5(
  terms, content = '', contentless_delete = 1, tokenize = 'ascii'
);
INSERT INTO leads_search (rowid, terms) SELECT id, search_terms(tenant, search_key) FROM leads;

CREATE TRIGGER leads_inserted AFTER INSERT ON leads BEGIN
  INSERT INTO status_counts VALUES (new.tenant, new.approval_status, 1)
    ON CONFLICT DO UPDATE SET leads = leads + 1;
  UPDATE accounts SET lead_count = lead_count + 1 WHERE id = new.account;
  INSERT INTO leads_search (rowid, terms)
    VALUES (new.id, search_terms(new.tenant, new.search_key));
END;

CREATE TRIGGER leads_deleted AFTER DELETE ON leads BEGIN
  UPDATE status_counts SET leads = leads - 1
    WHERE tenant = old.tenant AND approval_status = old.approval_status;
  UPDATE accounts SET lead_count = lead_count - 1 WHERE id = old.account;
  DELETE FROM leads_search WHERE rowid = old.id;
END;

CREATE TRIGGER leads_reworded AFTER UPDATE OF search_key ON leads
WHEN old.search_key IS NOT new.search_key BEGIN
  DELETE FROM leads_search WHERE rowid = old.id;
  INSERT INTO leads_search (rowid, terms)
    VALUES (new.id, search_terms(new.tenant, new.search_key));
END;
