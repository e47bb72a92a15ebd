//! The custom fields of the leads.

use std::collections::BTreeSet;

use jiff::Timestamp;
use lead_workspace_api::LeadFields;
use lead_workspace_api::endpoints::NoParams;
use lead_workspace_logic::custom::{Summaries, add_keys};

use crate::Workspace;
use crate::error::Error;

impl Workspace {
    pub(crate) fn get_lead_fields(
        &mut self,
        _: NoParams,
        _: Timestamp,
    ) -> Result<LeadFields, Error> {
        let mut summaries = Summaries::new(self.custom_keys.iter().map(|(key, _)| key));
        self.custom_data().for_each(|data| summaries.add(data));
        Ok(summaries.fields())
    }

    /// Adds the keys that leads have now, if there is room for more fields.
    pub(crate) fn add_custom_keys(&mut self) {
        let mut keys = BTreeSet::new();
        self.custom_data()
            .for_each(|data| add_keys(data, &mut keys));
        let new = self.custom_keys.new_keys(&keys);
        let new: Vec<_> = new.map(|(key, number)| (key.to_owned(), number)).collect();
        self.custom_keys.extend(new);
    }

    fn custom_data(&self) -> impl Iterator<Item = &str> {
        self.leads
            .iter()
            .filter_map(|lead| lead.row.custom_data.as_deref())
    }
}
