-- Version 6: what the stream of changes tells (feed.rs).

-- When the change was made; empty in older entries.
ALTER TABLE changes ADD COLUMN at text NOT NULL DEFAULT '';
-- The leads that were deleted, as JSON: [[row number, "lead_id"], ...]. Empty without any.
ALTER TABLE changes ADD COLUMN deleted text NOT NULL DEFAULT '';
