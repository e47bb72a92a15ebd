//! Elements that are built once and kept up to date by effects.
//!
//! The framework's `view!` macro compiles a separate type for every element and for every closure in it. That is
//! fast, but it made this app nearly twice as large (see ARCHITECTURE.md). Here an element is a single type and
//! closures are boxed, so that this code is compiled once. The signals and effects are the framework's.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::reactive::graph::ToAnySubscriber;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlElement, Node};

pub use crate::app::signal::effect;
use crate::app::signal::leave;

/// An element with the effects that keep it up to date. Dropping it stops the updates.
pub struct El {
    node: Element,
    kept: Vec<Subscription>,
}

/// Reads a value that may change; an effect that reads it runs again when it does.
pub type Reader<T> = Rc<dyn Fn() -> T>;

/// Handles a user action.
pub type Action<T> = Rc<dyn Fn(T)>;

pub fn reader<T>(read: impl Fn() -> T + 'static) -> Reader<T> {
    Rc::new(read)
}

pub fn action<T>(act: impl Fn(T) + 'static) -> Action<T> {
    Rc::new(act)
}

/// Effects and listeners with the lifetime of an element.
enum Subscription {
    Part(RenderEffect<()>),
    View(RenderEffect<Option<El>>),
    Rows(RenderEffect<Vec<RenderedRow>>),
    Listener {
        node: Element,
        event: &'static str,
        listener: Closure<dyn FnMut(Event)>,
    },
}

impl Drop for Subscription {
    fn drop(&mut self) {
        match self {
            // The framework drops the value of an effect only when the effect's task ends, one turn of the event loop
            // later. In between, nested effects would run once more and find the values that they read gone.
            Self::View(effect) => {
                drop(effect.take_value());
                leave(&effect.to_any_subscriber());
            }
            Self::Rows(effect) => {
                drop(effect.take_value());
                leave(&effect.to_any_subscriber());
            }
            // `scroll`, `close` and other events fire one turn later, even if the element is gone by then.
            Self::Listener {
                node,
                event,
                listener,
            } => {
                let listener = listener.as_ref().unchecked_ref();
                // Removing a listener cannot fail.
                let _ = node.remove_event_listener_with_callback(event, listener);
            }
            Self::Part(effect) => leave(&effect.to_any_subscriber()),
        }
    }
}

pub fn el(tag: &str) -> El {
    El::over(document().create_element(tag))
}

pub fn classed(tag: &str, class: &str) -> El {
    el(tag).attr("class", class)
}

pub fn button(class: &str, label: &str) -> El {
    classed("button", class).attr("type", "button").text(label)
}

/// Creates an element from markup that this program wrote itself. Never pass text from elsewhere: it is not escaped.
pub fn drawn(markup: &str) -> El {
    let host = el("template");
    host.node.set_inner_html(markup);
    let content = host
        .node
        .unchecked_ref::<web_sys::HtmlTemplateElement>()
        .content();
    El::over(content.first_element_child().ok_or(JsValue::NULL))
}

