//! Effects, memos, signals and stored values of Leptos, with two differences.
//!
//! They are less code: closures are boxed, and values have any type, so that Leptos' part is compiled once and not for each
//! closure or type of value, which takes 1 to 2 kB.
//!
//! Effects and memos unsubscribe from their sources when their owner is cleaned up. Leptos leaves the subscription in the
//! source, and a signal that lives as long as the app would keep one for every row that read it.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use leptos::prelude::{ArcMemo, Effect, Get, GetUntracked, RenderEffect, on_cleanup, untrack};
use leptos::reactive::graph::{AnySubscriber, Subscriber, ToAnySubscriber};

mod values;

pub use values::{RwSignal, StoredValue};

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
    StoredValue::new(effect);
}

/// Computes a value, again when a signal it read changes. `compute` receives the previous value.
pub fn memo<T: PartialEq + Send + Sync + 'static>(
    compute: impl Fn(Option<&T>) -> T + Send + Sync + 'static,
) -> Memo<T> {
    type Compute<T> = Box<dyn Fn(Option<&T>) -> T + Send + Sync>;
    let compute: Compute<T> = Box::new(compute);
    let compute: Compute<MemoValue> = Box::new(move |was| {
        let new = compute(was.map(MemoValue::get));
        MemoValue {
            value: Arc::new(new),
            is_equal: |one, other| one.get::<T>() == other.get(),
        }
    });
    let memo = ArcMemo::new(compute);
    leave_at_end(memo.to_any_subscriber());
    Memo {
        memo: memo.into(),
        of: PhantomData,
    }
}

/// A value that is computed again when a signal that it read changes. Made by [`memo`]. Reading it panics once its owner is
/// gone, like the signals of Leptos.
pub struct Memo<T: 'static> {
    memo: leptos::prelude::Memo<MemoValue>,
    of: PhantomData<fn() -> T>,
}

/// The value of a memo of any type.
#[derive(Clone)]
struct MemoValue {
    value: Arc<dyn Any + Send + Sync>,
    is_equal: fn(&Self, &Self) -> bool,
}

impl MemoValue {
    fn get<T: 'static>(&self) -> &T {
        typed(&*self.value)
    }
}

impl PartialEq for MemoValue {
    fn eq(&self, other: &Self) -> bool {
        (self.is_equal)(self, other)
    }
}

impl<T: 'static> Memo<T> {
    pub fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        read(self.memo.get().get())
    }

    pub fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        read(self.memo.get_untracked().get())
    }

    /// `None` once its owner is gone.
    pub fn try_with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        Some(read(self.memo.try_get_untracked()?.get()))
    }
}

impl<T: Clone + 'static> Memo<T> {
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }

    /// `None` once its owner is gone.
    pub fn try_get_untracked(self) -> Option<T> {
        self.try_with_untracked(T::clone)
    }
}

impl<T: 'static> Clone for Memo<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: 'static> Copy for Memo<T> {}

#[expect(
    clippy::expect_used,
    reason = "the type parameter of a memo or signal is that of its value"
)]
fn typed<T: 'static>(value: &dyn Any) -> &T {
    value
        .downcast_ref()
        .expect("a value of the type of its signal")
}

fn leave_at_end(subscriber: AnySubscriber) {
    on_cleanup(move || unsubscribe(&subscriber));
}

/// Unsubscribes a memo or an effect from its sources.
pub fn unsubscribe(subscriber: &AnySubscriber) {
    subscriber.clear_sources(subscriber);
}

/// A value that is computed whenever it is read. Reading it tracks the signals that it reads, and panics once its owner is
/// gone.
pub struct Signal<T: 'static> {
    compute: StoredValue<Box<dyn Fn() -> T>>,
}

impl<T: 'static> Signal<T> {
    pub fn derive(compute: impl Fn() -> T + 'static) -> Self {
        Self {
            compute: StoredValue::new(Box::new(compute)),
        }
    }

    pub fn get(self) -> T {
        self.compute.with_value(|compute| compute())
    }

    pub fn get_untracked(self) -> T {
        untrack(|| self.get())
    }

    pub fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        read(&self.get())
    }

    pub fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        read(&self.get_untracked())
    }

    pub fn track(self) {
        self.get();
    }
}

impl<T: Clone + Send + Sync + 'static> Signal<T> {
    /// A value that never changes.
    pub fn stored(value: T) -> Self {
        Self::derive(move || value.clone())
    }
}

impl<T: 'static> Clone for Signal<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: 'static> Copy for Signal<T> {}

impl<T: Clone + Send + Sync + 'static> From<Memo<T>> for Signal<T> {
    fn from(memo: Memo<T>) -> Self {
        Self::derive(move || memo.get())
    }
}

impl<T: Clone + Send + Sync + 'static> From<RwSignal<T>> for Signal<T> {
    fn from(signal: RwSignal<T>) -> Self {
        Self::derive(move || signal.get())
    }
}
