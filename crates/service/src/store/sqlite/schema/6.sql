-- A smaller file: the folded copy of a text is stored only where it is not the text in lower case, which it
-- nearly always is. `*_folded` columns have these copies, or NULL; the `*_key` columns that statements read
-- are computed from them. lower() changes ASCII letters only, as fold() does to a text of only ASCII.
-- Texts with a NUL keep their copies, because the LIKE of a search reads only up to it.

DROP INDEX IF EXISTS accounts_by_name;

ALTER TABLE accounts RENAME COLUMN name_key TO name_folded;
ALTER TABLE accounts RENAME COLUMN industry_key TO industry_folded;
ALTER TABLE accounts RENAME COLUMN location_key TO location_folded;

UPDATE accounts SET
  name_folded = nullif(name_folded, lower(name)),
  industry_folded = nullif(industry_folded, lower(industry)),
  location_folded = nullif(location_folded, lower(location))
WHERE instr(concat_ws('', name, industry, location), char(0)) = 0;

ALTER TABLE accounts ADD COLUMN name_key TEXT
  GENERATED ALWAYS AS (coalesce(name_folded, lower(name))) VIRTUAL;
ALTER TABLE accounts ADD COLUMN industry_key TEXT
  GENERATED ALWAYS AS (coalesce(industry_folded, lower(industry))) VIRTUAL;
ALTER TABLE accounts ADD COLUMN location_key TEXT
  GENERATED ALWAYS AS (coalesce(location_folded, lower(location))) VIRTUAL;

ALTER TABLE leads RENAME COLUMN name_key TO name_folded;
ALTER TABLE leads RENAME COLUMN headline_key TO headline_folded;
ALTER TABLE leads RENAME COLUMN title_key TO title_folded;
ALTER TABLE leads RENAME COLUMN location_key TO location_folded;
ALTER TABLE leads RENAME COLUMN company_key TO company_folded;
ALTER TABLE leads RENAME COLUMN industry_key TO industry_folded;
ALTER TABLE leads RENAME COLUMN company_location_key TO company_location_folded;
ALTER TABLE leads RENAME COLUMN company_tagline_key TO company_tagline_folded;
ALTER TABLE leads RENAME COLUMN sender_key TO sender_folded;

UPDATE leads SET
  name_folded = nullif(name_folded, lower(name)),
  headline_folded = nullif(headline_folded, lower(headline)),
  title_folded = nullif(title_folded, lower(title)),
  location_folded = nullif(location_folded, lower(location)),
  company_folded = nullif(company_folded, lower(company)),
  industry_folded = nullif(industry_folded, lower(industry)),
  company_location_folded = nullif(company_location_folded, lower(company_location)),
  company_tagline_folded = nullif(company_tagline_folded, lower(company_tagline)),
  sender_folded = nullif(sender_folded, lower(sender))
WHERE instr(concat_ws('', name, headline, title, company), char(0)) = 0;

ALTER TABLE leads ADD COLUMN name_key TEXT
  GENERATED ALWAYS AS (coalesce(name_folded, lower(name))) VIRTUAL;
ALTER TABLE leads ADD COLUMN headline_key TEXT
  GENERATED ALWAYS AS (coalesce(headline_folded, lower(headline))) VIRTUAL;
ALTER TABLE leads ADD COLUMN title_key TEXT
  GENERATED ALWAYS AS (coalesce(title_folded, lower(title))) VIRTUAL;
ALTER TABLE leads ADD COLUMN location_key TEXT
  GENERATED ALWAYS AS (coalesce(location_folded, lower(location))) VIRTUAL;
ALTER TABLE leads ADD COLUMN company_key TEXT
  GENERATED ALWAYS AS (coalesce(company_folded, lower(company))) VIRTUAL;
ALTER TABLE leads ADD COLUMN industry_key TEXT
  GENERATED ALWAYS AS (coalesce(industry_folded, lower(industry))) VIRTUAL;
ALTER TABLE leads ADD COLUMN company_location_key TEXT
  GENERATED ALWAYS AS (coalesce(company_location_folded, lower(company_location))) VIRTUAL;
ALTER TABLE leads ADD COLUMN company_tagline_key TEXT
  GENERATED ALWAYS AS (coalesce(company_tagline_folded, lower(company_tagline))) VIRTUAL;
ALTER TABLE leads ADD COLUMN sender_key TEXT
  GENERATED ALWAYS AS (coalesce(sender_folded, lower(sender))) VIRTUAL;
