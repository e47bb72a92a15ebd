//! The names of custom fields in filters, sort orders and facets.

use std::cell::RefCell;

use lead_workspace_api::{custom_field, custom_field_key};

thread_local! {
    /// All names that were ever used. They are kept while the page lives, so that they can be copied like the names of
    /// other fields.
    static KNOWN: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// The name of a custom field that can be queried, e.g. `custom_data.Deal size`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CustomName(&'static str);

impl CustomName {
    /// Returns the name of the field with this key; `None` if it cannot be queried.
    pub fn of_key(key: &str) -> Option<Self> {
        Self::parse(&custom_field(key))
    }

    pub fn parse(name: &str) -> Option<Self> {
        custom_field_key(name)?;
        KNOWN.with_borrow_mut(|known| {
            let found = known.iter().find(|known| **known == name).copied();
            Some(Self(found.unwrap_or_else(|| {
                let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
                known.push(name);
                name
            })))
        })
    }

    pub fn as_str(self) -> &'static str {
        self.0
    }

    pub fn key(self) -> &'static str {
        custom_field_key(self.0).unwrap_or_default()
    }
}
