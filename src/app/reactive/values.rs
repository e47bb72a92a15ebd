//! Signals and stored values. As in Leptos, they are dropped with the owner under which they were made. A later write has no
//! effect.

use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::hint::black_box;
use std::marker::PhantomData;
use std::rc::Rc;

use leptos::prelude::{ArcTrigger, LocalStorage, Notify, Track};
use leptos::reactive::owner::ArenaItem;

/// A value of any type, and the trigger that notifies its readers.
struct Kept {
    readers: OnceCell<ArcTrigger>,
    value: RefCell<Box<dyn Any>>,
}

impl Kept {
    fn track(&self) {
        self.readers.get_or_init(ArcTrigger::new).track();
    }

    fn notify(&self) {
        if let Some(readers) = self.readers.get() {
            readers.notify();
        }
    }

    fn with<T: 'static, U>(&self, read: impl FnOnce(&T) -> U) -> U {
        read(super::typed(&**self.value.borrow()))
    }

    fn update<T: 'static, U>(&self, update: impl FnOnce(&mut T) -> U) -> U {
        update(typed_mut(&mut **self.value.borrow_mut()))
    }
}

/// The place in Leptos' arena. The value is shared, so that it is not read inside the arena.
type Item = ArenaItem<Rc<Kept>, LocalStorage>;

#[expect(
    clippy::expect_used,
    reason = "the type parameter of a signal is that of its value"
)]
fn typed_mut<T: 'static>(value: &mut dyn Any) -> &mut T {
    value
        .downcast_mut()
        .expect("a value of the type of its signal")
}

// None of these is generic, so each is compiled once.

fn keep(value: Box<dyn Any>) -> Item {
    ArenaItem::new_local(Rc::new(Kept {
        readers: OnceCell::new(),
        value: RefCell::new(value),
    }))
}

fn kept(item: Item) -> Option<Rc<Kept>> {
    item.try_get_value()
}

#[expect(
    clippy::expect_used,
    reason = "values are read while their owner exists, or with a `try_` method"
)]
fn alive(item: Item) -> Rc<Kept> {
    kept(item).expect("a value whose owner is alive")
}

fn tracked(item: Item) -> Rc<Kept> {
    let kept = alive(item);
    kept.track();
    kept
}

fn replace(item: Item, value: Box<dyn Any>) {
    if let Some(kept) = kept(item) {
        // The old value is dropped when the new one can be read.
        let _old = kept.value.replace(value);
        kept.notify();
    }
}

/// A value whose changes are not tracked.
pub struct StoredValue<T: 'static> {
    item: Item,
    of: PhantomData<fn() -> T>,
}

impl<T: 'static> StoredValue<T> {
    pub fn new(value: T) -> Self {
        Self {
            item: keep(Box::new(value)),
            of: PhantomData,
        }
    }

    pub fn is_disposed(self) -> bool {
        kept(self.item).is_none()
    }

    pub fn with_value<U>(self, read: impl FnOnce(&T) -> U) -> U {
        alive(self.item).with(read)
    }

    /// `None` once its owner is gone.
    pub fn try_with_value<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        Some(kept(self.item)?.with(read))
    }

    pub fn set_value(self, value: T) {
        // Without the hint, the compiler may use the function pointers and vtables of a value that is only set in a lazily
        // loaded part for the undefined bytes of a first `None`, and their code becomes a part of the first page.
        replace(self.item, Box::new(black_box(value)));
    }

    pub fn update_value(self, update: impl FnOnce(&mut T)) {
        self.try_update_value(update);
    }

    /// `None` once its owner is gone.
    pub fn try_update_value<U>(self, update: impl FnOnce(&mut T) -> U) -> Option<U> {
        Some(kept(self.item)?.update(update))
    }
}

impl<T: Clone + 'static> StoredValue<T> {
    pub fn get_value(self) -> T {
        self.with_value(T::clone)
    }

    /// `None` once its owner is gone.
    pub fn try_get_value(self) -> Option<T> {
        self.try_with_value(T::clone)
    }
}

impl<T: 'static> Clone for StoredValue<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: 'static> Copy for StoredValue<T> {}

/// A value that notifies the effects and memos that read it of its changes.
pub struct RwSignal<T: 'static> {
    value: StoredValue<T>,
}

impl<T: 'static> RwSignal<T> {
    pub fn new(value: T) -> Self {
        Self {
            value: StoredValue::new(value),
        }
    }

    pub fn is_disposed(self) -> bool {
        self.value.is_disposed()
    }

    pub fn track(self) {
        tracked(self.value.item);
    }

    pub fn with<U>(self, read: impl FnOnce(&T) -> U) -> U {
        tracked(self.value.item).with(read)
    }

    pub fn with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> U {
        self.value.with_value(read)
    }

    /// `None` once its owner is gone.
    pub fn try_with<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        let kept = kept(self.value.item)?;
        kept.track();
        Some(kept.with(read))
    }

    /// `None` once its owner is gone.
    pub fn try_with_untracked<U>(self, read: impl FnOnce(&T) -> U) -> Option<U> {
        self.value.try_with_value(read)
    }

    /// Notifies, also if the value is the same.
    pub fn set(self, value: T) {
        self.value.set_value(value);
    }

    pub fn update(self, update: impl FnOnce(&mut T)) {
        self.try_update(update);
    }

    /// `None` once its owner is gone.
    pub fn try_update<U>(self, update: impl FnOnce(&mut T) -> U) -> Option<U> {
        let updated = self.value.try_update_value(update);
        self.notify();
        updated
    }

    /// Notifies only if the update returns true.
    pub fn maybe_update(self, update: impl FnOnce(&mut T) -> bool) {
        self.try_maybe_update(|value| (update(value), ()));
    }

    /// Notifies only if the update returns true. `None` once its owner is gone.
    pub fn try_maybe_update<U>(self, update: impl FnOnce(&mut T) -> (bool, U)) -> Option<U> {
        let (is_changed, result) = self.value.try_update_value(update)?;
        if is_changed {
            self.notify();
        }
        Some(result)
    }

    pub fn update_untracked<U>(self, update: impl FnOnce(&mut T) -> U) -> U {
        alive(self.value.item).update(update)
    }

    pub fn notify(self) {
        if let Some(kept) = kept(self.value.item) {
            kept.notify();
        }
    }
}

impl<T: Clone + 'static> RwSignal<T> {
    pub fn get(self) -> T {
        self.with(T::clone)
    }

    pub fn get_untracked(self) -> T {
        self.with_untracked(T::clone)
    }

    /// `None` once its owner is gone.
    pub fn try_get(self) -> Option<T> {
        self.try_with(T::clone)
    }

    /// `None` once its owner is gone.
    pub fn try_get_untracked(self) -> Option<T> {
        self.try_with_untracked(T::clone)
    }
}

impl<T: 'static> Clone for RwSignal<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: 'static> Copy for RwSignal<T> {}
