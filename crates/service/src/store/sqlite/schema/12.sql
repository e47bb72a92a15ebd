-- From version 11 to version 12: what the stream of changes tells (feed.rs).

-- When the change was made; empty in older entries.
ALTER TABLE changes ADD COLUMN at TEXT NOT NULL DEFAULT '';
-- The leads that were deleted, as JSON: [[row number, "lead_id"], ...]. Empty without any.
ALTER TABLE changes ADD COLUMN deleted TEXT NOT NULL DEFAULT '';
