//! Elements that follow their [`Markup`]: the rows of a grid.

use std::collections::VecDeque;
use std::rc::Rc;

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{CharacterData, Element, Event, HtmlElement, HtmlInputElement, Node};

use super::dom::El;
use super::icon;
use super::markup::{Child, Markup, Text};

thread_local! {
    /// Hides an image that cannot be loaded: browsers would draw an icon in its place.
    static HIDE_BROKEN: Closure<dyn Fn(Event)> = Closure::new(|event: Event| {
        let image = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if let Some(image) = image {
            set(&image, "hidden", "");
        }
    });
}

/// Something that stands in the page.
struct Drawn {
    node: Node,
    key: Option<usize>,
    what: What,
}

/// What was drawn.
enum What {
    Element {
        tag: &'static str,
        attrs: Vec<(&'static str, Text)>,
        columns: Option<Rc<str>>,
        children: Vec<Drawn>,
    },
    Text(Text),
    Icon(&'static str),
}

impl Drawn {
    fn new(child: Child) -> Self {
        match child {
            Child::Text(text) => Self {
                node: document().create_text_node(&text).into(),
                key: None,
                what: What::Text(text),
            },
            Child::Icon(path) => Self {
                node: icon::drawing(path).into(),
                key: None,
                what: What::Icon(path),
            },
            Child::Element(markup) => Self::element(markup),
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
        let element = super::dom::el(tag).node();
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
            what: What::Element {
                tag,
                attrs,
                columns,
                children,
            },
        }
    }

    /// The same as the last one in an element.
    fn last(parent: &Element, child: Child) -> Self {
        let child = Self::new(child);
        // A node that was just made can stand anywhere.
        let _ = parent.append_child(&child.node);
        child
    }

    /// Whether it can become this by being changed. A picture cannot: the one before would be seen until the other
    /// is here.
    fn fits(&self, child: &Child) -> bool {
        match (&self.what, child) {
            (What::Text(_), Child::Text(_)) => true,
            (What::Icon(drawn), Child::Icon(path)) => drawn == path,
            (What::Element { tag, attrs, .. }, Child::Element(markup)) => {
                *tag == markup.tag
                    && self.key == markup.key
                    && (*tag != "img" || *attrs == markup.attrs)
            }
            _ => false,
        }
    }

    /// Becomes what it fits.
    fn update(&mut self, child: Child) {
        match (&mut self.what, child) {
            (What::Text(drawn), Child::Text(text)) if *drawn != text => {
                self.node.unchecked_ref::<CharacterData>().set_data(&text);
                *drawn = text;
            }
            (
                What::Element {
                    attrs,
                    columns,
                    children,
                    ..
                },
                Child::Element(markup),
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
        // They are in a fixed order, so that each is mostly where it was.
        let same = drawn.get(at).filter(|(other, _)| other == name);
        let before = same.or_else(|| drawn.iter().find(|(other, _)| other == name));
        if before.is_none_or(|(_, before)| before != value) {
            set(element, name, value);
        }
    }
    *drawn = attrs;
}

fn update_all(element: &Element, drawn: &mut Vec<Drawn>, children: Vec<Child>) {
    // What has a key keeps its element where those before it come or go.
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
        let child = Drawn::new(child);
        let before = drawn.get(at).map(|drawn| &drawn.node);
        // A node that was just made can stand anywhere.
        let _ = element.insert_before(&child.node, before);
        drawn.insert(at, child);
    }
    remove_from(element, drawn, many);
}

/// Removes the children from a place on.
fn remove_from(element: &Element, drawn: &mut Vec<Drawn>, at: usize) {
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
        // By the object model: the page's policy forbids style attributes.
        "left" | "--v" => {
            let style = element.unchecked_ref::<HtmlElement>().style();
            let _ = style.set_property(name, value);
        }
        // Every name in this program is a valid one.
        _ => {
            let _ = element.set_attribute(name, value);
        }
    }
}

fn unset(element: &Element, name: &str) {
    let _ = match name {
        "left" | "--v" => {
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
#[derive(Default)]
struct Rows {
    rows: VecDeque<Drawn>,
    /// The place of the first one in the list.
    first: u64,
}

impl Rows {
    /// Shows other rows of the list. Where the list was scrolled, rows that went out of view at one end come in
    /// again at the other; the order in the page is always that of the list.
    fn show(&mut self, parent: &Element, first: u64, rows: Vec<Markup>) {
        let (many, was) = (self.rows.len(), self.first);
        let down = first.checked_sub(was).filter(|by| *by < many as u64);
        let up = was.checked_sub(first).filter(|by| *by < many as u64);
        for _ in 0..down.unwrap_or_default() {
            if let Some(row) = self.rows.pop_front() {
                let _ = parent.append_child(&row.node);
                self.rows.push_back(row);
            }
        }
        for _ in 0..up.unwrap_or_default() {
            if let Some(row) = self.rows.pop_back() {
                let before = self.rows.front().map(|row| &row.node);
                let _ = parent.insert_before(&row.node, before);
                self.rows.push_front(row);
            }
        }
        self.first = first;
        for row in self.rows.drain(rows.len().min(many)..) {
            row.node.unchecked_ref::<Element>().remove();
        }
        for (at, row) in rows.into_iter().enumerate() {
            match self.rows.get_mut(at) {
                Some(drawn) => drawn.update(Child::Element(row)),
                None => {
                    let row = Drawn::element(row);
                    let _ = parent.append_child(&row.node);
                    self.rows.push_back(row);
                }
            }
        }
    }
}

impl From<Markup> for El {
    /// An element that stays as it is.
    fn from(markup: Markup) -> Self {
        Self::of(Drawn::element(markup).node.unchecked_into())
    }
}

impl El {
    /// Keeps rows in it, and nothing else: some of a list, the first one's place in the list before them. All have
    /// the same tag.
    pub fn rows(self, rows: impl Fn() -> (u64, Vec<Markup>) + 'static) -> Self {
        let (parent, mut drawn) = (self.node(), Rows::default());
        self.part(Box::new(move |_| {
            let (first, rows) = rows();
            drawn.show(&parent, first, rows);
        }))
    }
}
