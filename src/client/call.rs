//! Runs one call from its first request to its last, by the policy of [`retry`](super::retry).

use std::rc::Rc;

use super::api_response::ApiResponse;
use super::call_options::CallOptions;
use super::error::Error;
use super::operation::Operation;
use super::running_call::{Next, RunningCall};
use super::shared::Shared;
use super::transport::HttpRequest;

impl Shared {
    /// Sends a request until it succeeds or must not be sent again.
    pub(super) async fn call(
        self: Rc<Self>,
        operation: Operation,
        request: Result<HttpRequest, Error>,
        options: CallOptions,
    ) -> Result<ApiResponse, Error> {
        let call = RunningCall::new(Rc::clone(&self), operation, request?, &options);
        self.run(call).await
    }

    /// Runs a call to its end.
    pub(super) async fn run(&self, mut call: RunningCall) -> Result<ApiResponse, Error> {
        loop {
            let deadline = call.attempts.deadline();
            let permit = self.gate_queue.acquire(deadline, call.longest_wait).await;
            let permit = permit.map_err(|until| call.limited(until))?;
            let key = self.timeout_at(Box::pin(self.keys.get()), deadline).await;
            let key = call.key(key)?;
            let attempt = call.send(key.as_ref()).await;
            match call.next(attempt, permit, key) {
                Next::End(result) => return result,
                Next::AtOnce => {}
                Next::After(delay, _waiter) => self.runtime.sleep(delay).await,
            }
        }
    }
}
