//! The columns that a read uses.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use lead_workspace_api::ErrorEntry;
use lead_workspace_api::limits::CUSTOM_FACET_VALUES;
use lead_workspace_logic::facets;

use crate::{Column, ColumnId};

/// Columns of one state of a workspace.
#[derive(Clone, Debug, Default)]
pub struct Columns(HashMap<ColumnId, Arc<Column>>);

static EMPTY: LazyLock<Column> = LazyLock::new(Column::default);

impl FromIterator<(ColumnId, Arc<Column>)> for Columns {
    fn from_iter<T: IntoIterator<Item = (ColumnId, Arc<Column>)>>(columns: T) -> Self {
        Self(columns.into_iter().collect())
    }
}

impl Columns {
    /// Returns a column that the read has asked for.
    pub fn get(&self, id: ColumnId) -> &Column {
        let column = self.0.get(&id);
        debug_assert!(column.is_some(), "{id:?} was not asked for");
        column.map_or(&*EMPTY, |column| &**column)
    }

    /// Refuses the facet of a custom field with too many different values. Its name is at `loc` in the request.
    ///
    /// # Errors
    /// One entry with the limit.
    pub fn check_facet(
        &self,
        field: ColumnId,
        name: &str,
        loc: &[&str],
    ) -> Result<(), Vec<ErrorEntry>> {
        let is_custom = matches!(field, ColumnId::Custom(_));
        let has_too_many = |column: &Column| {
            let used = column.counts(None).into_iter().filter(|count| *count > 0);
            used.count() > CUSTOM_FACET_VALUES
        };
        if !is_custom || !has_too_many(self.get(field)) {
            return Ok(());
        }
        Err(facets::too_many_values(name, loc))
    }
}
