//! How the decisions on the leads of a view fall, by value: the queries for it, and their results. Pure.

use std::cmp::Reverse;

use lead_workspace_api::shapes::FacetOption;
use lead_workspace_api::{
    FacetQuery, FacetSearchResult, LeadFacetQuery, LeadField, NewApprovalStatus,
};

use super::account_pulse::reply_rate::Rate;
use super::facet_options;
use super::filters::Facet;
use super::filters::facet_field::ALL_VALUES;
use super::lead_tab::{StatusCounts, Tab};
use super::view::LeadsView;
use super::view_counts;
use significance::significant_difference;

pub mod column_chart;
pub mod score_histogram;
pub mod share_bars;
mod significance;

pub use significance::MIN_DECISIONS;

/// The facets whose values are compared.
pub const FACETS: [Facet; 8] = [
    Facet::IcpTier,
    Facet::CompanySize,
    Facet::IntentType,
    Facet::Title,
    Facet::Industry,
    Facet::Location,
    Facet::Signal,
    Facet::List,
];

/// The statuses that are counted, one request for each.
pub const STATUSES: [NewApprovalStatus; 4] = [
    NewApprovalStatus::Approved,
    NewApprovalStatus::Rejected,
    NewApprovalStatus::PendingApproval,
    NewApprovalStatus::Filtered,
];

/// Number of leads by status, in the order of [`STATUSES`]. `None` if it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByStatus(pub [Option<u64>; 4]);

impl ByStatus {
    pub fn approved(self) -> Option<u64> {
        self.0[0]
    }

    pub fn rejected(self) -> Option<u64> {
        self.0[1]
    }

    /// Returns the number of approved and rejected leads.
    pub fn decided(self) -> Option<u64> {
        Some(self.approved()? + self.rejected()?)
    }

    /// Returns the share of approved leads among the decided ones.
    pub fn share(self) -> Option<Rate> {
        Rate::new(self.approved(), self.decided())
    }
}

/// All leads of the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub counts: ByStatus,
    /// Of every status, also of those that this version does not support.
    pub all: u64,
}

impl Totals {
    /// Reads the totals of a query for the rows of each tab, in the order of [`Tab::ALL`].
    pub fn from_tabs(totals: [u64; 5]) -> Self {
        let of = |status: NewApprovalStatus| {
            let at = Tab::ALL.iter().position(|tab| tab.status() == Some(status));
            at.map(|at| totals[at])
        };
        Self {
            counts: ByStatus(STATUSES.map(of)),
            all: totals[Tab::All as usize],
        }
    }

    fn from_counts(counts: &StatusCounts) -> Self {
        let of = |status: NewApprovalStatus| {
            let of = counts.0.iter().filter(|(of, _)| of.known() == Some(status));
            Some(of.map(|(_, count)| count).sum())
        };
        Self {
            counts: ByStatus(STATUSES.map(of)),
            all: counts.0.iter().map(|(_, count)| count).sum(),
        }
    }
}

/// The leads of the view with one value of a facet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCounts {
    pub facet: Facet,
    pub value: String,
    pub label: String,
    pub counts: ByStatus,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Insights {
    pub totals: Totals,
    /// By facet. `None` if the server cannot count them.
    pub values: Option<Vec<ValueCounts>>,
}

/// Returns the query that counts the statuses in a view, and the values of the leads that have one of them. The tab does
/// not matter.
pub fn query(view: &LeadsView, status: NewApprovalStatus) -> LeadFacetQuery {
    let mut query = status_query(view);
    for facet in &mut query.facets {
        facet.selected = vec![status.as_str().to_owned()];
    }
    query.facets.extend(FACETS.map(|facet| FacetQuery {
        field: facet.field().into(),
        q: String::new(),
        limit: ALL_VALUES,
        selected: Vec::new(),
    }));
    query
}

