//! Waits for decisions in flight, for reads that depend on them.

use gloo_timers::future::TimeoutFuture;

use super::Decisions;
use crate::review::engine::Engine;
use crate::review::outbox::Outbox;

impl Decisions {
    /// Waits until no decision is to be sent or in flight, for at most two seconds. Does not wait for those that are held back,
    /// nor while offline or paused. Returns false if it has waited in vain.
    pub async fn wait_for_open_decisions(self) -> bool {
        for _ in 0..50 {
            let open = self.read(|engine| engine.with_outbox(Outbox::moving));
            let online = self.online.try_get_untracked();
            let paused = self.pause.try_with_untracked(Option::is_some);
            if open == 0 || online != Some(true) || paused != Some(false) {
                return true;
            }
            TimeoutFuture::new(40).await;
        }
        false
    }

    /// Returns how often something was decided here. The number only grows.
    pub fn made(self) -> u64 {
        self.read(Engine::made)
    }
}
