-- Version 4: the feed of changes (feed.rs).
CREATE TABLE changes (
  tenant bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  version bigint NOT NULL,
  -- The rows that led to the version.
  touched bytea NOT NULL,
  -- 1: lists may show any lead otherwise since.
  any_lead bigint NOT NULL,
  PRIMARY KEY (tenant, version)
);
