//! Signals, memos and effects of any type, compiled once.
//!
//! Leptos compiles its signals for each value type, about 3 kB each, and this app has many types.
//! Here the value is stored behind `dyn Any`, with a Leptos trigger next to it. Only the cast is
//! compiled per type. They behave like Leptos's own: reading a disposed value panics, except
//! through the `try_` methods.

use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

use leptos::prelude::{
    ArcMemo, Effect, Get, GetUntracked, GetValue, IsDisposed, LocalStorage, Notify, RenderEffect,
    StoredValue, Track, Trigger, on_cleanup,
};
use leptos::reactive::graph::{AnySubscriber, Subscriber, ToAnySubscriber};

/// A reactive value. It is disposed with the owner it was created under.
pub struct RwSignal<T> {
    cell: Cell<T>,
    changed: Trigger,
}

/// A derived value. It is recomputed when a source changes, and notifies its subscribers only when
/// the value differs.
pub struct Memo<T> {
    cell: Cell<Option<T>>,
    /// Increases with every change of the value.
    version: leptos::prelude::Memo<u32>,
}

/// A value behind a `Copy` handle.
struct Cell<T> {
    value: StoredValue<Rc<dyn Any>, LocalStorage>,
    of: PhantomData<fn() -> T>,
}

impl<T: 'static> Cell<T> {
    fn new(value: T) -> Self {
        let value: Rc<dyn Any> = Rc::new(RefCell::new(value));
        Self {
            value: StoredValue::new_local(value),
            of: PhantomData,
        }
    }

    /// Returns `None` if the value is disposed or is being updated.
    fn with<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        let value = self.value.try_get_value()?;
        let value = value.downcast_ref::<RefCell<T>>()?.try_borrow().ok()?;
        Some(read(&value))
    }

    fn update<U>(self, change: impl FnOnce(&mut T) -> U) -> Option<U> {
        let value = self.value.try_get_value()?;
        let mut value = value.downcast_ref::<RefCell<T>>()?.try_borrow_mut().ok()?;
        Some(change(&mut value))
    }
}

impl<T> Copy for Cell<T> {}
impl<T> Clone for Cell<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RwSignal<T> {}
impl<T> Clone for RwSignal<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Memo<T> {}
impl<T> Clone for Memo<T> {
    fn clone(&self) -> Self {
        *self
    }
}

#[cold]
#[expect(
    clippy::panic,
    reason = "as with the framework's signals: a mistake of ours"
)]
fn gone() -> ! {
    panic!("a signal was read that is gone, or that is being changed")
}

impl<T: 'static> RwSignal<T> {
    pub fn new(value: T) -> Self {
        Self {
            cell: Cell::new(value),
            changed: Trigger::new(),
        }
    }

    /// Subscribes the running effect.
    pub fn track(self) {
        self.changed.track();
    }

    /// Reads the value and subscribes the running effect.
    pub fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.track();
        self.with_untracked(read)
    }

    /// Reads the value without subscribing.
    pub fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.cell.with(read).unwrap_or_else(|| gone())
    }

    /// Reads the value without subscribing; `None` if it is disposed.
    pub fn try_with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        self.cell.with(read)
    }

    /// Updates the value and notifies. Does nothing if it is disposed.
    pub fn update<U>(self, change: impl FnOnce(&mut T) -> U) {
        let _ = self.try_update(change);
    }

    /// Updates the value and notifies; `None` if it is disposed.
    pub fn try_update<U>(self, change: impl FnOnce(&mut T) -> U) -> Option<U> {
        self.try_maybe_update(|value| (true, change(value)))
    }

    /// Updates the value; `None` if it is disposed. Notifies only if `change` returns `true`.
    pub fn try_maybe_update<U>(self, change: impl FnOnce(&mut T) -> (bool, U)) -> Option<U> {
        let (tell, result) = self.cell.update(change)?;
        if tell {
            self.changed.notify();
        }
        Some(result)
    }

    /// Replaces the value and notifies. Does nothing if it is disposed.
    pub fn set(self, value: T) {
        let _ = self.try_set(value);
    }

    /// Replaces the value and notifies; returns the new value if the signal is disposed.
    pub fn try_set(self, value: T) -> Option<T> {
        let mut value = Some(value);
        self.try_update(|old| {
            if let Some(value) = value.take() {
                *old = value;
            }
        });
        value
    }
}

impl<T: Clone + 'static> RwSignal<T> {
    /// Returns the value and subscribes the running effect.
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// Returns the value without subscribing.
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }

    /// Returns the value without subscribing; `None` if it is disposed.
    pub fn try_get_untracked(self) -> Option<T> {
        self.try_with_untracked(T::clone)
    }
}

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

/// Unsubscribes a memo or an effect from its sources on cleanup. Leptos does not, so a signal that
/// lives as long as the app would keep a subscriber for every row that ever read it.
fn leave_at_end(subscriber: AnySubscriber) {
    on_cleanup(move || leave(&subscriber));
}

/// Unsubscribes a memo or an effect from its sources.
pub fn leave(subscriber: &AnySubscriber) {
    subscriber.clear_sources(subscriber);
}

/// Computes a value from the previous one.
type Compute<T> = Box<dyn Fn(Option<&T>) -> T>;

/// Recomputes the value and returns whether it changed.
type Recompute = Rc<dyn Fn() -> bool>;

fn version(make: Recompute) -> leptos::prelude::Memo<u32> {
    let make = StoredValue::new_local(make);
    let version = ArcMemo::new(move |before: Option<&u32>| {
        let other = make.try_get_value().is_some_and(|make| make());
        before
            .copied()
            .unwrap_or_default()
            .wrapping_add(u32::from(other))
    });
    leave_at_end(version.to_any_subscriber());
    version.into()
}

impl<T: PartialEq + 'static> Memo<T> {
    /// Returns a memo. `make` receives the previous value.
    pub fn new(make: impl Fn(Option<&T>) -> T + 'static) -> Self {
        Self::of(Box::new(make))
    }

    /// Boxed, so that it is compiled per type and not per memo.
    fn of(make: Compute<T>) -> Self {
        let cell = Cell::new(None);
        let make: Recompute = Rc::new(move || {
            let made = cell.with(|before| make(before.as_ref()));
            cell.update(|value| {
                let other = *value != made;
                *value = made;
                other
            })
            .unwrap_or_default()
        });
        Self {
            cell,
            version: version(make),
        }
    }

    /// Subscribes the running effect.
    pub fn track(self) {
        let _ = self.version.get();
    }

    /// Reads the value and subscribes the running effect.
    pub fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.track();
        self.read(read)
    }

    /// Reads the value without subscribing.
    pub fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        let _ = self.version.get_untracked();
        self.read(read)
    }

    /// Reads the value without subscribing; `None` if it is disposed.
    pub fn try_with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        self.version.try_get_untracked()?;
        self.cell.with(|value| value.as_ref().map(read)).flatten()
    }

    fn read<U>(self, read: impl FnOnce(&T) -> U) -> U {
        let read = self.cell.with(|value| value.as_ref().map(read));
        read.flatten().unwrap_or_else(|| gone())
    }
}

impl<T: PartialEq + Clone + 'static> Memo<T> {
    /// Returns the value and subscribes the running effect.
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// Returns the value without subscribing.
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }
}
