//! The folded texts of rows, and the search in them.

use lead_workspace_api::LeadQuery;
use lead_workspace_index::{CustomKeys, Query};

use super::{LeadRow, NewLead, NewRows, update_lead};
use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::index_host::IndexHost;
use crate::store::tenant::Tenant;
use lead_workspace_logic::fold;

fn lead(name: &str) -> LeadRow {
    LeadRow {
        lead_id: "lead".into(),
        name: Some(name.into()),
        ..LeadRow::default()
    }
}

fn key_and_copy(
    db: Db<'_>,
    tenant: Tenant,
    lead: i64,
) -> Result<(String, Option<String>), StoreError> {
    let sql = "SELECT name_key, name_folded FROM leads WHERE tenant = ?1 AND id = ?2";
    db.one(sql, params![tenant.0, lead], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

fn found(db: Db<'_>, tenant: Tenant, search: &str) -> Result<i64, StoreError> {
    let query = LeadQuery {
        search: Some(search.to_owned()),
        ..LeadQuery::default()
    };
    let query = Query::of_leads(&query, &CustomKeys::default())?;
    let columns = IndexHost::default().read(db, tenant, &query.columns())?;
    Ok(query.rows(&columns)?.len() as i64)
}

#[tokio::test]
async fn a_folded_text_is_stored_only_where_it_is_not_the_lower_case() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let written = store.write(|db| {
        let tenant = Tenant::default_of(db)?;
        let id = 1;
        let mut new = NewRows::new(tenant);
        new.add_lead(id, NewLead::of(lead("")));
        new.write(db)?;
        for (name, is_stored) in [
            ("Anna O'Neil {} 100% \\_~", false),
            ("Anna \0 Berta", true),
            ("東京 ABC", false),
            ("Zoë", true),
            ("ÅSA", true),
            ("Straße", true),
            // The Kelvin sign and the dotted capital I, whose lower case is partly ASCII.
            ("\u{212a}", true),
            ("İ", true),
            ("plain", false),
        ] {
            update_lead(db, tenant, id, (&LeadRow::default(), &lead(name)))?;
            let (key, copy) = key_and_copy(db, tenant, id)?;
            assert_eq!(key, fold(name));
            assert_eq!(copy, is_stored.then_some(key));
            assert_eq!(found(db, tenant, name)?, 1, "{name}");
        }
        for pattern in ["pl%n", "_lain", "\\plain", "x"] {
            assert_eq!(found(db, tenant, pattern)?, 0, "{pattern}");
        }
        Ok(())
    });
    written.await.unwrap();
}