/// Returns the query that counts the statuses in a view.
fn status_query(view: &LeadsView) -> LeadFacetQuery {
    LeadFacetQuery {
        filters: view.filters.specs(),
        search: view.table.term(),
        facets: vec![FacetQuery {
            field: LeadField::ApprovalStatus.into(),
            q: String::new(),
            limit: ALL_VALUES,
            selected: Vec::new(),
        }],
    }
}

/// The values of one facet in one response.
struct Counted {
    options: Vec<FacetOption>,
    /// Whether values are missing, so that the number of their leads is not known.
    has_more: bool,
}

impl Counted {
    fn read(facet: Facet, result: FacetSearchResult) -> Self {
        let total = result.total_distinct;
        let options = facet_options::search_results(facet, result.items);
        let fewer = total.is_some_and(|total| total > options.len() as u64);
        Self {
            has_more: result.has_more.unwrap_or(fewer),
            options,
        }
    }

    fn count(&self, value: &str) -> Option<u64> {
        match self.options.iter().find(|option| option.value == value) {
            Some(option) => option.count,
            None => (!self.has_more).then_some(0),
        }
    }
}

impl Insights {
    /// Reads the responses to the queries, in the order of [`STATUSES`]. `None` if one is not complete.
    pub fn read(responses: Vec<Vec<FacetSearchResult>>) -> Option<Self> {
        let mut totals = None;
        let mut by_facet: Vec<Vec<Counted>> = FACETS.map(|_| Vec::new()).into();
        for results in responses {
            if results.len() != FACETS.len() + 1 {
                return None;
            }
            let mut results = results.into_iter();
            let counts = view_counts::by_status(&results.next()?)?;
            totals.get_or_insert(Totals::from_counts(&counts));
            for ((facet, counted), result) in FACETS.iter().zip(&mut by_facet).zip(results) {
                counted.push(Counted::read(*facet, result));
            }
        }
        let values = FACETS.iter().zip(&by_facet);
        let values = values.flat_map(|(facet, counted)| values_of(*facet, counted));
        Some(Self {
            totals: totals?,
            values: Some(values.collect()),
        })
    }

    /// Returns the values whose share of approved leads differs significantly from the average, the largest difference first.
    pub fn differences(&self) -> Vec<&ValueCounts> {
        let mut found: Vec<(&ValueCounts, f64)> = self
            .values
            .iter()
            .flatten()
            .filter_map(|value| {
                Some((
                    value,
                    significant_difference(value.counts, self.totals.counts)?,
                ))
            })
            .collect();
        found.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
        found.into_iter().map(|(value, _)| value).collect()
    }

    /// Returns the values of a facet that have decided leads.
    pub fn decided_values(&self, facet: Facet) -> Vec<&ValueCounts> {
        let of = |value: &&ValueCounts| {
            value.facet == facet && value.counts.decided().is_some_and(|decided| decided > 0)
        };
        self.values.iter().flatten().filter(of).collect()
    }
}

/// Returns the values of a facet: tiers and sizes in their order, others by the number of decided leads.
fn values_of(facet: Facet, counted: &[Counted]) -> Vec<ValueCounts> {
    let mut values: Vec<ValueCounts> = Vec::new();
    for option in counted.iter().flat_map(|counted| &counted.options) {
        if values.iter().any(|known| known.value == option.value) {
            continue;
        }
        let mut counts = ByStatus::default();
        for (count, counted) in counts.0.iter_mut().zip(counted) {
            *count = counted.count(&option.value);
        }
        values.push(ValueCounts {
            facet,
            value: option.value.clone(),
            label: option.label.clone(),
            counts,
        });
    }
    match facet {
        Facet::IcpTier => values.sort_by(|one, other| one.value.cmp(&other.value)),
        Facet::CompanySize => values.sort_by_key(|value| first_number(&value.value)),
        _ => values.sort_by_key(|value| Reverse(value.counts.decided())),
    }
    values
}

/// Returns the number that a size begins with: 51 of `51-200`.
fn first_number(size: &str) -> u64 {
    let end = size.find(|char: char| !char.is_ascii_digit());
    size[..end.unwrap_or(size.len())]
        .parse()
        .unwrap_or(u64::MAX)
}
