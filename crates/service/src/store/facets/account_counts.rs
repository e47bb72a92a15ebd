//! Facets counted within the accounts of a view.
//!
//! spec: not shown; see [`facet_counts`](super::facet_counts). They have few values, which are all counted.

use lead_workspace_api::{
    AccountFacetField, AccountFacetQuery, AccountQuery, ErrorEntry, FacetCounts,
};
use lead_workspace_index::{ColumnId, CountedValues, Filters, Query};
use lead_workspace_logic::facets;

use crate::store::accounts::query_of;
use crate::store::db::Db;
use crate::store::{Store, StoreError, Tenant, sql_query};

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
            let facets = view.into_iter().map(|(field, accounts, filters)| {
                Ok::<_, StoreError>((field, query_of(filters, &accounts)?))
            });
            let facets: Vec<(AccountFacetField, Query)> = facets.collect::<Result<_, _>>()?;
            let ids = facets.iter().flat_map(|(field, query)| {
                let mut ids = query.columns_of_rows();
                ids.push(ColumnId::Account((*field).into()));
                ids
            });
            let columns = columns.read(db, tenant, &ids.collect::<Vec<_>>())?;
            let counted = facets.into_iter().map(|(field, query)| {
                let counts = match &columns {
                    Some(columns) => {
                        let accounts = query.rows(columns);
                        CountedValues::of_accounts(columns, field.into(), &accounts)
                            .texts()
                            .collect()
                    }
                    None => in_sql(db, tenant, field, &query)?,
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

fn in_sql(
    db: Db<'_>,
    tenant: Tenant,
    field: AccountFacetField,
    query: &Query,
) -> Result<Vec<(String, u64)>, StoreError> {
    let conditions = sql_query::conditions(query, tenant);
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
