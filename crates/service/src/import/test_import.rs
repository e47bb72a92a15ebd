//! For tests of the store: an import whose batches can be written on any engine.

use std::io::Cursor;
use std::sync::Arc;

use lead_workspace_api::import::ImportCounts;
use lead_workspace_import::{Lines, ReadOptions, encoding};

use super::Format;
use super::import_writer::{Batch, ImportWriter};
use crate::store::{Db, StoreError, Tenant};

#[derive(Clone)]
pub(crate) struct TestImport(Arc<ImportWriter>);

impl TestImport {
    /// An import with scoring.
    pub(crate) fn new(tenant: Tenant, import_job_id: &str) -> Self {
        Self(Arc::new(ImportWriter {
            tenant,
            import_job_id: import_job_id.into(),
            file_name: "leads.csv".into(),
            list: Some("All".into()),
            score: true,
            actor: None,
            at: crate::time::now(),
        }))
    }

    /// Writes the lines of a CSV file as one batch.
    pub(crate) fn batch(
        &self,
        db: Db<'_>,
        csv: &str,
        is_first: bool,
    ) -> Result<ImportCounts, StoreError> {
        let options = ReadOptions {
            format: Some(Format::Csv),
            ..ReadOptions::default()
        };
        let source = encoding::open(Cursor::new(csv.to_owned())).unwrap();
        let mut lines = Lines::open(source, &options).unwrap();
        let drafts = std::iter::from_fn(|| lines.next_draft().unwrap());
        let batch = Batch {
            drafts: drafts.collect::<Result<_, _>>().unwrap(),
            failed: 0,
            is_first,
            names: Arc::default(),
        };
        let ((counts, _), _) = self.0.batch(db, &batch)?;
        Ok(counts)
    }
}
