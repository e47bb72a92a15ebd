//! Elements, put together at once and kept up to date by effects.
//!
//! The framework's `view!` compiles a type of its own for every element and for every closure in
//! it. That is fast, but this app weighed nearly twice as much that way (see ARCHITECTURE.md). Here an element is one type and a
//! closure is boxed, so that all of this is compiled once; the signals and effects are the framework's.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::reactive::graph::ToAnySubscriber;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlElement, Node};

pub use crate::signal::effect;
use crate::signal::leave;

/// An element, and what keeps it up to date. Whoever drops it stops that.
pub struct El {
    node: Element,
    kept: Vec<Kept>,
}

/// Reads something that may change; an effect that reads it runs again when it does.
pub type Reader<T> = Rc<dyn Fn() -> T>;

/// Does something that was asked for.
pub type Action<T> = Rc<dyn Fn(T)>;

/// Makes a reader.
pub fn reader<T>(read: impl Fn() -> T + 'static) -> Reader<T> {
    Rc::new(read)
}

/// Makes an action.
pub fn action<T>(act: impl Fn(T) + 'static) -> Action<T> {
    Rc::new(act)
}

/// What lives as long as an element.
enum Kept {
    Part(RenderEffect<()>),
    View(RenderEffect<Option<El>>),
    Rows(RenderEffect<Vec<Item>>),
    Listener {
        node: Element,
        event: &'static str,
        listener: Closure<dyn FnMut(Event)>,
    },
}

