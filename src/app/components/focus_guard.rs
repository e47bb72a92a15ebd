//! Focus guard: restores the focus when the focused element is removed, hidden or disabled. Otherwise browsers leave
//! the focus on `body`, where keyboard shortcuts and screen readers find nothing.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use js_sys::Array;
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, Event, FocusOptions, HtmlElement, MutationObserver, MutationObserverInit};

use super::dom::{El, div, effect};
use crate::app::reactive::StoredValue;

/// Containers that keep the focus inside, if they have another control that can take it.
const CONTAINERS: &str = "dialog, [role=toolbar], [role=region], [role=complementary]";

/// Selector for focusable controls.
const CONTROLS: &str = "button:not(:disabled), a[href], input:not(:disabled), [tabindex]";

/// The element that had the focus last.
#[derive(Default)]
struct LastFocus {
    element: Option<Element>,
    /// Its kind and its label or text, to recognize the element that replaces it.
    name: String,
    /// Its ancestors, nearest first. Some of them may be removed with it.
    around: Vec<Element>,
    check: Option<Timeout>,
}

/// Renders a hidden element that guards the focus of the app it is added to.
pub fn focus_guard() -> El {
    let place = div().class("focus-guard").attr("hidden", "");
    let node = place.node();
    effect(move || {
        // By the time the effect runs, the element is in the page.
        if let Ok(Some(app)) = node.closest(".app") {
            guard(&app);
        }
    });
    place
}

fn guard(root: &Element) {
    let last = Rc::new(RefCell::new(LastFocus::default()));
    // The app may have been in use before this code was loaded.
    let focused = document().active_element();
    let focused = focused.filter(|focused| root.contains(Some(focused)));
    remember(&mut last.borrow_mut(), focused);
    let on_focus = {
        let last = Rc::clone(&last);
        Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            let target = event.target().and_then(|target| target.dyn_into().ok());
            remember(&mut last.borrow_mut(), target);
        })
    };
    // Adding a listener to an element cannot fail.
    let _ = root.add_event_listener_with_callback("focusin", on_focus.as_ref().unchecked_ref());
    let on_change = Closure::<dyn FnMut()>::new(move || {
        let waits = {
            let last = last.borrow();
            last.check.is_some() || last.element.is_none()
        };
        if waits || !is_nowhere() {
            return;
        }
        let checked = Rc::clone(&last);
        // The code that removed the element may move the focus itself.
        let check = Timeout::new(0, move || {
            let lost = {
                let mut last = checked.borrow_mut();
                last.check = None;
                LastFocus {
                    element: last.element.take(),
                    name: std::mem::take(&mut last.name),
                    around: std::mem::take(&mut last.around),
                    check: None,
                }
            };
            if is_nowhere() {
                restore(&lost);
            }
        });
        last.borrow_mut().check = Some(check);
    });
    let observer = MutationObserver::new(on_change.as_ref().unchecked_ref());
    let options = MutationObserverInit::new();
    options.set_child_list(true);
    options.set_subtree(true);
    options.set_attributes(true);
    options.set_attribute_filter(&Array::of2(&"disabled".into(), &"hidden".into()));
    if let Ok(observer) = &observer {
        let _ = observer.observe_with_options(root, &options);
    }
    StoredValue::new(FocusGuard {
        root: root.clone(),
        observer: observer.ok(),
        _on_change: on_change,
        on_focus,
    });
}

/// Observer and listener of one app; both stop when it is dropped.
struct FocusGuard {
    root: Element,
    observer: Option<MutationObserver>,
    _on_change: Closure<dyn FnMut()>,
    on_focus: Closure<dyn FnMut(Event)>,
}

impl Drop for FocusGuard {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
        let listener = self.on_focus.as_ref().unchecked_ref();
        let _ = self
            .root
            .remove_event_listener_with_callback("focusin", listener);
    }
}

fn is_nowhere() -> bool {
    let active = document().active_element();
    active.is_none_or(|active| active.tag_name() == "BODY")
}

fn remember(last: &mut LastFocus, target: Option<Element>) {
    last.name = target.as_ref().map(name).unwrap_or_default();
    last.around.clear();
    let mut next = target.as_ref().and_then(|target| target.parent_element());
    while let Some(around) = next {
        next = around.parent_element();
        last.around.push(around);
    }
    last.element = target;
}

/// Returns what tells a control from its neighbors: its kind, and its label or text. Empty without the latter.
fn name(element: &Element) -> String {
    let label = element.get_attribute("aria-label");
    match label.or_else(|| element.text_content()) {
        // The link to the leads is not the list of the leads.
        Some(label) if !label.is_empty() => [&element.tag_name(), " ", &label].concat(),
        _ => String::new(),
    }
}

/// Moves the focus to the replacement of the lost element, or to the nearest control.
fn restore(lost: &LastFocus) {
    if lost.element.as_ref().is_some_and(is_usable) {
        // The element is still usable: the user moved the focus away.
        return;
    }
    let near = lost.around.iter().find(|around| around.is_connected());
    let Some(near) = near else { return };
    let place = near.closest(CONTAINERS).ok().flatten();
    let found = place.and_then(|place| alike(&place, &lost.name).or_else(|| first(&place)));
    let found = found.or_else(|| {
        let root = near.closest(".app").ok().flatten()?;
        let find = |what: &str| root.query_selector(what).ok().flatten();
        alike(near, &lost.name)
            .or_else(|| find("[role=grid]"))
            .or_else(|| find(CONTROLS))
    });
    if let Some(found) = found {
        let options = FocusOptions::new();
        options.set_prevent_scroll(true);
        let _ = found
            .unchecked_into::<HtmlElement>()
            .focus_with_options(&options);
    }
}

/// Returns whether an element is in the page, enabled and visible.
fn is_usable(element: &Element) -> bool {
    let off = element.matches(":disabled, [hidden] *").unwrap_or_default();
    element.is_connected() && !off && element.get_bounding_client_rect().width() > 0.0
}

/// Returns the first usable control with this name.
fn alike(place: &Element, wanted: &str) -> Option<Element> {
    let found = place.query_selector_all(CONTROLS).ok()?;
    let all = (0..found.length()).filter_map(|at| found.item(at)?.dyn_into::<Element>().ok());
    let mut usable = all.filter(is_usable);
    usable.find(|control| !wanted.is_empty() && name(control) == wanted)
}

fn first(place: &Element) -> Option<Element> {
    let found = place.query_selector_all(CONTROLS).ok()?;
    let mut all = (0..found.length()).filter_map(|at| found.item(at)?.dyn_into::<Element>().ok());
    all.find(is_usable)
}