impl El {
    fn over(node: Result<Element, JsValue>) -> Self {
        #[expect(
            clippy::expect_used,
            reason = "every tag in this program is a valid name"
        )]
        let node = node.expect("an element");
        Self {
            node,
            kept: Vec::new(),
        }
    }

    /// Wraps an existing element.
    pub fn of(node: Element) -> Self {
        Self::over(Ok(node))
    }

    pub fn node(&self) -> Element {
        self.node.clone()
    }

    pub fn attr(self, name: &str, value: &str) -> Self {
        set(&self.node, name, value);
        self
    }

    /// Sets an attribute if there is a value.
    pub fn attr_opt(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.attr(name, value),
            None => self,
        }
    }

    /// Keeps an attribute up to date.
    pub fn attr_of(self, name: &'static str, value: impl FnMut() -> String + 'static) -> Self {
        let node = self.node.clone();
        self.kept_text(Box::new(value), move |value| set(&node, name, value))
    }

    /// Keeps a style property up to date. Does not set the attribute, which a CSP may forbid.
    pub fn style_of(self, name: &'static str, value: impl FnMut() -> String + 'static) -> Self {
        let style = self.node.unchecked_ref::<HtmlElement>().style();
        self.kept_text(Box::new(value), move |value| {
            // An invalid value is ignored.
            let _ = style.set_property(name, value);
        })
    }

    /// Keeps a property up to date, such as the value of an input.
    pub fn prop_of(self, name: &'static str, value: impl FnMut() -> JsValue + 'static) -> Self {
        let node = self.node.clone();
        let mut value: Box<dyn FnMut() -> JsValue> = Box::new(value);
        self.part(Box::new(move |_| {
            // Assigning an existing property cannot fail.
            let _ = js_sys::Reflect::set(&node, &name.into(), &value());
        }))
    }

    /// Adds a text, unless it is empty.
    pub fn text(self, text: &str) -> Self {
        if !text.is_empty() {
            self.append(&document().create_text_node(text));
        }
        self
    }

    /// Adds a text and keeps it up to date.
    pub fn text_of(self, text: impl FnMut() -> String + 'static) -> Self {
        let node = document().create_text_node("");
        self.append(&node);
        self.kept_text(Box::new(text), move |text| node.set_data(text))
    }

    pub fn el(mut self, child: Self) -> Self {
        self.append(&child.node);
        self.kept.extend(child.kept);
        self
    }

    pub fn el_opt(self, child: Option<Self>) -> Self {
        match child {
            Some(child) => self.el(child),
            None => self,
        }
    }

    pub fn els(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        for child in children {
            self = self.el(child);
        }
        self
    }

    /// Adds a slot whose element is replaced whenever a signal that `child` read changes.
    pub fn el_of(mut self, child: impl FnMut() -> Option<Self> + 'static) -> Self {
        let place = document().create_comment("");
        self.append(&place);
        let mut child: Box<dyn FnMut() -> Option<Self>> = Box::new(child);
        let effect: Box<dyn FnMut(Option<Option<Self>>) -> Option<Self>> = Box::new(move |old| {
            if let Some(Some(old)) = old {
                old.node.remove();
            }
            let new = child()?;
            insert(&new.node, &place);
            Some(new)
        });
        self.kept
            .push(Subscription::View(RenderEffect::new(effect)));
        self
    }

    /// Adds keyed rows. A row with the same key and version keeps its element; only its index changes.
    pub fn rows_of(mut self, rows: Reader<Vec<KeyedRow>>) -> Self {
        let place = document().create_comment("");
        self.append(&place);
        // Rows outlive the run of the effect that created them.
        let owners = RowOwners::under(Owner::current().unwrap_or_default());
        let effect: Box<dyn FnMut(Option<Vec<RenderedRow>>) -> Vec<RenderedRow>> =
            Box::new(move |old| arrange(&place, &owners, old.unwrap_or_default(), &rows()));
        self.kept
            .push(Subscription::Rows(RenderEffect::new(effect)));
        self
    }

    /// Adds an event listener that is removed when the element is dropped.
    pub fn on(mut self, event: &'static str, listener: impl FnMut(Event) + 'static) -> Self {
        let listener = Closure::<dyn FnMut(Event)>::new(listener);
        // Adding a listener to an element cannot fail.
        let _ = self
            .node
            .add_event_listener_with_callback(event, listener.as_ref().unchecked_ref());
        self.kept.push(Subscription::Listener {
            node: self.node.clone(),
            event,
            listener,
        });
        self
    }

    /// Keeps a text up to date. An unchanged text is not written again, because writing invalidates the layout.
    fn kept_text(
        self,
        mut text: Box<dyn FnMut() -> String>,
        write: impl Fn(&str) + 'static,
    ) -> Self {
        let write: Box<dyn Fn(&str)> = Box::new(write);
        let mut before = None;
        self.part(Box::new(move |_| {
            let now = text();
            if before.as_deref() != Some(&*now) {
                write(&now);
                before = Some(now);
            }
        }))
    }

    /// Runs `update` now, and again whenever a signal that it read changes.
    pub(super) fn part(mut self, update: Box<dyn FnMut(Option<()>)>) -> Self {
        self.kept
            .push(Subscription::Part(RenderEffect::new(update)));
        self
    }

    fn append(&self, child: &Node) {
        // A new node can be inserted anywhere.
        let _ = self.node.append_child(child);
    }
}

