//! Facets counted within the leads of a view.
//!
//! spec: not shown; each facet counts the leads that match the filters, the search and the selected
//! values of all other facets. So the counts of a facet say what each of its values would add.

use lead_workspace_api::{
    ErrorEntry, FacetCounts, FacetQuery, FacetSearchResult, LeadFacetQuery, LeadQuery,
};
use lead_workspace_index::{ColumnId, Columns, FacetContext, Filters, Query, RowSet};
use lead_workspace_logic::facets;

use super::facet_search::{FacetField, ValueReader};
use crate::store::db::Db;
use crate::store::{Store, StoreError, Tenant, sql_query};

/// A validated query.
#[derive(Clone, Debug)]
pub struct FacetsOfView {
    /// The leads of the filters and the search; `None` for all.
    common: Option<Query>,
    facets: Vec<CountedFacet>,
}

#[derive(Clone, Debug)]
struct CountedFacet {
    field: FacetField,
    query: FacetQuery,
    /// The leads with a selected value, if any are selected.
    own: Option<Query>,
}

impl FacetsOfView {
    /// Validates a query.
    ///
    /// # Errors
    /// Every invalid filter and every unknown facet, with its location.
    pub fn of(query: LeadFacetQuery) -> Result<Self, Vec<ErrorEntry>> {
        let mut problems = Vec::new();
        let filters = Filters::of_leads(&query.filters);
        let filters = filters.unwrap_or_else(|invalid| {
            problems.extend(invalid);
            Filters::default()
        });
        let mut facets = Vec::new();
        for (index, query) in query.facets.into_iter().enumerate() {
            let loc = ["body", "facets", &index.to_string(), "field"];
            match FacetField::of(&query.field, &loc) {
                Ok(field) => facets.push(CountedFacet::new(field, query)?),
                Err(unknown) => problems.extend(unknown),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let common = query_of(filters, query.search);
        let is_narrow = !common.filters.is_empty() || !common.search.words().is_empty();
        Ok(Self {
            common: is_narrow.then_some(common),
            facets,
        })
    }
}

/// Returns the query of the leads that match, in any order.
fn query_of(filters: Filters, search: Option<String>) -> Query {
    let query = LeadQuery {
        search,
        ..LeadQuery::default()
    };
    Query::of_leads(filters, &query)
}

impl CountedFacet {
    fn new(field: FacetField, query: FacetQuery) -> Result<Self, Vec<ErrorEntry>> {
        let own = facets::own_filter(field.field(), &query.selected);
        let own = own.map(|own| Filters::of_leads(&[own])).transpose()?;
        Ok(Self {
            own: own.map(|own| query_of(own, None)),
            field,
            query,
        })
    }
}

impl Store {
    pub async fn query_lead_facets(
        &self,
        tenant: Tenant,
        view: FacetsOfView,
    ) -> Result<FacetCounts, StoreError> {
        let columns = self.columns();
        self.read_in(tenant, move |db| {
            let columns = columns.read(db, tenant, &view.columns())?;
            let columns = columns.as_ref();
            let sets = LeadSets::read(db, tenant, columns, &view)?;
            let facets = view.facets.into_iter().enumerate().map(|(index, facet)| {
                let context = FacetContext::from(sets.without(index));
                let reader = ValueReader::new(db, tenant, columns, facet.field, context);
                let FacetQuery {
                    q, limit, selected, ..
                } = facet.query;
                reader.search(&q, limit, selected)
            });
            let facets: Vec<FacetSearchResult> = facets.collect::<Result<_, _>>()?;
            Ok(FacetCounts {
                facets: Some(facets),
            })
        })
        .await
    }
}

impl FacetsOfView {
    fn columns(&self) -> Vec<ColumnId> {
        let own = self.facets.iter().filter_map(|facet| facet.own.as_ref());
        let queries = own.chain(&self.common);
        let facets = self.facets.iter();
        let facets = facets.map(|facet| ColumnId::Lead(facet.field.field()));
        queries
            .flat_map(Query::columns_of_rows)
            .chain(facets)
            .collect()
    }
}

/// The leads of a view, by what restricts them. `None` is all leads.
struct LeadSets {
    /// Those of the filters and the search.
    common: Option<RowSet>,
    /// For each facet, those with a selected value.
    own: Vec<Option<RowSet>>,
}

impl LeadSets {
    fn read(
        db: Db<'_>,
        tenant: Tenant,
        columns: Option<&Columns>,
        view: &FacetsOfView,
    ) -> Result<Self, StoreError> {
        let read = |query: &Query| match columns {
            Some(columns) => Ok(query.rows(columns)),
            None => sql_query::rows(query, db, tenant),
        };
        let own = view.facets.iter();
        let own = own.map(|facet| facet.own.as_ref().map(read).transpose());
        Ok(Self {
            common: view.common.as_ref().map(read).transpose()?,
            own: own.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the leads without the restriction of one facet.
    fn without(&self, facet: usize) -> Option<RowSet> {
        let others = self.own.iter().enumerate();
        let others = others.filter(|(index, _)| *index != facet);
        let mut sets = others
            .filter_map(|(_, own)| own.as_ref())
            .chain(&self.common);
        let mut set = sets.next()?.clone();
        for other in sets {
            set.intersect(other);
        }
        Some(set)
    }
}
