//! Elements that are built once and kept up to date by effects.
//!
//! [`El`] is built like an element of Leptos' builder: `div().class("row").child(name).on(ev::click, open)`. A value that
//! is a closure is kept up to date: it runs again when a signal that it read changes.
//!
//! Leptos compiles a type for every element and for every closure in it, which makes this app nearly twice as large (see
//! ARCHITECTURE.md). Here an element is a single type and closures are boxed, so that this code is compiled once.

use std::borrow::Cow;

use leptos::ev::EventDescriptor;
use leptos::prelude::*;
use leptos::reactive::graph::ToAnySubscriber;
use leptos::tachys::view::Mountable;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlElement, Node};

pub use self::keyed_rows::KeyedRow;
use self::keyed_rows::RenderedRow;
pub use self::value::{AttributeValue, Child};
pub use self::view::ElView;
pub use crate::app::reactive::effect;
use crate::app::reactive::unsubscribe;

mod keyed_rows;
mod value;
mod view;

/// An element with the effects that keep it up to date. Dropping it stops the updates.
pub struct El {
    node: Element,
    subscriptions: Vec<Subscription>,
}

/// Effects and listeners with the lifetime of an element.
enum Subscription {
    Part(RenderEffect<()>),
    View(RenderEffect<Option<El>>),
    Rows(RenderEffect<Vec<RenderedRow>>),
    /// The state of a Leptos view.
    Leptos(Box<dyn Mountable>),
    Listener {
        node: Element,
        event: Cow<'static, str>,
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
                unsubscribe(&effect.to_any_subscriber());
            }
            Self::Rows(effect) => {
                drop(effect.take_value());
                unsubscribe(&effect.to_any_subscriber());
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
            Self::Leptos(view) => view.unmount(),
            Self::Part(effect) => unsubscribe(&effect.to_any_subscriber()),
        }
    }
}

/// Creates an element of any name.
pub fn element(tag: &str) -> El {
    El::from_result(document().create_element(tag))
}

macro_rules! elements {
    ($($tag:ident)*) => {
        $(pub fn $tag() -> El {
            element(stringify!($tag))
        })*
    };
}

elements! { a aside b caption code dd details dialog div dl dt em fieldset footer form h1 h2 h3 h4 header i input kbd label legend li link main nav ol optgroup option p pre section select small span strong summary table tbody td textarea th thead time tr ul }

/// A `button` that submits no form.
pub fn button() -> El {
    element("button").attr("type", "button")
}

/// Creates an SVG element of any name.
pub fn svg_element(tag: &str) -> El {
    const SVG: &str = "http://www.w3.org/2000/svg";
    El::from_result(document().create_element_ns(Some(SVG), tag))
}

impl El {
    fn from_result(node: Result<Element, JsValue>) -> Self {
        #[expect(
            clippy::expect_used,
            reason = "every tag in this program is a valid name"
        )]
        let node = node.expect("an element");
        Self {
            node,
            subscriptions: Vec::new(),
        }
    }

    /// Wraps an existing element.
    pub fn new(node: Element) -> Self {
        Self::from_result(Ok(node))
    }

    pub fn node(&self) -> Element {
        self.node.clone()
    }

    /// Sets an attribute, or keeps it up to date if the value is a closure. `None` sets none.
    pub fn attr(self, name: &'static str, value: impl AttributeValue) -> Self {
        value.set_on(self, name)
    }

    /// Sets the attribute `class`.
    pub fn class(self, value: impl AttributeValue) -> Self {
        self.attr("class", value)
    }

    /// Keeps a style property up to date. Does not set the attribute, which a CSP may forbid.
    pub fn style(self, name: &'static str, value: impl FnMut() -> String + 'static) -> Self {
        let style = self.node.unchecked_ref::<HtmlElement>().style();
        self.keep_text(Box::new(value), move |value| {
            // An invalid value is ignored.
            let _ = style.set_property(name, value);
        })
    }

    /// Keeps a property up to date, such as the value of an input.
    pub fn prop(self, name: &'static str, value: impl FnMut() -> JsValue + 'static) -> Self {
        let node = self.node.clone();
        let mut value: Box<dyn FnMut() -> JsValue> = Box::new(value);
        self.part(Box::new(move |_| {
            // Assigning an existing property cannot fail.
            let _ = js_sys::Reflect::set(&node, &name.into(), &value());
        }))
    }

    /// Adds an element or a text. A closure is a slot: what it returns is replaced whenever a signal that it read changes.
    pub fn child(self, child: impl Child) -> Self {
        child.add_to(self)
    }

    pub fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        for child in children {
            self = self.child(child);
        }
        self
    }

    /// Adds keyed rows. A row with the same key and version keeps its element.
    pub fn keyed_rows(mut self, rows: impl Fn() -> Vec<KeyedRow> + 'static) -> Self {
        let marker = document().create_comment("");
        self.append(&marker);
        // Rows outlive the run of the effect that created them.
        let owners = keyed_rows::RowOwners::under(Owner::current().unwrap_or_default());
        let effect: Box<dyn FnMut(Option<Vec<RenderedRow>>) -> Vec<RenderedRow>> =
            Box::new(move |old| {
                keyed_rows::arrange(&marker, &owners, old.unwrap_or_default(), &rows())
            });
        self.subscriptions
            .push(Subscription::Rows(RenderEffect::new(effect)));
        self
    }

    /// Adds an event listener that is removed when the element is dropped.
    pub fn on<E>(self, event: E, mut listener: impl FnMut(E::EventType) + 'static) -> Self
    where
        E: EventDescriptor,
        E::EventType: JsCast,
    {
        self.listen(
            event.name(),
            Box::new(move |event| listener(event.unchecked_into())),
        )
    }

    fn listen(mut self, event: Cow<'static, str>, listener: Box<dyn FnMut(Event)>) -> Self {
        let listener = Closure::<dyn FnMut(Event)>::wrap(listener);
        // Adding a listener to an element cannot fail.
        let _ = self
            .node
            .add_event_listener_with_callback(&event, listener.as_ref().unchecked_ref());
        self.subscriptions.push(Subscription::Listener {
            node: self.node.clone(),
            event,
            listener,
        });
        self
    }

    /// Keeps a text up to date. An unchanged text is not written again, because writing invalidates the layout.
    fn keep_text(
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
        self.subscriptions
            .push(Subscription::Part(RenderEffect::new(update)));
        self
    }

    fn append(&self, child: &Node) {
        // A new node can be inserted anywhere.
        let _ = self.node.append_child(child);
    }
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
