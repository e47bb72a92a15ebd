//! The custom fields of the workspace, as far as the server names them.

use std::mem;

use lead_workspace_api::LeadFields;

use super::abort_on_drop::AbortOnDrop;
use super::session::Session;
use crate::app::reactive::{RwSignal, StoredValue, effect};

/// To name the fields, the server reads all leads once. It is asked when a view first shows them.
#[derive(Clone, Copy)]
pub struct CustomFields {
    /// The last response. `None` also if the server does not offer them: then the leads can be neither filtered nor sorted
    /// by them.
    pub named: RwSignal<Option<LeadFields>>,
    /// Whether the server does not offer them.
    is_missing: StoredValue<bool>,
    request: StoredValue<Option<AbortOnDrop>>,
    session: Session,
}

impl CustomFields {
    pub fn new(session: Session) -> Self {
        Self {
            named: RwSignal::new(None),
            is_missing: StoredValue::new(false),
            request: StoredValue::new(None),
            session,
        }
    }

    /// Asks again when the key changes: it may be another workspace.
    pub fn follow_key(self) {
        let mut is_first = true;
        effect(move || {
            let has_client = self.session.client().is_some();
            if mem::take(&mut is_first) {
                return;
            }
            let was_asked = self.request.try_update_value(Option::take).flatten();
            if was_asked.is_some() {
                self.is_missing.set_value(false);
                self.named.set(None);
                if has_client {
                    self.load();
                }
            }
        });
    }

    /// Asks the server for the fields, also if it named them before: an import may have added some.
    pub fn load(self) {
        let client = self.session.client_now();
        let Some(client) = client.filter(|_| !self.is_missing.get_value()) else {
            return;
        };
        self.request.set_value(Some(AbortOnDrop::start(async move {
            match client.get_lead_fields().await {
                Ok(response) => {
                    self.named.try_maybe_update(|named| {
                        let is_new = named.as_ref() != Some(&response);
                        *named = Some(response);
                        (is_new, ())
                    });
                }
                // What is known of the rows is enough to go on. Other servers are asked once.
                Err(error) => {
                    self.is_missing.set_value(error.is_not_offered());
                }
            }
        })));
    }
}
