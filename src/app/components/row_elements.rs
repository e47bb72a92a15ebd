//! DOM elements that are updated from their [`Markup`]: the rows of a grid.

use std::collections::VecDeque;
use std::sync::Arc;

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{CharacterData, Element, Event, HtmlElement, HtmlInputElement, Node};

use super::dom::{Child, El};
use super::grid_row::Rendered;
use super::icon;
use super::markup::{Markup, MarkupNode, Text};

thread_local! {
    /// Hides an image that fails to load: browsers would show an icon in its place.
    static HIDE_BROKEN: Closure<dyn Fn(Event)> = Closure::new(|event: Event| {
        let image = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if let Some(image) = image {
            set(&image, "hidden", "");
        }
    });
}

/// A node in the page, and what it was rendered from.
struct RenderedNode {
    node: Node,
    key: Option<usize>,
    what: NodeKind,
}

enum NodeKind {
    Element {
        tag: &'static str,
        attrs: Vec<(&'static str, Text)>,
        columns: Option<Arc<str>>,
        children: Vec<RenderedNode>,
    },
    Text(Text),
    Icon(&'static str),
}

impl RenderedNode {
    fn new(child: MarkupNode) -> Self {
        match child {
            MarkupNode::Text(text) => Self {
                node: document().create_text_node(&text).into(),
                key: None,
                what: NodeKind::Text(text),
            },
            MarkupNode::Icon(path) => Self {
                node: icon::drawing(path).into(),
                key: None,
                what: NodeKind::Icon(path),
            },
            MarkupNode::Element(markup) => Self::element(markup),
        }
    }

    fn element(markup: Markup) -> Self {
        let Markup {
            tag,
            key,
            attrs,
            columns,
            children,
        } = markup;
        let element = super::dom::element(tag).node();
        if tag == "img" {
            let image: &HtmlElement = element.unchecked_ref();
            HIDE_BROKEN.with(|hide| image.set_onerror(Some(hide.as_ref().unchecked_ref())));
        }
        for (name, value) in &attrs {
            set(&element, name, value);
        }
        if columns.is_some() {
            set_columns(&element, columns.as_deref());
        }
        let children = children
            .into_iter()
            .map(|child| Self::last(&element, child));
        let children = children.collect();
        Self {
            node: element.into(),
            key,
            what: NodeKind::Element {
                tag,
                attrs,
                columns,
                children,
            },
        }
    }

    /// Renders a child and appends it to an element.
    fn last(parent: &Element, child: MarkupNode) -> Self {
        let child = Self::new(child);
        // A new node can be inserted anywhere.
        let _ = parent.append_child(&child.node);
        child
    }

    /// Returns whether the node can be updated to this child. A picture cannot: the old one would stay visible until
    /// the new one is loaded.
    fn fits(&self, child: &MarkupNode) -> bool {
        match (&self.what, child) {
            (NodeKind::Text(_), MarkupNode::Text(_)) => true,
            (NodeKind::Icon(drawn), MarkupNode::Icon(path)) => drawn == path,
            (NodeKind::Element { tag, attrs, .. }, MarkupNode::Element(markup)) => {
                *tag == markup.tag
                    && self.key == markup.key
                    && (*tag != "img" || *attrs == markup.attrs)
            }
            _ => false,
        }
    }

    /// Updates the node to a child for which `fits` returned true.
    fn update(&mut self, child: MarkupNode) {
        match (&mut self.what, child) {
            (NodeKind::Text(drawn), MarkupNode::Text(text)) if *drawn != text => {
                self.node.unchecked_ref::<CharacterData>().set_data(&text);
                *drawn = text;
            }
            (
                NodeKind::Element {
                    attrs,
                    columns,
                    children,
                    ..
                },
                MarkupNode::Element(markup),
            ) => {
                let element: &Element = self.node.unchecked_ref();
                set_all(element, attrs, markup.attrs);
                if *columns != markup.columns {
                    set_columns(element, markup.columns.as_deref());
                    *columns = markup.columns;
                }
                update_all(element, children, markup.children);
            }
            _ => {}
        }
    }
}

fn set_all(
    element: &Element,
    drawn: &mut Vec<(&'static str, Text)>,
    attrs: Vec<(&'static str, Text)>,
) {
    for (name, _) in &*drawn {
        if !attrs.iter().any(|(other, _)| other == name) {
            unset(element, name);
        }
    }
    for (at, (name, value)) in attrs.iter().enumerate() {
        // The order is fixed, so an attribute usually has the same index as before.
        let same = drawn.get(at).filter(|(other, _)| other == name);
        let before = same.or_else(|| drawn.iter().find(|(other, _)| other == name));
        if before.is_none_or(|(_, before)| before != value) {
            set(element, name, value);
        }
    }
    *drawn = attrs;
}

fn update_all(element: &Element, drawn: &mut Vec<RenderedNode>, children: Vec<MarkupNode>) {
    // A keyed child keeps its element when siblings before it are added or removed.
    drawn.retain(|drawn| {
        let stays = drawn.key.is_none() || children.iter().any(|child| child.key() == drawn.key);
        if !stays {
            let _ = element.remove_child(&drawn.node);
        }
        stays
    });
    let many = children.len();
    for (at, child) in children.into_iter().enumerate() {
        if let Some(there) = drawn.get_mut(at).filter(|drawn| drawn.fits(&child)) {
            there.update(child);
            continue;
        }
        let is_new = child.key().is_some() && drawn.iter().all(|drawn| drawn.key != child.key());
        if !is_new {
            remove_from(element, drawn, at);
        }
        let child = RenderedNode::new(child);
        let before = drawn.get(at).map(|drawn| &drawn.node);
        // A new node can be inserted anywhere.
        let _ = element.insert_before(&child.node, before);
        drawn.insert(at, child);
    }
    remove_from(element, drawn, many);
}

/// Removes the children from an index on.
fn remove_from(element: &Element, drawn: &mut Vec<RenderedNode>, at: usize) {
    for gone in drawn.drain(at.min(drawn.len())..) {
        let _ = element.remove_child(&gone.node);
    }
}

fn set(element: &Element, name: &str, value: &str) {
    match name {
        "checked" => {
            let input: &HtmlInputElement = element.unchecked_ref();
            input.set_checked(value == "true");
        }
        // Through the CSSOM: the page's CSP forbids style attributes.
        name if is_style(name) => {
            let style = element.unchecked_ref::<HtmlElement>().style();
            let _ = style.set_property(name, value);
        }
        // All attribute names in this program are valid.
        _ => {
            let _ = element.set_attribute(name, value);
        }
    }
}

/// Whether a name is that of a style property.
fn is_style(name: &str) -> bool {
    name == "left" || name.starts_with("--")
}

fn unset(element: &Element, name: &str) {
    let _ = match name {
        name if is_style(name) => {
            let style = element.unchecked_ref::<HtmlElement>().style();
            style.remove_property(name).map(|_| ())
        }
        _ => element.remove_attribute(name),
    };
}

fn set_columns(element: &Element, columns: Option<&str>) {
    let style = element.unchecked_ref::<HtmlElement>().style();
    // An empty value removes the property.
    let _ = style.set_property("grid-template-columns", columns.unwrap_or_default());
}

/// The rows of a list that are in the page.
struct Rows<R> {
    rows: VecDeque<(R, RenderedNode)>,
    /// Index of the first one in the list.
    first: u64,
}

impl<R: Rendered> Rows<R> {
    /// Shows another range of the list. After scrolling, rows that left the view at one end are reused at the other.
    /// The order in the DOM is always that of the list.
    fn show(&mut self, parent: &Element, first: u64, rows: Vec<R>) {
        let (many, was) = (self.rows.len(), self.first);
        let down = first.checked_sub(was).filter(|by| *by < many as u64);
        let up = was.checked_sub(first).filter(|by| *by < many as u64);
        for _ in 0..down.unwrap_or_default() {
            if let Some(row) = self.rows.pop_front() {
                let _ = parent.append_child(&row.1.node);
                self.rows.push_back(row);
            }
        }
        for _ in 0..up.unwrap_or_default() {
            if let Some(row) = self.rows.pop_back() {
                let before = self.rows.front().map(|row| &row.1.node);
                let _ = parent.insert_before(&row.1.node, before);
                self.rows.push_front(row);
            }
        }
        self.first = first;
        for (_, row) in self.rows.drain(rows.len().min(many)..) {
            row.node.unchecked_ref::<Element>().remove();
        }
        for (at, row) in rows.into_iter().enumerate() {
            match self.rows.get_mut(at) {
                Some((shown, _)) if *shown == row => {}
                Some((shown, drawn)) => {
                    drawn.update(MarkupNode::Element(row.markup()));
                    *shown = row;
                }
                None => {
                    let drawn = RenderedNode::element(row.markup());
                    let _ = parent.append_child(&drawn.node);
                    self.rows.push_back((row, drawn));
                }
            }
        }
    }
}

impl From<Markup> for El {
    /// Creates an element that does not change.
    fn from(markup: Markup) -> Self {
        Self::new(RenderedNode::element(markup).node.unchecked_into())
    }
}

impl Child for Markup {
    fn add_to(self, parent: El) -> El {
        parent.child(El::from(self))
    }
}

impl El {
    /// Renders a part of a list and keeps it up to date. `rows` returns the list index of the first row, and the
    /// rows, which all have the same tag. The element must have no other children.
    pub fn recycled_rows<R: Rendered + 'static>(
        self,
        rows: impl Fn() -> (u64, Vec<R>) + 'static,
    ) -> Self {
        let parent = self.node();
        let mut drawn = Rows {
            rows: VecDeque::new(),
            first: 0,
        };
        self.part(Box::new(move |_| {
            let (first, rows) = rows();
            drawn.show(&parent, first, rows);
        }))
    }
}
