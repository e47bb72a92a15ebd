//! Effects and memos of Leptos, with two differences: their closures are boxed, so that the code is compiled once per type
//! and not per closure, and they unsubscribe from their sources when their owner is cleaned up. Leptos leaves the
//! subscription in the source, and a signal that lives as long as the app would keep one for every row that read it.

use leptos::prelude::*;
use leptos::reactive::graph::{AnySubscriber, Subscriber, ToAnySubscriber};

/// Runs an effect soon, and again whenever a signal it read changes.
pub fn effect(run: impl FnMut() + 'static) {
    let mut run: Box<dyn FnMut()> = Box::new(run);
    // The first run is deferred, and by then everything it reads may be disposed.
    let place = StoredValue::new(());
    let run: Box<dyn FnMut(Option<()>)> = Box::new(move |_| {
        if !place.is_disposed() {
            run();
        }
    });
    let effect = Effect::new(run);
    leave_at_end(effect.to_any_subscriber());
}

/// Runs an effect immediately, and again whenever a signal it read changes.
pub fn effect_now(run: impl FnMut() + 'static) {
    let mut run: Box<dyn FnMut()> = Box::new(run);
    let run: Box<dyn FnMut(Option<()>)> = Box::new(move |_| run());
    let effect = RenderEffect::new(run);
    leave_at_end(effect.to_any_subscriber());
    // Stored with the owner, and dropped with it.
    StoredValue::new_local(effect);
}

type Compute<T> = Box<dyn Fn(Option<&T>) -> T + Send + Sync>;

/// Computes a value, again when a signal it read changes. `compute` receives the previous value. The memo must be read:
/// tracking it alone does not subscribe it to its sources.
pub fn memo<T: PartialEq + Send + Sync + 'static>(
    compute: impl Fn(Option<&T>) -> T + Send + Sync + 'static,
) -> Memo<T> {
    let compute: Compute<T> = Box::new(compute);
    let memo = ArcMemo::new(compute);
    leave_at_end(memo.to_any_subscriber());
    memo.into()
}

fn leave_at_end(subscriber: AnySubscriber) {
    on_cleanup(move || unsubscribe(&subscriber));
}

/// Unsubscribes a memo or an effect from its sources.
pub fn unsubscribe(subscriber: &AnySubscriber) {
    subscriber.clear_sources(subscriber);
}
