//! The requests of the sidebar and of the tab counts.

use lead_workspace_api::{
    FacetQuery, FacetSearch, FacetSearchResult, LeadFacetQuery, custom_field_key,
};

use super::{CountedView, Coverage, FacetPart, FacetRequest, Facets};
use crate::app::model::facet_options;
use crate::app::model::filters::Facet;
use crate::app::model::lead_tab::Tab;
use crate::app::model::view::LeadsView;
use crate::app::model::view_counts;
use crate::client::{Client, Error, ErrorKind};
use crate::platform::idle::idle;

impl Facets {
    /// Counts the tabs and the expanded facets within the view.
    pub(super) async fn request_counts(self, client: Client) {
        idle().await;
        let Some(counted) = self.counted.try_get_value() else {
            return;
        };
        let asked = if counted.with_facets {
            self.asked()
        } else {
            Vec::new()
        };
        let texts: Vec<(Facet, &str)> = asked
            .iter()
            .map(|(facet, text)| (*facet, &**text))
            .collect();
        let query = view_counts::query(&counted.view, true, &texts);
        let sent = self.decisions.start_read();
        let results = self.count_within(&client, &query, counted.accepted).await;
        let is_whole = counted.view.is_whole();
        match results {
            Some(Ok(results)) => {
                self.report(FacetPart::Counts, None);
                let mut results = results.into_iter();
                let by_status = results
                    .next()
                    .and_then(|tabs| view_counts::by_status(&tabs));
                self.decisions.show_counts(by_status, is_whole, sent);
                for ((facet, text), result) in countable(&counted.view, &asked).zip(results) {
                    self.show_values(*facet, text, result);
                }
                self.done.set_value(Some(counted));
            }
            Some(Err(error)) => {
                self.decisions.show_counts(None, is_whole, sent);
                let is_refused = matches!(error.kind, ErrorKind::Validation(_));
                if is_refused && counted.accepted && self.collapse_custom() {
                    self.waiting
                        .update_value(|tasks| tasks.insert(0, FacetRequest::Counts(0)));
                    return;
                }
                // A filter or search that is not accepted is reported with the list.
                if !matches!(
                    error.kind,
                    ErrorKind::Validation(_) | ErrorKind::Argument(_)
                ) {
                    self.session.check_key(&error);
                    self.report(FacetPart::Counts, Some(error.summary()));
                }
                self.waiting.update_value(|tasks| self.add_searches(tasks));
            }
            None => {}
        }
    }

    /// Returns the expanded facets, with the texts that they are searched for.
    fn asked(self) -> Vec<(Facet, String)> {
        let expanded = self.expanded.try_get_untracked().unwrap_or_default();
        let asked = expanded.into_iter().map(|facet| {
            let text = self.values(facet).map(|found| found.text);
            (facet, text.unwrap_or_default())
        });
        asked.collect()
    }

    /// Sends a query that counts within the view. Returns `None` if the server cannot do that: then the counts are those
    /// of the whole workspace from now on, and these are requested next.
    async fn count_within(
        self,
        client: &Client,
        query: &LeadFacetQuery,
        accepted: bool,
    ) -> Option<Result<Vec<FacetSearchResult>, Error>> {
        let asked = query.facets.len();
        let response = client.query_lead_facets(query).await;
        match response.map(|counts| counts.facets.unwrap_or_default()) {
            Ok(results) if results.len() == asked => {
                self.has_counted.set_value(true);
                return Some(Ok(results));
            }
            Err(error)
                if !is_unsupported(
                    &error,
                    // A custom field may have too many values for a facet by now.
                    accepted && !query.facets.iter().any(is_custom),
                    self.has_counted.try_get_value() != Some(false),
                ) =>
            {
                return Some(Err(error));
            }
            _ => {}
        }
        self.coverage.set(Coverage::Workspace);
        self.decisions
            .counts
            .try_update(|counts| counts.show_whole());
        self.report(FacetPart::Counts, None);
        let mut tasks = self.missing();
        self.add_searches(&mut tasks);
        self.waiting.set_value(tasks);
        None
    }

    /// Shows the counted values of a facet, unless another text was searched for in the meantime.
    fn show_values(self, facet: Facet, text: &str, result: FacetSearchResult) {
        let options = facet_options::search_results(facet, result.items);
        self.remember_names(facet, &options);
        self.update(facet, |found| {
            if found.text != text {
                return;
            }
            found.busy = false;
            found.error = None;
            found.total = result.total_distinct.unwrap_or(options.len() as u64);
            found.has_more = result
                .has_more
                .unwrap_or(found.total > options.len() as u64);
            found.options = options;
        });
    }

