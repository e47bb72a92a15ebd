//! Errors for which an import does not happen, or stops.

use lead_workspace_import::{FileError, file_limits};
use thiserror::Error;

use crate::store::StoreError;

/// Reason why an import did not happen, or stopped. Errors of single lines are in the report.
#[derive(Debug, Error)]
pub enum ImportError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "the name of the list {0:?} is longer than {most} characters. Nothing was imported; choose a shorter name",
        most = file_limits::NAME
    )]
    LongList(String),
    #[error(
        "the workspace was deleted while the file was imported. Nothing of it was kept; import the \
         file into another workspace"
    )]
    WorkspaceDeleted,
    #[error("{0}. Earlier lines were imported; import the file again to continue")]
    Store(StoreError),
}

impl From<StoreError> for ImportError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::WorkspaceDeleted => Self::WorkspaceDeleted,
            error => Self::Store(error),
        }
    }
}
