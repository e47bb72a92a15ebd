//! Signals and stored values, and the memos that read them.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use lead_workspace::app::reactive::{Memo, RwSignal, StoredValue, memo};
use leptos::reactive::owner::Owner;

/// Runs a test under an owner, as the app runs.
fn owned<T>(test: impl FnOnce() -> T) -> (Owner, T) {
    let owner = Owner::new();
    let result = owner.with(test);
    (owner, result)
}

/// A memo of a signal, and how often it was computed.
fn counted(signal: RwSignal<u32>) -> (Memo<u32>, Arc<AtomicU32>) {
    let runs = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&runs);
    let doubled = memo(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
        signal.get() * 2
    });
    (doubled, runs)
}

#[test]
fn readers_are_notified_of_changes_only() {
    let _owner = owned(|| {
        let signal = RwSignal::new(1);
        let (doubled, runs) = counted(signal);
        let runs = || runs.load(Ordering::Relaxed);
        assert_eq!((doubled.get_untracked(), runs()), (2, 1));
        signal.set(2);
        assert_eq!((doubled.get_untracked(), runs()), (4, 2));
        signal.update(|value| *value += 1);
        assert_eq!((doubled.get_untracked(), runs()), (6, 3));
        assert_eq!(signal.try_update(|value| *value), Some(3));
        assert_eq!((doubled.get_untracked(), runs()), (6, 4));
        signal.notify();
        assert_eq!((doubled.get_untracked(), runs()), (6, 5));
        signal.maybe_update(|value| {
            *value = 4;
            false
        });
        signal.update_untracked(|value| *value += 1);
        assert_eq!((doubled.get_untracked(), runs()), (6, 5));
        assert_eq!(signal.try_maybe_update(|value| (true, *value)), Some(5));
        assert_eq!((doubled.get_untracked(), runs()), (10, 6));
    });
}

#[test]
fn reads_without_tracking_are_not_notified() {
    let _owner = owned(|| {
        let signal = RwSignal::new(1);
        let read = memo(move |_| signal.get_untracked() + signal.with_untracked(|value| *value));
        let tracked = memo(move |_| {
            signal.track();
            signal.try_get_untracked()
        });
        assert_eq!(
            (read.get_untracked(), tracked.get_untracked()),
            (2, Some(1))
        );
        signal.set(2);
        assert_eq!(
            (read.get_untracked(), tracked.get_untracked()),
            (2, Some(2))
        );
    });
}

#[test]
fn a_value_can_be_replaced_while_it_is_read_by_its_own_drop() {
    /// Reads the value that replaces it when it is dropped.
    struct Last(StoredValue<Option<Last>>, Rc<Cell<bool>>);
    impl Drop for Last {
        fn drop(&mut self) {
            self.1
                .set(self.0.try_with_value(Option::is_none) == Some(true));
        }
    }
    let saw_the_new_value = Rc::new(Cell::new(false));
    let _owner = owned(|| {
        let value = StoredValue::new(None);
        value.set_value(Some(Last(value, Rc::clone(&saw_the_new_value))));
        value.set_value(None);
    });
    assert!(saw_the_new_value.get());
}

#[test]
fn values_end_with_their_owner() {
    let dropped = Rc::new(());
    let (owner, (signal, value)) = owned(|| {
        let value = StoredValue::new(Rc::clone(&dropped));
        (RwSignal::new(1), value)
    });
    assert_eq!(signal.try_get(), Some(1));
    assert!(!signal.is_disposed() && value.try_get_value().is_some());
    owner.cleanup();
    assert!(signal.is_disposed() && value.is_disposed());
    assert_eq!(Rc::strong_count(&dropped), 1);
    // Late writes, as by a response, have no effect.
    signal.set(2);
    signal.update(|value| *value += 1);
    signal.notify();
    value.set_value(dropped);
    assert_eq!(
        (signal.try_get(), signal.try_update(|value| *value)),
        (None, None)
    );
    assert!(value.try_update_value(|_| ()).is_none());
}