    /// Counts the tabs in the whole workspace.
    pub(super) async fn request_tabs(self, client: Client) {
        idle().await;
        let sent = self.decisions.start_read();
        if self.coverage.try_get_untracked() == Some(Coverage::View) {
            let query = view_counts::query(&LeadsView::default().on(Tab::All), true, &[]);
            if let Some(Ok(results)) = self.count_within(&client, &query, true).await {
                let counts = results.first().and_then(view_counts::by_status);
                self.decisions.set_whole_counts(counts, sent);
            }
            return;
        }
        // The contract has no counts: each one is the total of a query for a single row.
        for tab in Tab::ALL {
            let sent = self.decisions.start_read();
            let response = client
                .query_leads(&LeadsView::default().on(tab).query(1, 1))
                .await;
            match response {
                // A tab without a count shows none.
                Ok(page) => {
                    if let Some(total) = page.total {
                        self.decisions.set_whole_count(tab, total, sent);
                    }
                }
                Err(error) if matches!(error.kind, ErrorKind::Validation(_)) => {}
                Err(error) => {
                    // Requested again with the next view.
                    self.session.check_key(&error);
                    return;
                }
            }
        }
        self.decisions.has_tab_counts.set_value(true);
    }

    /// Reads the values of all facets.
    pub(super) async fn request_all(self, client: Client) {
        let Some(CountedView { view, .. }) = self.counted.try_get_value() else {
            return;
        };
        let context = match self.coverage.try_get_untracked() {
            Some(Coverage::Workspace) => view.filters.context(),
            _ => Default::default(),
        };
        match client.get_lead_facets(&context).await {
            Ok(response) => {
                self.unreadable.set(facet_options::unreadable(&response));
                let options_by_facet = facet_options::options_by_facet(response);
                for (facet, options) in &options_by_facet {
                    self.remember_names(*facet, options);
                }
                self.options_by_facet.set(options_by_facet);
                self.loaded.set_value(Some(context));
                self.report(FacetPart::Values, None);
            }
            Err(error) => {
                self.session.check_key(&error);
                self.report(FacetPart::Values, Some(error.summary()));
            }
        }
    }

    /// Reads the values of one facet.
    pub(super) async fn request_values(self, client: Client, facet: Facet) {
        let within_view = self.coverage.try_get_untracked() == Some(Coverage::View);
        // Facets whose values are all loaded are searched locally. Only their counts may be missing.
        if !within_view && !facet.is_searched() && !self.lacks_counts(facet) {
            self.update(facet, |found| found.busy = false);
            return;
        }
        self.update(facet, |found| {
            found.busy = true;
            found.error = None;
        });
        let text = self.values(facet).map(|found| found.text);
        let text = text.unwrap_or_default();
        let Some(CountedView { view, accepted, .. }) = self.counted.try_get_value() else {
            return;
        };
        let result = if within_view {
            let query = view_counts::query(&view, false, &[(facet, &text)]);
            match self.count_within(&client, &query, accepted).await {
                Some(results) => results.map(|mut results| results.pop().unwrap_or_default()),
                None => return,
            }
        } else {
            let context = view.filters.context();
            let (q, limit) = facet.search(&text);
            let search = FacetSearch {
                field: facet.field().into(),
                q,
                limit,
                selected: None,
                signal_run_id: context.signal_run_id,
                signal_id: context.signal_id,
                campaign_id: context.campaign_id,
            };
            client.search_lead_facet(&search).await
        };
        match result {
            Ok(result) => self.show_values(facet, &text, result),
            Err(error) => {
                self.session.check_key(&error);
                self.update(facet, |found| {
                    found.busy = false;
                    found.error = Some(error.summary());
                });
            }
        }
    }

    fn lacks_counts(self, facet: Facet) -> bool {
        let lacks = self.options_by_facet.try_with_untracked(|all| {
            let listed = all.iter().find(|(of, _)| *of == facet);
            listed.is_some_and(|(_, options)| options.iter().any(|option| option.count.is_none()))
        });
        lacks == Some(true)
    }
}

/// Whether the server cannot count within a view. `accepted`: it accepted the filters in a query for rows, so that it
/// rejects the request for another reason. `has_counted`: it has counted before.
pub fn is_unsupported(error: &Error, accepted: bool, has_counted: bool) -> bool {
    match error.kind {
        ErrorKind::NotFound | ErrorKind::Forbidden | ErrorKind::Decode(_) => !has_counted,
        ErrorKind::Validation(_) => accepted,
        // A browser reports an error response without CORS headers like this.
        ErrorKind::Network(_) => accepted && !has_counted,
        _ => matches!(error.status, Some(405 | 501)),
    }
}

fn is_custom(facet: &FacetQuery) -> bool {
    custom_field_key(&facet.field).is_some()
}

/// Returns the facets that the query has, in its order.
fn countable<'a>(
    view: &'a LeadsView,
    asked: &'a [(Facet, String)],
) -> impl Iterator<Item = &'a (Facet, String)> {
    asked
        .iter()
        .filter(|(facet, _)| view_counts::is_countable(view, *facet))
}
