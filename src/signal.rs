//! Signals, memos and effects of any type, compiled once.
//!
//! The framework compiles its signals anew for each type that they hold, about three kilobytes each, and this
//! app holds many. Here the value lies in a cell behind `dyn Any`, beside a trigger of the framework's;
//! what is compiled for each type is the cast. They read and behave as the framework's do.

use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

use leptos::prelude::{
    ArcMemo, Effect, Get, GetUntracked, GetValue, IsDisposed, LocalStorage, Notify, RenderEffect,
    StoredValue, Track, Trigger, on_cleanup,
};
use leptos::reactive::graph::{AnySubscriber, Subscriber, ToAnySubscriber};

/// A value in the reactive graph. It goes with the owner that it was made under.
pub struct RwSignal<T> {
    cell: Cell<T>,
    changed: Trigger,
}

/// A value made of others, and made again when one of them changes; whoever reads it hears of it only
/// when it is another value.
pub struct Memo<T> {
    cell: Cell<Option<T>>,
    /// Grows with every change.
    version: leptos::prelude::Memo<u32>,
}

/// A value behind a handle that can be copied.
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

    /// Nothing once it is gone, and while it is being changed.
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
    /// A signal with a value.
    pub fn new(value: T) -> Self {
        Self {
            cell: Cell::new(value),
            changed: Trigger::new(),
        }
    }

    /// The effect that runs now hears of changes.
    pub fn track(self) {
        self.changed.track();
    }

    /// Reads the value, and hears of changes.
    pub fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.track();
        self.with_untracked(read)
    }

    /// Reads the value.
    pub fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.cell.with(read).unwrap_or_else(|| gone())
    }

    /// Reads the value, if it is still there.
    pub fn try_with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        self.cell.with(read)
    }

    /// Changes the value, and tells.
    pub fn update<U>(self, change: impl FnOnce(&mut T) -> U) {
        let _ = self.try_update(change);
    }

    /// Changes the value if it is still there, and tells.
    pub fn try_update<U>(self, change: impl FnOnce(&mut T) -> U) -> Option<U> {
        self.try_maybe_update(|value| (true, change(value)))
    }

    /// Changes the value if it is still there; the change says whether there is something to tell.
    pub fn try_maybe_update<U>(self, change: impl FnOnce(&mut T) -> (bool, U)) -> Option<U> {
        let (tell, result) = self.cell.update(change)?;
        if tell {
            self.changed.notify();
        }
        Some(result)
    }

    /// Puts another value in place, and tells.
    pub fn set(self, value: T) {
        let _ = self.try_set(value);
    }

    /// Puts another value in place if the signal is still there, and tells; else gives it back.
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
    /// The value; hears of changes.
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// The value.
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }

    /// The value, if it is still there.
    pub fn try_get_untracked(self) -> Option<T> {
        self.try_with_untracked(T::clone)
    }
}

/// Runs something soon, and again whenever a signal that it read changes.
pub fn effect(run: impl FnMut() + 'static) {
    let mut run: Box<dyn FnMut()> = Box::new(run);
    // The first run comes later, and by then all that it reads may be gone.
    let place = StoredValue::new(());
    let run: Box<dyn FnMut(Option<()>)> = Box::new(move |_| {
        if !place.is_disposed() {
            run();
        }
    });
    let effect = Effect::new(run);
    leave_at_end(effect.to_any_subscriber());
}

/// An effect whose first run is now.
pub fn effect_now(run: impl FnMut() + 'static) {
    let mut run: Box<dyn FnMut()> = Box::new(run);
    let run: Box<dyn FnMut(Option<()>)> = Box::new(move |_| run());
    let effect = RenderEffect::new(run);
    leave_at_end(effect.to_any_subscriber());
    // Kept by the owner, and gone with it.
    StoredValue::new_local(effect);
}

/// A memo or an effect that ends is taken out of what it read. The framework leaves it there, so that a
/// signal which lives as long as the app would keep a trace of every row that ever read it.
fn leave_at_end(subscriber: AnySubscriber) {
    on_cleanup(move || leave(&subscriber));
}

/// Takes a memo or an effect out of what it read.
pub fn leave(subscriber: &AnySubscriber) {
    subscriber.clear_sources(subscriber);
}

/// Makes a value, given the one before.
type Making<T> = Box<dyn Fn(Option<&T>) -> T>;

/// Makes the value again, and says whether it is another one.
type Make = Rc<dyn Fn() -> bool>;

fn version(make: Make) -> leptos::prelude::Memo<u32> {
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
    /// A memo. What it is made of is given the value before.
    pub fn new(make: impl Fn(Option<&T>) -> T + 'static) -> Self {
        Self::of(Box::new(make))
    }

    /// Boxed, so that this is compiled once for each type and not for each memo.
    fn of(make: Making<T>) -> Self {
        let cell = Cell::new(None);
        let make: Make = Rc::new(move || {
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

    /// The effect that runs now hears of changes.
    pub fn track(self) {
        let _ = self.version.get();
    }

    /// Reads the value, and hears of changes.
    pub fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.track();
        self.read(read)
    }

    /// Reads the value.
    pub fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        let _ = self.version.get_untracked();
        self.read(read)
    }

    /// Reads the value, if it is still there.
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
    /// The value; hears of changes.
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    /// The value.
    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }
}
