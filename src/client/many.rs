//! One status for any number of leads: the chunks of [`bulk`](super::bulk), sent.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use futures_util::future::{Either, select};
use lead_workspace_api::{LeadId, LeadUpdate, LeadsUpdate, NewApprovalStatus, Nullable};

use super::bulk::{Bulk, BulkOutcome, Chunk, ChunkEnd};
use super::error::{Error, ErrorKind};
use super::{Call, Client};

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
    /// time. Always ends with what became of every lead, even when requests fail. A chunk of which
    /// the server counts fewer than were sent is sent again in halves until the missing leads are found;
    /// where the server turns out to count changes, and not leads, that ends.
    ///
    /// When `cancel` ends first, nothing more is sent; leads on their way are uncertain then, and
    /// those not sent count as failed. The same goes for the rest after a key that may not do it.
    pub async fn update_many_leads(
        &self,
        ids: impl IntoIterator<Item = LeadId>,
        status: NewApprovalStatus,
        chunk: usize,
        cancel: impl Future<Output = ()>,
        mut progress: impl FnMut(Progress<'_>),
    ) -> BulkOutcome {
        let send = |chunk: &Chunk| -> Call<Option<u64>> {
            if let ([id], true) = (chunk.ids.as_slice(), chunk.is_alone()) {
                let call = self.update_lead(
                    id,
                    &LeadUpdate {
                        approval_status: status,
                    },
                );
                return Box::pin(async move { call.await.map(|_| None) });
            }
            let call = self.update_leads(&LeadsUpdate {
                lead_ids: chunk.ids.clone(),
                approval_status: Nullable::Set(status),
            });
            Box::pin(async move { Ok(call.await?.updated) })
        };
        let bulk = Bulk::new(ids, chunk);
        in_chunks(bulk, &send, pin!(cancel), &mut progress).await
    }
}

/// Sends every chunk with `send`, whose answer counts the leads that were updated.
pub(crate) async fn in_chunks(
    mut bulk: Bulk,
    send: &dyn Fn(&Chunk) -> Call<Option<u64>>,
    mut cancel: Pin<&mut dyn Future<Output = ()>>,
    progress: &mut dyn FnMut(Progress<'_>),
) -> BulkOutcome {
    let mut flights = Flights::default();
    loop {
        // Asked before anything is sent: once it ended, not one request more leaves.
        let ended = poll_fn(|context| Poll::Ready(cancel.as_mut().poll(context).is_ready()));
        if ended.await {
            bulk.cancel();
            break;
        }
        while let Some(chunk) = bulk.take() {
            let call = send(&chunk);
            flights.0.push((chunk, call));
        }
        if flights.0.is_empty() {
            break;
        }
        let (chunk, answer) = match select(cancel.as_mut(), &mut flights).await {
            Either::Left(_) => {
                bulk.cancel();
                break;
            }
            Either::Right((landed, _)) => landed,
        };
        let end = match &answer {
            Ok(updated) => ChunkEnd::Updated(*updated),
            Err(error) if error.ambiguous => ChunkEnd::Uncertain,
            Err(error) if chunk.is_alone() && error.kind == ErrorKind::NotFound => ChunkEnd::Failed,
            // The request that it was in before may have done it.
            Err(_) if chunk.is_part() => ChunkEnd::Uncertain,
            Err(_) => ChunkEnd::Failed,
        };
        bulk.ended(&chunk, end);
        let error = answer.err();
        if let Some(error) = &error {
            let mut ids = chunk.ids;
            // Whatever else would be sent ends in the same way.
            if let ErrorKind::KeyRefused | ErrorKind::NoKey(_) | ErrorKind::Forbidden = error.kind {
                ids.extend(bulk.call_off());
            }
            bulk.missed(ids, error.clone());
        }
        let (done, total) = bulk.progress();
        progress(Progress {
            done,
            total,
            outcome: bulk.so_far(),
            error: error.as_ref(),
        });
    }
    bulk.into_outcome()
}

/// The chunks under way. Ends when one of them does; a handful at the most, so all are asked.
#[derive(Default)]
struct Flights(Vec<(Chunk, Call<Option<u64>>)>);

impl Future for Flights {
    type Output = (Chunk, Result<Option<u64>, Error>);

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        for place in 0..self.0.len() {
            if let Poll::Ready(answer) = self.0[place].1.as_mut().poll(context) {
                return Poll::Ready((self.0.remove(place).0, answer));
            }
        }
        Poll::Pending
    }
}
