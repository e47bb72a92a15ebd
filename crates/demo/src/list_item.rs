//! Entries of lists.

/// An entry of a list.
#[derive(Debug, PartialEq)]
pub struct ListItem {
    /// Index into the lists of the catalog.
    pub list: usize,
    pub item_id: String,
}
