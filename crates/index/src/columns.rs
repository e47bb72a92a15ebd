//! The columns that a read uses.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

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
}
