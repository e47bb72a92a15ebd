-- From version 12 to version 13: fold() makes typographic quotes and dashes those of a keyboard.

UPDATE accounts SET
  name_folded = nullif(fold(name), lower(name)),
  industry_folded = nullif(fold(industry), lower(industry)),
  location_folded = nullif(fold(location), lower(location))
WHERE name_key IS NOT fold(name)
   OR industry_key IS NOT fold(industry)
   OR location_key IS NOT fold(location);

UPDATE leads SET
  name_folded = nullif(fold(name), lower(name)),
  headline_folded = nullif(fold(headline), lower(headline)),
  title_folded = nullif(fold(title), lower(title)),
  location_folded = nullif(fold(location), lower(location)),
  company_folded = nullif(fold(company), lower(company)),
  industry_folded = nullif(fold(industry), lower(industry)),
  company_location_folded = nullif(fold(company_location), lower(company_location)),
  company_tagline_folded = nullif(fold(company_tagline), lower(company_tagline)),
  sender_folded = nullif(fold(sender), lower(sender)),
  -- An import matches a lead without profile and e-mail by its name and company.
  identity = iif(identity GLOB 'name:*',
    'name:' || coalesce(fold(name), '') || char(10) || coalesce(fold(company), ''), identity)
WHERE name_key IS NOT fold(name)
   OR headline_key IS NOT fold(headline)
   OR title_key IS NOT fold(title)
   OR location_key IS NOT fold(location)
   OR company_key IS NOT fold(company)
   OR industry_key IS NOT fold(industry)
   OR company_location_key IS NOT fold(company_location)
   OR company_tagline_key IS NOT fold(company_tagline)
   OR sender_key IS NOT fold(sender);
