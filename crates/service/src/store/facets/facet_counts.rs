//! Facets counted within the leads of a view.
//!
//! spec: not shown; each facet counts the leads that match the filters, the search and the selected
//! values of all other facets. So the counts of a facet say what each of its values would add.

use lead_workspace_api::{ErrorEntry, FacetCounts, FacetQuery, FacetSearchResult, LeadFacetQuery};
use lead_workspace_logic::facets;

use super::context::Context;
use super::facet_search::{FacetField, ValueReader};
use crate::store::columns::{Snapshot, Table};
use crate::store::db::Db;
use crate::store::row_set::RowSet;
use crate::store::search::Search;
use crate::store::sql::Conditions;
use crate::store::{Filters, Store, StoreError, Tenant};

/// A validated query.
#[derive(Clone, Debug)]
pub struct FacetsOfView {
    filters: Filters,
    search: Search,
    facets: Vec<CountedFacet>,
}

#[derive(Clone, Debug)]
struct CountedFacet {
    field: FacetField,
    query: FacetQuery,
    /// The filter on the selected values, if any are.
    own: Option<Filters>,
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
        Ok(Self {
            filters,
            search: Search::of(query.search.as_deref()),
            facets,
        })
    }
}

impl CountedFacet {
    fn new(field: FacetField, query: FacetQuery) -> Result<Self, Vec<ErrorEntry>> {
        let own = facets::own_filter(field.field(), &query.selected);
        let own = own.map(|own| Filters::of_leads(&[own]));
        Ok(Self {
            own: own.transpose()?,
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
            let snapshot = columns.snapshot(db, tenant)?;
            let snapshot = snapshot.as_ref();
            let sets = LeadSets::read(db, tenant, snapshot, &view)?;
            let facets = view.facets.into_iter().enumerate().map(|(index, facet)| {
                let context = Context::from(sets.without(index));
                let reader = ValueReader::new(db, tenant, snapshot, facet.field, context)?;
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
        snapshot: Option<&Snapshot<'_>>,
        view: &FacetsOfView,
    ) -> Result<Self, StoreError> {
        let read = |filters: &Filters, search: &Search| {
            let found = snapshot.map(|snapshot| snapshot.matching(Table::Leads, filters, search));
            if let Some(found) = found.transpose()?.flatten() {
                return Ok(found);
            }
            let mut conditions = Conditions::of(tenant, "l");
            filters.add_to(&mut conditions);
            search.add_to_leads(&mut conditions);
            RowSet::read(db, "leads l", &conditions)
        };
        let is_narrow = !view.filters.is_empty() || !view.search.is_empty();
        let common = is_narrow.then(|| read(&view.filters, &view.search));
        let own = view.facets.iter().map(|facet| {
            let own = facet.own.as_ref();
            own.map(|own| read(own, &Search::default())).transpose()
        });
        Ok(Self {
            common: common.transpose()?,
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
