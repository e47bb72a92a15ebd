-- From version 10 to version 11: the custom fields of leads that can be queried. The keys that leads have already are added
-- by custom_keys.rs.

CREATE TABLE custom_keys (
  tenant INTEGER NOT NULL REFERENCES tenants ON DELETE CASCADE,
  -- From 1, in the order in which the keys were added.
  number INTEGER NOT NULL,
  key    TEXT NOT NULL,
  PRIMARY KEY (tenant, number),
  UNIQUE (tenant, key)
) STRICT, WITHOUT ROWID;
