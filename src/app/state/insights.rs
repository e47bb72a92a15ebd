//! The counts of the insights page.

use std::sync::Arc;

use futures_util::future::join_all;

use super::AppState;
use super::abort_on_drop::AbortOnDrop;
use super::facets::{Coverage, is_unsupported};
use super::remote_value::Remote;
use crate::app::model::insights::score_histogram::{self, RANGES, ScoreHistogram};
use crate::app::model::insights::{self, Insights, STATUSES, Totals};
use crate::app::model::lead_tab::Tab;
use crate::app::model::view::LeadsView;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::client::{Client, Error};

/// Owned by the page: no other needs it.
#[derive(Clone, Copy)]
pub struct InsightCounts {
    pub insights: RwSignal<Remote<Insights, Error>>,
    /// Requested once the insights are shown.
    pub scores: RwSignal<Remote<ScoreHistogram, Error>>,
    in_flight: StoredValue<Option<AbortOnDrop>>,
    app: AppState,
}

impl InsightCounts {
    pub fn start(app: AppState) -> Self {
        Self {
            insights: RwSignal::new(Remote::Idle),
            scores: RwSignal::new(Remote::Idle),
            in_flight: StoredValue::new(None),
            app,
        }
    }

    /// Counts the decisions in a view.
    pub fn load(self, client: Client, view: LeadsView) {
        self.insights.update(Remote::start);
        self.scores.update(Remote::start);
        self.count_again(client, view);
    }

    /// Counts again, in the background.
    pub fn count_again(self, client: Client, view: LeadsView) {
        let in_flight = AbortOnDrop::start(async move {
            self.app.decisions.wait_for_open_decisions().await;
            let insights = self.count(&client, &view).await;
            let is_counted = insights
                .as_ref()
                .is_ok_and(|insights| insights.values.is_some());
            self.scores.try_update(|scores| match &insights {
                Ok(_) if is_counted => {}
                Ok(_) => *scores = Remote::Idle,
                Err(_) if scores.is_busy() => scores.cancel(),
                Err(_) => {}
            });
            if let Err(error) = &insights {
                self.app.session.check_key(error);
            }
            self.insights
                .try_update(|shown| shown.finish_or_keep(insights.map(Arc::new)));
            if !is_counted {
                return;
            }
            let scores = count_scores(&client, &view).await;
            self.scores
                .try_update(|shown| shown.finish_or_keep(scores.map(Arc::new)));
        });
        self.in_flight.set_value(Some(in_flight));
    }

    /// Whether the server has counted the values that are shown.
    fn has_counted(self) -> bool {
        let has_values = |shown: &Remote<Insights, Error>| {
            shown.value().is_some_and(|shown| shown.values.is_some())
        };
        self.insights.try_with_untracked(has_values) == Some(true)
    }

    async fn count(self, client: &Client, view: &LeadsView) -> Result<Insights, Error> {
        if self.app.facets.coverage.try_get_untracked() == Some(Coverage::View) {
            let queries = STATUSES.map(|status| insights::query(view, status));
            let requests = queries.iter().map(|query| client.query_lead_facets(query));
            let responses: Result<Vec<_>, Error> = join_all(requests).await.into_iter().collect();
            match responses {
                Ok(responses) => {
                    let facets = responses.into_iter().map(|counts| counts.facets);
                    let facets = facets.map(Option::unwrap_or_default).collect();
                    if let Some(insights) = Insights::read(facets) {
                        return Ok(insights);
                    }
                }
                Err(error) if !is_unsupported(&error, false, self.has_counted()) => {
                    return Err(error);
                }
                Err(_) => {}
            }
        }
        count_tabs(client, view).await
    }
}

/// Counts the statuses on a server that has only what the contract has: each count is the total of a query for a
/// single row.
async fn count_tabs(client: &Client, view: &LeadsView) -> Result<Insights, Error> {
    let queries = Tab::ALL.map(|tab| view.on(tab).query(1, 1));
    let requests = queries.iter().map(|query| client.query_leads(query));
    let mut totals = [0; 5];
    for (total, response) in totals.iter_mut().zip(join_all(requests).await) {
        *total = response?.total.unwrap_or_default();
    }
    Ok(Insights {
        totals: Totals::from_tabs(totals),
        values: None,
    })
}

async fn count_scores(client: &Client, view: &LeadsView) -> Result<ScoreHistogram, Error> {
    let queries: Vec<_> = (0..RANGES)
        .map(|range| score_histogram::query(view, range))
        .collect();
    let requests = queries.iter().map(|query| client.query_lead_facets(query));
    let mut ranges = Vec::new();
    for response in join_all(requests).await {
        let facets = response?.facets.unwrap_or_default();
        ranges.push(score_histogram::read(&facets).unwrap_or_default());
    }
    Ok(ScoreHistogram(ranges))
}
