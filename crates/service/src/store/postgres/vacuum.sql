-- Version 2: a table is vacuumed after 2 % of its rows have changed instead of 20 %. Pages that were changed since then are
-- read in addition to an index that has all that a statement needs.
ALTER TABLE leads SET (autovacuum_vacuum_scale_factor = 0.02);