impl Drop for Kept {
    fn drop(&mut self) {
        match self {
            // The framework drops what an effect made only when the effect's task ends, a turn later. In
            // between, the effects within would run once more and find all that they read gone.
            Self::View(effect) => {
                drop(effect.take_value());
                leave(&effect.to_any_subscriber());
            }
            Self::Rows(effect) => {
                drop(effect.take_value());
                leave(&effect.to_any_subscriber());
            }
            // A scroll, the end of a dialog and more are told a turn later, to elements that are gone
            // by then, too.
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

/// A new element.
pub fn el(tag: &str) -> El {
    El::over(document().create_element(tag))
}

/// A new element with a class.
pub fn classed(tag: &str, class: &str) -> El {
    el(tag).attr("class", class)
}

/// A new button.
pub fn button(class: &str, label: &str) -> El {
    classed("button", class).attr("type", "button").text(label)
}

/// A new element out of markup that this program wrote itself. Never for text from anywhere else.
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

    /// An element that was made elsewhere.
    pub fn of(node: Element) -> Self {
        Self::over(Ok(node))
    }

    /// The element itself.
    pub fn node(&self) -> Element {
        self.node.clone()
    }

    /// Sets an attribute.
    pub fn attr(self, name: &str, value: &str) -> Self {
        set(&self.node, name, value);
        self
    }

    /// Sets an attribute, where there is a value.
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

    /// Keeps a declaration of its own style up to date. Not by the attribute, which a policy may forbid.
    pub fn style_of(self, name: &'static str, value: impl FnMut() -> String + 'static) -> Self {
        let style = self.node.unchecked_ref::<HtmlElement>().style();
        self.kept_text(Box::new(value), move |value| {
            // What is no value is left out.
            let _ = style.set_property(name, value);
        })
    }

    /// Keeps a property up to date, such as what stands in an input.
    pub fn prop_of(self, name: &'static str, value: impl FnMut() -> JsValue + 'static) -> Self {
        let node = self.node.clone();
        let mut value: Box<dyn FnMut() -> JsValue> = Box::new(value);
        self.part(Box::new(move |_| {
            // Assigning a property of an element that has it cannot fail.
            let _ = js_sys::Reflect::set(&node, &name.into(), &value());
        }))
    }

    /// Adds a text.
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

    /// Adds an element.
    pub fn el(mut self, child: Self) -> Self {
        self.append(&child.node);
        self.kept.extend(child.kept);
        self
    }

    /// Adds an element, where there is one.
    pub fn el_opt(self, child: Option<Self>) -> Self {
        match child {
            Some(child) => self.el(child),
            None => self,
        }
    }

    /// Adds elements.
    pub fn els(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        for child in children {
            self = self.el(child);
        }
        self
    }

    /// Adds a place whose element comes, goes and changes.
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
        self.kept.push(Kept::View(RenderEffect::new(effect)));
        self
    }

    /// Adds keyed rows. A row whose key stays keeps its element; only its index changes.
    pub fn rows_of(mut self, rows: Reader<Vec<KeyedRow>>) -> Self {
        let place = document().create_comment("");
        self.append(&place);
        // Rows outlive the run of the effect that made them.
        let owners = Owners::under(Owner::current().unwrap_or_default());
        let effect: Box<dyn FnMut(Option<Vec<Item>>) -> Vec<Item>> =
            Box::new(move |old| arrange(&place, &owners, old.unwrap_or_default(), &rows()));
        self.kept.push(Kept::Rows(RenderEffect::new(effect)));
        self
    }

    /// Listens.
    pub fn on(mut self, event: &'static str, listener: impl FnMut(Event) + 'static) -> Self {
        let listener = Closure::<dyn FnMut(Event)>::new(listener);
        // Adding a listener to an element cannot fail.
        let _ = self
            .node
            .add_event_listener_with_callback(event, listener.as_ref().unchecked_ref());
        self.kept.push(Kept::Listener {
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

    /// Runs now, and again whenever a signal that it read changes.
    pub(super) fn part(mut self, update: Box<dyn FnMut(Option<()>)>) -> Self {
        self.kept.push(Kept::Part(RenderEffect::new(update)));
        self
    }

    fn append(&self, child: &Node) {
        // A node that was just made can stand anywhere.
        let _ = self.node.append_child(child);
    }
}

/// A row of a list.
#[derive(Clone)]
pub struct KeyedRow {
    /// What tells it from all other rows.
    pub key: Arc<str>,
    /// What tells it from an older state of itself.
    pub version: u32,
    /// Its index in the whole list, of which these rows may be a part.
    pub index: u64,
    /// Draws it, given its index, which may change while the row stays.
    pub draw: Rc<dyn Fn(ArcReadSignal<u64>) -> El>,
}

/// A row that stands in the page.
struct Item {
    row: (Arc<str>, u32),
    index: ArcRwSignal<u64>,
    el: El,
    owner: Owner,
    owners: Owners,
}

impl Drop for Item {
    fn drop(&mut self) {
        self.el.node.remove();
        self.owner.cleanup();
        self.owners.spare.borrow_mut().push(self.owner.clone());
    }
}

/// The owners of a list's rows. One that a row has left serves the next: an owner keeps a trace of every
/// child that it ever had, and somebody who scrolls all day draws a million rows.
#[derive(Clone)]
struct Owners {
    parent: Owner,
    spare: Rc<RefCell<Vec<Owner>>>,
}

impl Owners {
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

/// Brings the rows before `place` into a new order, drawing only those that are new.
fn arrange(place: &Node, owners: &Owners, old: Vec<Item>, rows: &[KeyedRow]) -> Vec<Item> {
    let mut old: Vec<Option<Item>> = old.into_iter().map(Some).collect();
    let mut from = 0;
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        let is_it = |item: &Option<Item>| {
            let item = item.as_ref();
            item.is_some_and(|item| item.row.0 == row.key && item.row.1 == row.version)
        };
        // Most rows stay in order, so that the next one is mostly the one.
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
                Item {
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
    // From the last to the first: whatever stands right already is not touched.
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
        // Both are ours, and neither holds the other.
        let _ = parent.insert_before(node, Some(before));
    }
}

fn set(node: &Element, name: &str, value: &str) {
    // Every name in this program is a valid one.
    let _ = node.set_attribute(name, value);
}