/// A row of a keyed list.
#[derive(Clone)]
pub struct KeyedRow {
    /// Unique among the rows.
    pub key: Arc<str>,
    /// Changes when the row must be rendered again.
    pub version: u32,
    /// Index in the whole list, of which these rows may be a part.
    pub index: u64,
    /// Renders the row. Its index may change while the row stays.
    pub draw: Rc<dyn Fn(ArcReadSignal<u64>) -> El>,
}

/// A row in the page.
struct RenderedRow {
    row: (Arc<str>, u32),
    index: ArcRwSignal<u64>,
    el: El,
    owner: Owner,
    owners: RowOwners,
}

impl Drop for RenderedRow {
    fn drop(&mut self) {
        self.el.node.remove();
        self.owner.cleanup();
        self.owners.spare.borrow_mut().push(self.owner.clone());
    }
}

/// The reactive owners of a list's rows. An owner that a row has left is reused for the next one: a parent keeps a
/// trace of every child that it ever had, and a day of scrolling renders a million rows.
#[derive(Clone)]
struct RowOwners {
    parent: Owner,
    spare: Rc<RefCell<Vec<Owner>>>,
}

impl RowOwners {
    fn under(parent: Owner) -> Self {
        Self {
            parent,
            spare: Rc::default(),
        }
    }

    fn next(&self) -> Owner {
        let spare = self.spare.borrow_mut().pop();
        spare.unwrap_or_else(|| self.parent.child())
    }
}

/// Brings the rows before `place` into a new order, and renders only those that are new.
fn arrange(
    place: &Node,
    owners: &RowOwners,
    old: Vec<RenderedRow>,
    rows: &[KeyedRow],
) -> Vec<RenderedRow> {
    let mut old: Vec<Option<RenderedRow>> = old.into_iter().map(Some).collect();
    let mut from = 0;
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        let is_it = |item: &Option<RenderedRow>| {
            let item = item.as_ref();
            item.is_some_and(|item| item.row.0 == row.key && item.row.1 == row.version)
        };
        // Most rows keep their order, so the next old row is usually the right one.
        let found = match old.get(from).is_some_and(is_it) {
            true => Some(from),
            false => old.iter().position(is_it),
        };
        let item = match found.and_then(|at| old[at].take().map(|item| (at, item))) {
            Some((at, item)) => {
                from = at + 1;
                if item.index.get_untracked() != row.index {
                    item.index.set(row.index);
                }
                item
            }
            None => {
                let owner = owners.next();
                let number = ArcRwSignal::new(row.index);
                let el = owner.with(|| untrack(|| (row.draw)(number.read_only())));
                RenderedRow {
                    row: (Arc::clone(&row.key), row.version),
                    index: number,
                    el,
                    owner,
                    owners: owners.clone(),
                }
            }
        };
        items.push(item);
    }
    drop(old);
    // From the last to the first: rows that are already in place are not moved.
    let mut next: Node = place.clone();
    for item in items.iter().rev() {
        if item.el.node.next_sibling().as_ref() != Some(&next) {
            insert(&item.el.node, &next);
        }
        next = item.el.node.clone().into();
    }
    items
}

fn insert(node: &Node, before: &Node) {
    if let Some(parent) = before.parent_node() {
        // Both nodes are ours, and neither contains the other.
        let _ = parent.insert_before(node, Some(before));
    }
}

fn set(node: &Element, name: &str, value: &str) {
    // All attribute names in this program are valid.
    let _ = node.set_attribute(name, value);
}
