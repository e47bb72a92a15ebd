//! Facets counted within the accounts of a view.
//!
//! spec: not shown; see [`facet_counts`](super::facet_counts). They have few values, which are all counted.

use lead_workspace_api::{
    AccountFacetField, AccountFacetQuery, AccountQuery, ErrorEntry, FacetCounts,
};
use lead_workspace_logic::facets;
use lead_workspace_logic::filter::Value;

use crate::store::accounts::rows_of;
use crate::store::columns::{ColumnId, Snapshot};
use crate::store::db::Db;
use crate::store::sorted_page::Query;
use crate::store::{Filters, Store, StoreError, Tenant};

/// A validated query: each facet with what selects its accounts.
#[derive(Clone, Debug)]
pub struct FacetsOfAccounts(Vec<(AccountFacetField, AccountQuery, Filters)>);

impl FacetsOfAccounts {
    /// Validates a query.
    ///
    /// # Errors
    /// Every invalid filter, with its location.
    pub fn of(query: &AccountFacetQuery) -> Result<Self, Vec<ErrorEntry>> {
        // Also if no facet is counted.
        Filters::of_accounts(&query.filters)?;
        let facets = query.facets.iter().enumerate().map(|(index, facet)| {
            let accounts = facets::counted_accounts(query, index);
            let filters = Filters::of_accounts(&accounts.filters)?;
            Ok((facet.field, accounts, filters))
        });
        Ok(Self(facets.collect::<Result<_, Vec<ErrorEntry>>>()?))
    }
}

impl Store {
    pub async fn query_account_facets(
        &self,
        tenant: Tenant,
        FacetsOfAccounts(view): FacetsOfAccounts,
    ) -> Result<FacetCounts, StoreError> {
        let columns = self.columns();
        self.read_in(tenant, move |db| {
            let snapshot = columns.snapshot(db, tenant)?;
            let counted = view.into_iter().map(|(field, accounts, filters)| {
                let rows = rows_of(filters, &accounts)?;
                let in_memory = snapshot
                    .as_ref()
                    .map(|snapshot| by_column(snapshot, field, &rows));
                let counts = match in_memory.transpose()?.flatten() {
                    Some(counts) => counts,
                    None => in_sql(db, tenant, field, &rows)?,
                };
                Ok(facets::account_values(field, counts))
            });
            Ok(FacetCounts {
                facets: Some(counted.collect::<Result<_, StoreError>>()?),
            })
        })
        .await
    }
}

/// Counts by the columns in memory; `None` if one of them is not there.
fn by_column(
    snapshot: &Snapshot<'_>,
    field: AccountFacetField,
    rows: &Query,
) -> Result<Option<Vec<(String, u64)>>, StoreError> {
    let id = ColumnId::find("accounts", field.as_str());
    let column = id.map(|id| snapshot.column(id)).transpose()?.flatten();
    let accounts = snapshot.matching(rows.table, &rows.filters, &rows.search)?;
    let (Some(column), Some(accounts)) = (column, accounts) else {
        return Ok(None);
    };
    let counts = column.counts(Some(&accounts)).into_iter().enumerate();
    let counts = counts.filter(|(_, count)| *count > 0);
    let counts = counts.filter_map(|(at, count)| match column.dictionary.value(at) {
        Value::Text(text) => Some((text, u64::from(count))),
        _ => None,
    });
    Ok(Some(counts.collect()))
}

fn in_sql(
    db: Db<'_>,
    tenant: Tenant,
    field: AccountFacetField,
    rows: &Query,
) -> Result<Vec<(String, u64)>, StoreError> {
    let conditions = rows.conditions(tenant);
    let sql = format!(
        "SELECT a.{field}, count(*) FROM accounts a WHERE {} AND a.{field} IS NOT NULL
         GROUP BY a.{field}",
        conditions.text()
    );
    db.rows(&sql, &conditions.values(), |row| {
        let count: i64 = row.get(1)?;
        Ok((row.get(0)?, count.unsigned_abs()))
    })
}
