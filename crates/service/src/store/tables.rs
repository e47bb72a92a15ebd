//! The tables of a data folder and of a PostgreSQL database, which have the same. Each comes after those that its rows
//! refer to.

/// Those whose rows belong to no workspace, or to several.
pub(super) const OF_ALL: [&str; 3] = ["tenants", "api_keys", "key_tenants"];

/// Those whose rows belong to one workspace each.
pub(super) const OF_WORKSPACES: [&str; 23] = [
    "versions",
    "changes",
    "custom_keys",
    "accounts",
    "leads",
    "lists",
    "list_items",
    "lead_scores",
    "account_list_items",
    "account_scores",
    "campaigns",
    "campaign_leads",
    "signals",
    "signal_runs",
    "feed_posts",
    "intents",
    "chats",
    "network_accounts",
    "nurtures",
    "import_jobs",
    "jobs",
    "job_targets",
    "audit_log",
];

/// That of the files that processes save. Its rows are of no use in another database.
#[cfg(test)]
const OF_PROCESSES: &str = "saved_columns";

pub(super) fn all() -> impl Iterator<Item = &'static str> {
    OF_ALL.into_iter().chain(OF_WORKSPACES)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use crate::store::sqlite::{functions, schema};

    fn names(sql: &str) -> Vec<(String, String)> {
        let mut fresh = Connection::open_in_memory().unwrap();
        functions::add(&fresh).unwrap();
        schema::migrate(&mut fresh, "memory".as_ref()).unwrap();
        let mut select = fresh.prepare(sql).unwrap();
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.unwrap().map(Result::unwrap).collect()
    }

    #[test]
    fn all_tables_are_known() {
        let found = names(
            "SELECT t.name, '' || EXISTS
               (SELECT 1 FROM pragma_table_info(t.name) c WHERE c.name = 'tenant')
             FROM sqlite_schema t WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1",
        );
        let mut known: Vec<_> = super::all().chain([super::OF_PROCESSES]).collect();
        known.sort_unstable();
        assert_eq!(
            found.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            known
        );
        for (name, has_tenant) in found {
            let is_known = super::OF_WORKSPACES.contains(&&*name);
            let is_of_one = has_tenant == "1" && !["tenants", "key_tenants"].contains(&&*name);
            assert_eq!(is_known, is_of_one, "{name}");
        }
    }

    #[test]
    fn a_table_comes_after_those_that_it_refers_to() {
        let place = |name: &str| super::all().position(|known| known == name).unwrap();
        let references = names(
            "SELECT t.name, k.\"table\" FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) k
             WHERE t.type = 'table'",
        );
        assert!(references.len() > 20);
        for (table, parent) in references {
            assert!(place(&parent) < place(&table), "{table} refers to {parent}");
        }
    }
}
