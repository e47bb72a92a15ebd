-- From version 6 to version 7: the program keeps the counts (counts.rs), once for each change.

DROP TRIGGER leads_inserted;
DROP TRIGGER leads_deleted;
DROP TRIGGER leads_decided;
DROP TRIGGER leads_moved;
