-- Version 7: fold() makes typographic quotes and dashes those of a keyboard.
CREATE OR REPLACE FUNCTION fold(folded text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  regexp_replace(regexp_replace(replace(replace(replace(replace(
    translate(lower(regexp_replace(normalize(folded, NFKD),
      '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]',
      '', 'g') COLLATE "default"), 'øłđðħıŧŋς‘’‚‛ʻʼ“”„‟‐‑‒–—―−', 'olddhitnσ''''''''''''""""-------'),
    'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th'), '\u0307', '', 'g'),
    '[\u0009-\u000d \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g') COLLATE "C";

-- Without concat_ws(), which Citus accepts in no UPDATE, because it is not immutable.
UPDATE accounts SET
  name_folded = nullif(fold(name), lower(name COLLATE "C")),
  industry_folded = nullif(fold(industry), lower(industry COLLATE "C")),
  location_folded = nullif(fold(location), lower(location COLLATE "C"))
WHERE normalize(coalesce(name, '') || '|' || coalesce(industry, '') || '|' || coalesce(location, ''), NFKD) ~ '[‘’‚‛ʻʼ“”„‟‐‒–—―−]';

UPDATE leads SET
  name_folded = nullif(fold(name), lower(name COLLATE "C")),
  headline_folded = nullif(fold(headline), lower(headline COLLATE "C")),
  title_folded = nullif(fold(title), lower(title COLLATE "C")),
  location_folded = nullif(fold(location), lower(location COLLATE "C")),
  company_folded = nullif(fold(company), lower(company COLLATE "C")),
  industry_folded = nullif(fold(industry), lower(industry COLLATE "C")),
  company_location_folded = nullif(fold(company_location), lower(company_location COLLATE "C")),
  company_tagline_folded = nullif(fold(company_tagline), lower(company_tagline COLLATE "C")),
  sender_folded = nullif(fold(sender), lower(sender COLLATE "C")),
  -- An import matches a lead without profile and e-mail by its name and company.
  identity = CASE WHEN starts_with(identity, 'name:')
    THEN 'name:' || coalesce(fold(name), '') || chr(10) || coalesce(fold(company), '') ELSE identity END
WHERE normalize(coalesce(name, '') || '|' || coalesce(headline, '') || '|' || coalesce(title, '') || '|' || coalesce(location, '') || '|' || coalesce(company, '') || '|' || coalesce(industry, '') || '|' || coalesce(company_location, '') || '|' || coalesce(company_tagline, '') || '|' || coalesce(sender, ''), NFKD) ~ '[‘’‚‛ʻʼ“”„‟‐‒–—―−]';
