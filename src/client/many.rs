//! One status for any number of leads: the chunks of [`bulk`](super::bulk), sent.

use std::pin::pin;

use futures_util::future::{Either, select};
use futures_util::stream::{FuturesUnordered, StreamExt};
use lead_workspace_api::{LeadId, LeadsUpdate, NewApprovalStatus, Nullable};

use super::Client;
use super::bulk::{Bulk, BulkOutcome, ChunkEnd};
use super::error::Error;

/// How far a bulk change is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Leads that are dealt with, one way or another.
    pub done: usize,
    /// Leads in all.
    pub total: usize,
    /// What became of the leads so far.
    pub outcome: &'a BulkOutcome,
    /// Why the last chunk failed, if it did.
    pub error: Option<&'a Error>,
}

impl Client {
    /// Sets one status for any number of leads, `chunk` ids in a request and two requests at a
    /// time. Always ends with what became of every lead, even when requests fail.
    ///
    /// When `cancel` ends first, nothing more is sent; leads on their way are uncertain then, and
    /// those not sent count as failed. The same goes for the rest after a refused key.
    pub async fn update_many_leads(
        &self,
        ids: impl IntoIterator<Item = LeadId>,
        status: NewApprovalStatus,
        chunk: usize,
        cancel: impl Future<Output = ()>,
        mut progress: impl FnMut(Progress<'_>),
    ) -> BulkOutcome {
        let mut bulk = Bulk::new(ids, chunk);
        let mut cancel = pin!(cancel);
        let mut flights = FuturesUnordered::new();
        loop {
            while let Some(lead_ids) = bulk.take() {
                let update = LeadsUpdate {
                    lead_ids,
                    approval_status: Nullable::Set(status),
                };
                let call = self.update_leads(&update);
                flights.push(async move { (update.lead_ids, call.await) });
            }
            let (chunk, answer) = match select(flights.next(), cancel.as_mut()).await {
                Either::Left((Some(landed), _)) => landed,
                Either::Left((None, _)) => break,
                Either::Right(_) => {
                    bulk.cancel();
                    break;
                }
            };
            let end = match &answer {
                Ok(answer) => ChunkEnd::Updated(answer.updated),
                Err(error) if error.ambiguous => ChunkEnd::Uncertain,
                Err(_) => ChunkEnd::Failed,
            };
            bulk.ended(&chunk, end);
            if answer.as_ref().is_err_and(Error::is_about_key) {
                bulk.call_off();
            }
            let (done, total) = bulk.progress();
            progress(Progress {
                done,
                total,
                outcome: bulk.so_far(),
                error: answer.as_ref().err(),
            });
        }
        bulk.into_outcome()
    }
}
