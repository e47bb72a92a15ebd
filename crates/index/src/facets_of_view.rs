//! Facets counted within the leads or the accounts of a view.
//!
//! spec: not shown; each facet counts the rows that match the filters, the search and the selected values of all other
//! facets. So the counts of a facet say what each of its values would add.

use lead_workspace_api::{
    AccountFacetField, AccountFacetQuery, AccountField, ErrorEntry, FacetCounts, FacetQuery,
    LeadFacetQuery, LeadQuery,
};
use lead_workspace_logic::facets;

use crate::{ColumnId, Columns, CountedValues, CustomKeys, FacetContext, Filters, Query, RowSet};

/// A validated query for facets of leads.
#[derive(Clone, Debug)]
pub struct FacetsOfView {
    /// The leads of the filters and the search; `None` if these do not restrict them.
    common: Option<Query>,
    pub facets: Vec<CountedFacet>,
}

/// A facet of leads to count.
#[derive(Clone, Debug)]
pub struct CountedFacet {
    pub field: ColumnId,
    pub query: FacetQuery,
    /// The leads with a selected value, if any is selected.
    own: Option<Query>,
}

impl FacetsOfView {
    /// Validates a query.
    ///
    /// # Errors
    /// Every invalid filter and every unknown facet, with its location.
    pub fn of(query: LeadFacetQuery, keys: &CustomKeys) -> Result<Self, Vec<ErrorEntry>> {
        let list = LeadQuery {
            filters: query.filters,
            search: query.search,
            ..LeadQuery::default()
        };
        let (common, mut problems) = match Query::of_leads(&list, keys) {
            Ok(common) => (Some(common), Vec::new()),
            Err(problems) => (None, problems),
        };
        let mut facets = Vec::new();
        for (index, query) in query.facets.into_iter().enumerate() {
            let loc = ["body", "facets", &index.to_string(), "field"];
            match keys.facet_of_leads(&query.field, &loc) {
                Ok(field) => facets.push(CountedFacet::new(field, query, keys)?),
                Err(unknown) => problems.extend(unknown),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let is_narrow = |list: &Query| !list.filters.is_empty() || !list.search.words().is_empty();
        Ok(Self {
            common: common.filter(is_narrow),
            facets,
        })
    }

    /// Returns the columns that the counts need.
    pub fn columns(&self) -> Vec<ColumnId> {
        let own = self.facets.iter().filter_map(|facet| facet.own.as_ref());
        let rows = own.chain(&self.common).flat_map(Query::columns_of_rows);
        let facets = self.facets.iter();
        let counted = facets.flat_map(|facet| facet.field.with_names());
        rows.chain(counted).collect()
    }

    /// Returns what each facet is counted within.
    ///
    /// # Errors
    /// What is wrong with a filter or a facet because of the values of custom fields.
    pub fn contexts(&self, columns: &Columns) -> Result<Vec<FacetContext>, Vec<ErrorEntry>> {
        for (index, facet) in self.facets.iter().enumerate() {
            let loc = ["body", "facets", &index.to_string(), "field"];
            columns.check_facet(facet.field, &facet.query.field, &loc)?;
        }
        let rows = |query: &Option<Query>| query.as_ref().map(|query| query.rows(columns));
        let common = rows(&self.common).transpose()?;
        let own = self.facets.iter().map(|facet| rows(&facet.own).transpose());
        let own: Vec<Option<RowSet>> = own.collect::<Result<_, _>>()?;
        let without = |index: usize| {
            let others = own.iter().enumerate().filter(|(at, _)| *at != index);
            let mut sets = others.filter_map(|(_, own)| own.as_ref()).chain(&common);
            let mut leads = sets.next()?.clone();
            sets.for_each(|other| leads.intersect(other));
            Some(leads)
        };
        Ok((0..own.len()).map(|index| without(index).into()).collect())
    }
}

impl CountedFacet {
    fn new(field: ColumnId, query: FacetQuery, keys: &CustomKeys) -> Result<Self, Vec<ErrorEntry>> {
        let own = facets::own_filter(&query.field, &query.selected);
        let own = own.map(|own| {
            let list = LeadQuery {
                filters: vec![own],
                ..LeadQuery::default()
            };
            Query::of_leads(&list, keys)
        });
        Ok(Self {
            own: own.transpose()?,
            field,
            query,
        })
    }
}

/// A validated query for facets of accounts: each facet, with the accounts that it counts. They have few values, which
/// are all counted.
#[derive(Clone, Debug)]
pub struct FacetsOfAccounts(Vec<(AccountFacetField, Query)>);

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
            Ok((facet.field, Query::of_accounts(filters, &accounts)?))
        });
        Ok(Self(facets.collect::<Result<_, Vec<ErrorEntry>>>()?))
    }

    /// Returns the columns that the counts need.
    pub fn columns(&self) -> Vec<ColumnId> {
        let facets = self.0.iter();
        let columns = facets.flat_map(|(field, accounts)| {
            let counted = ColumnId::Account(AccountField::from(*field));
            accounts.columns_of_rows().into_iter().chain([counted])
        });
        columns.collect()
    }

    /// Returns the counts.
    ///
    /// # Errors
    /// None in practice: accounts have no custom fields.
    pub fn counts(&self, columns: &Columns) -> Result<FacetCounts, Vec<ErrorEntry>> {
        let counted = self.0.iter().map(|(field, accounts)| {
            let accounts = accounts.rows(columns)?;
            let values = CountedValues::of_accounts(columns, (*field).into(), &accounts);
            Ok(facets::account_values(*field, values.texts().collect()))
        });
        Ok(FacetCounts {
            facets: Some(counted.collect::<Result<_, Vec<ErrorEntry>>>()?),
        })
    }
}
