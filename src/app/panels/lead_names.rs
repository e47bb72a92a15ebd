//! Names of leads given by their ids: from the loaded rows of the list, else requested one after the other.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::LeadId;
use leptos::prelude::*;

use crate::app::components::dom::effect;
use crate::app::components::outcome_dialog::LeadHeadline;
use crate::app::model::lead_detail::LeadProfile;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::app::state::AppState;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::client::ErrorKind;

#[derive(Clone, Copy)]
pub struct LeadNames {
    app: AppState,
    fetched: RwSignal<Vec<(Arc<str>, LeadHeadline)>>,
}

impl LeadNames {
    /// Loads the names of the first `shown` leads under the current owner.
    pub fn load(app: AppState, leads: Rc<Vec<Arc<str>>>, shown: RwSignal<usize>) -> Self {
        let named = RwSignal::new(Vec::new());
        let in_flight = StoredValue::new(None::<AbortOnDrop>);
        effect(move || {
            let wanted = leads.iter().take(shown.get());
            let missing = wanted.filter(|lead| {
                let is_named =
                    |named: &Vec<(Arc<str>, LeadHeadline)>| named.iter().any(|(id, _)| id == *lead);
                let known = named.with_untracked(is_named);
                !known && untrack(|| loaded_headline(app, lead)).is_none()
            });
            let missing: Vec<Arc<str>> = missing.map(Arc::clone).collect();
            let Some(client) = app.session.client_now() else {
                return;
            };
            let work = async move {
                for lead in missing {
                    let response = client.get_lead(&LeadId::new(&*lead)).await;
                    let headline = match response {
                        Ok(detail) => {
                            let detail = LeadProfile::new(&lead, detail);
                            let company = detail.company.name.as_deref();
                            LeadHeadline {
                                work: work(detail.title.as_deref(), company),
                                name: detail.name,
                            }
                        }
                        Err(error) if matches!(error.kind, ErrorKind::NotFound) => LeadHeadline {
                            name: lead.to_string(),
                            work: "This lead is gone".to_owned(),
                        },
                        Err(_) => LeadHeadline {
                            name: lead.to_string(),
                            work: "Its name could not be loaded".to_owned(),
                        },
                    };
                    named.try_update(|named| named.push((lead, headline)));
                }
            };
            in_flight.set_value(Some(AbortOnDrop::start(work)));
        });
        Self {
            app,
            fetched: named,
        }
    }

    /// Returns the name of a lead, tracked. `None` while it is loading.
    pub fn headline(self, lead: &str) -> Option<LeadHeadline> {
        loaded_headline(self.app, lead).or_else(|| {
            self.fetched.with(|fetched| {
                let found = fetched.iter().find(|(id, _)| **id == *lead);
                found.map(|(_, headline)| headline.clone())
            })
        })
    }
}

/// Finds a lead in the loaded rows of the list.
fn loaded_headline(app: AppState, lead: &str) -> Option<LeadHeadline> {
    let row = app.leads.listing.find(|row| row.lead.id == lead)?;
    Some(LeadHeadline {
        name: row.lead.name.clone(),
        work: work(row.lead.title.as_deref(), row.lead.company.as_deref()),
    })
}

fn work(title: Option<&str>, company: Option<&str>) -> String {
    match (title, company) {
        (Some(title), Some(company)) => [title, ", ", company].concat(),
        (one, other) => one.or(other).unwrap_or_default().to_owned(),
    }
}
